/**
 * Who is told keys and reads what they stand for, as status writers and data planes do: it knows what
 * it was told, and nothing else.
 */

import { assert, assertEquals } from "@std/assert";
import { equal } from "../../src/base/equal.ts";
import type { DataPlaneConfig } from "../../src/dataplane/model.ts";
import type { PublishedOutputs } from "../../src/gateway/incremental_outputs.ts";
import { type Outputs, statusKinds } from "../../src/gateway/outputs.ts";

/** See the file's header. */
export class OutputConsumer {
  readonly #known = new Map<string, unknown>();
  #dataPlane: DataPlaneConfig | undefined;

  /**
   * Reads what `changes` names; told of what is the same, or not told of what is not, it throws.
   *
   * @param hasStartedOver whether memos were forgotten: parts of Gateways that changed are new then
   */
  take({ outputs, changes }: PublishedOutputs, hasStartedOver: boolean): void {
    for (const kind of statusKinds) {
      for (const key of changes.statuses[kind]) {
        this.#read(`${kind} ${key}`, outputs.statuses[kind].get(key));
      }
    }
    for (const key of changes.certificates) {
      this.#read(`certificate ${key}`, outputs.dataPlane.certificates.get(key));
    }
    for (const key of changes.gateways) this.#read(`gateway ${key}`, outputs.gateways.get(key));
    assertEquals(changes.dataPlane, this.#dataPlane !== outputs.dataPlane);
    if (this.#dataPlane) {
      assertKept(this.#dataPlane, outputs.dataPlane);
      if (!hasStartedOver) assertListenersKept(this.#dataPlane, outputs.dataPlane);
    }
    this.#dataPlane = outputs.dataPlane;
    this.#assertComplete(outputs);
  }

  #read(name: string, value: unknown): void {
    const before = this.#known.get(name);
    assert(before !== value && !isSame(before, value), `${name} was told and is the same`);
    if (value === undefined) this.#known.delete(name);
    else this.#known.set(name, value);
  }

  /** By identity: what was not told is the very same object. */
  #assertComplete({ statuses, dataPlane, gateways }: Outputs): void {
    const there = new Map<string, unknown>([
      ...statusKinds.flatMap((kind) =>
        [...statuses[kind]].map(([key, value]) => [`${kind} ${key}`, value] as const)
      ),
      ...[...dataPlane.certificates].map(([key, value]) => [`certificate ${key}`, value] as const),
      ...[...gateways].map(([key, value]) => [`gateway ${key}`, value] as const),
    ]);
    assertEquals([...there.keys()].sort(), [...this.#known.keys()].sort());
    for (const [name, value] of there) {
      assert(this.#known.get(name) === value, `${name} is another object and was not told`);
    }
  }
}

/** A data plane compares by reference, so what is equal must be the same object. */
function assertKept(before: DataPlaneConfig, after: DataPlaneConfig): void {
  if (before === after) return;
  for (const part of ["gateways", "clusters", "certificates"] as const) {
    const old = new Map<string, unknown>(before[part]);
    for (const [key, value] of after[part]) {
      const known = old.get(key);
      assert(known === value || !equal(known, value), `${part} ${key} is equal and another object`);
    }
  }
}

function assertListenersKept(before: DataPlaneConfig, after: DataPlaneConfig): void {
  for (const [key, { listeners }] of after.gateways) {
    const old = before.gateways.get(key)?.listeners ?? [];
    listeners.forEach((listener, index) => {
      const known = old[index];
      const isKept = known === listener || !equal(known, listener);
      assert(isKept, `listener ${listener.name} of ${key} is equal and another object`);
    });
  }
}

function isSame(a: unknown, b: unknown): boolean {
  const withoutRevision = (value: unknown): unknown =>
    typeof value === "object" && value !== null ? { ...value, revision: 0 } : value;
  return equal(withoutRevision(a), withoutRevision(b));
}
