/**
 * A realistic world under thousands of random edits: after every step the incremental outputs equal
 * those from scratch, exactly what changed was told, and nothing stays of what is gone. What a user
 * would lose: a route that is served although it was deleted, or a status that nobody corrects.
 *
 * The seed is printed. To run it again, or for longer:
 * `deno test tests/simulation/gateway_incremental_test.ts -- --seed=N --runs=N`.
 */

import fc from "fast-check";
import { assert, assertEquals } from "@std/assert";
import { equal } from "../../src/base/equal.ts";
import { findWrongOutput, GatewaySample } from "../../src/gateway/check_outputs.ts";
import type { PublishedOutputs } from "../../src/gateway/incremental_outputs.ts";
import { type Outputs, statusKinds } from "../../src/gateway/outputs.ts";
import { makeCertificate } from "../fakes/gateway_certificates.ts";
import { playedSettings, PlayedWorld, steps } from "../fakes/played_gateway_world.ts";
import { checkSeeded } from "../fakes/seeded_check.ts";

const certificates = [
  await makeCertificate(["a.example.com"]),
  await makeCertificate(["*.example.com"]),
];

/** Everything that a consumer of keys knows: what it read when it was told. */
class Consumer {
  readonly #known = new Map<string, unknown>();
  #dataPlane: unknown;

  take({ outputs, changes }: PublishedOutputs): void {
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
    this.#dataPlane = outputs.dataPlane;
  }

  #read(name: string, value: unknown): void {
    const before = this.#known.get(name);
    assert(before !== value && !isSame(before, value), `${name} was told and is the same`);
    if (value === undefined) this.#known.delete(name);
    else this.#known.set(name, value);
  }

  /** By identity: what was not told is the very same object. */
  assertComplete({ statuses, dataPlane, gateways }: Outputs): void {
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

function isSame(a: unknown, b: unknown): boolean {
  const withoutRevision = (value: unknown): unknown =>
    typeof value === "object" && value !== null ? { ...value, revision: 0 } : value;
  return equal(withoutRevision(a), withoutRevision(b));
}

/** Everything that was published is what it should be. */
function checkPublished(
  consumer: Consumer,
  published: PublishedOutputs,
  { world: { inputs }, computed }: PlayedWorld,
): void {
  consumer.take(published);
  consumer.assertComplete(published.outputs);
  const wrong = findWrongOutput(inputs, playedSettings, published.outputs);
  assertEquals(wrong, undefined);
  for (const key of inputs.keys("Gateway")) {
    const sample = new GatewaySample(inputs, computed, key);
    assertEquals(sample.step(() => false), { isDone: true });
    sample.end();
  }
}

Deno.test("Incremental outputs equal those from scratch after every one of thousands of edits", () => {
  let stepCount = 0;
  const property = fc.property(
    fc.array(steps(certificates), { minLength: 20, maxLength: 60 }),
    (steps) => {
      const consumer = new Consumer();
      const world = new PlayedWorld(
        certificates,
        (published, world) => checkPublished(consumer, published, world),
      );
      for (const step of steps) {
        world.play(step);
        stepCount++;
      }
      world.recompute(3);
      world.end();
      // What is left when everything is gone is a leak.
      for (const [query, count] of Object.entries(world.computed.view.memoCounts())) {
        assertEquals(count, 0, `${query} is empty`);
      }
    },
  );
  checkSeeded(property, { name: "gateway edits", runs: 150, tally: () => `${stepCount} steps` });
});
