/**
 * Copies the objects of one cluster into another, for a fork; through text, because they cross to
 * another thread, and text is the cheapest way there.
 *
 * What is stored was admitted before, so it is not checked again; what comes later is. The copies
 * have uids and versions of their own.
 */

import type { Clock } from "../base/clock.ts";
import { invariant } from "../base/invariant.ts";
import { isRecord } from "../kube/json_value.ts";
import { isKind, type Kind, kindNames } from "../kube/kinds.ts";
import type { KubeObject } from "../kube/object.ts";
import type {
  Admission,
  AdmissionResult,
  LocalCluster,
  ObjectInput,
} from "../localkube/store_contract.ts";
import type { ClusterObjects } from "./world.ts";

/** Lets everything in while it is seeding, and asks another admission after that. */
export class SeedingAdmission implements Admission {
  readonly #admission: Admission;
  #isSeeding = true;

  constructor(admission: Admission) {
    this.#admission = admission;
  }

  /** From now on objects are checked. */
  endSeeding(): void {
    this.#isSeeding = false;
  }

  admit(kind: Kind, object: ObjectInput, old: KubeObject | undefined): AdmissionResult {
    return this.#isSeeding
      ? { ok: true, object, warnings: [] }
      : this.#admission.admit(kind, object, old);
  }
}

/** Objects by kind, as they are at one moment. */
export type Snapshot = readonly (readonly [Kind, readonly KubeObject[]])[];

/** Namespaces come first, so that none is made up for an object. */
export function takeSnapshot(cluster: Pick<ClusterObjects, "list">): Snapshot {
  const order: readonly Kind[] = [
    "Namespace",
    ...kindNames.filter((kind) => kind !== "Namespace"),
  ];
  return order.map((kind) => [kind, cluster.list(kind).items]);
}

/** How long one part may take to write, and how long it may become. */
const partMs = 2;
const partCharsMax = 1024 * 1024;

/**
 * The objects of a snapshot as text, in parts that each take little time: one more object is written
 * while neither bound is reached.
 */
export class SnapshotWriter {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #objects: Iterator<readonly [Kind, KubeObject]>;
  #next: IteratorResult<readonly [Kind, KubeObject]>;

  constructor(snapshot: Snapshot, clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
    this.#objects = eachObject(snapshot);
    this.#next = this.#objects.next();
  }

  /** The next part, which may be empty, and whether it is the last. */
  writePart(): { readonly text: string; readonly isLast: boolean } {
    const endMs = this.#clock.monotonicMs() + partMs;
    const parts: string[] = [];
    let chars = 0;
    while (!this.#next.done) {
      const [kind, object] = this.#next.value;
      const text = JSON.stringify([kind, withoutLoad(kind, object)]);
      parts.push(text);
      chars += text.length;
      this.#next = this.#objects.next();
      if (chars >= partCharsMax || this.#clock.monotonicMs() >= endMs) break;
    }
    return { text: `[${parts.join(",")}]`, isLast: this.#next.done ?? false };
  }
}

function* eachObject(snapshot: Snapshot): Generator<readonly [Kind, KubeObject]> {
  for (const [kind, objects] of snapshot) for (const object of objects) yield [kind, object];
}

/** Addresses are kept by what the status of a Gateway says; no other status is read. */
function withoutLoad(kind: Kind, object: KubeObject): unknown {
  const { uid: _, resourceVersion: __, generation: ___, ...metadata } = object.metadata;
  const { status, ...rest } = object;
  return { ...rest, metadata, ...(kind === "Gateway" && status !== undefined ? { status } : {}) };
}

/** Copies all of `snapshot` into `target`. */
export function seedAll(target: LocalCluster, snapshot: Snapshot, clock: Clock): void {
  const writer = new SnapshotWriter(snapshot, clock);
  for (let isLast = false; !isLast;) {
    const part = writer.writePart();
    seedPart(target, part.text);
    isLast = part.isLast;
  }
}

/**
 * Puts one part of a snapshot into `target`.
 *
 * @throws Error when an object is not taken: it is larger than any may be
 */
export function seedPart(target: LocalCluster, text: string): void {
  const objects: unknown = JSON.parse(text);
  invariant(Array.isArray(objects), "A part of a snapshot is a list");
  for (const entry of objects) {
    const [kind, object]: unknown[] = Array.isArray(entry) ? entry : [];
    invariant(typeof kind === "string" && isKind(kind), "A part of a snapshot names known kinds");
    invariant(isObjectInput(object), "A part of a snapshot holds objects");
    const stored = target.apply(kind, object);
    // Without it the plan would be about another cluster.
    if (!stored.ok) throw new Error(`Copy ${kind}: ${stored.error.message}`);
    if (object.status !== undefined) target.updateStatus(kind, object);
  }
}

function isObjectInput(value: unknown): value is ObjectInput {
  return isRecord(value) && isRecord(value.metadata) && typeof value.apiVersion === "string" &&
    typeof value.kind === "string";
}
