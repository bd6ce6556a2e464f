/**
 * A realistic world under thousands of random edits: after every step the incremental outputs equal
 * those from scratch, exactly what changed was told, and nothing stays of what is gone. What a user
 * would lose: a route that is served although it was deleted, or a status that nobody corrects.
 *
 * The seed is printed. To run it again, or for longer:
 * `deno test tests/simulation/gateway_incremental_test.ts -- --seed=N --runs=N`.
 */

import fc from "fast-check";
import { assertEquals } from "@std/assert";
import { findWrongOutput, GatewaySample } from "../../src/gateway/check_outputs.ts";
import type { PublishedOutputs } from "../../src/gateway/incremental_outputs.ts";
import { kindNames } from "../../src/kube/kinds.ts";
import {
  assertCounted,
  assertParentsTold,
  assertRivalsHaveWinners,
  assertWhole,
} from "../fakes/config_promises.ts";
import { makeCertificate } from "../fakes/gateway_certificates.ts";
import { toKey } from "../fakes/gateway_world.ts";
import { managedObjects } from "../fakes/naive_door.ts";
import { assertIndexes } from "../fakes/naive_indexes.ts";
import { OutputConsumer } from "../fakes/output_consumer.ts";
import { assertBindable } from "../fakes/output_promises.ts";
import {
  playedSettings,
  PlayedWorld,
  type PlayedWorldOptions,
  steps,
} from "../fakes/played_gateway_world.ts";
import { checkSeeded } from "../fakes/seeded_check.ts";

const certificates = [
  await makeCertificate(["a.example.com"]),
  await makeCertificate(["*.example.com"]),
];

/** Everything that was published is what it should be. */
function checkPublished(
  consumer: OutputConsumer,
  published: PublishedOutputs,
  { settings, gateways }: PlayedWorldOptions,
  { world: { inputs }, computed, objects, hasStartedOver }: PlayedWorld,
): void {
  consumer.take(published, hasStartedOver);
  assertWhole(published.outputs.dataPlane);
  assertBindable(published.outputs);
  assertCounted(published.outputs);
  assertRivalsHaveWinners(published.outputs);
  assertIndexes(inputs);
  assertEquals(findWrongOutput(inputs, settings, published.outputs), undefined);
  for (const key of inputs.keys("Gateway")) {
    const sample = new GatewaySample(inputs, computed, key);
    assertEquals(sample.step(() => false), { isDone: true });
    sample.end();
  }
  const inside = kindNames.flatMap((kind) => inputs.keys(kind).map((key) => `${kind} ${key}`));
  const managed = managedObjects([...objects], gateways);
  assertEquals(inside.sort(), managed);
  assertParentsTold(published.outputs, [...objects], managed);
}

/** What is left when everything is gone is a leak. */
function checkEmpty({ world, computed }: PlayedWorld): void {
  for (const [query, count] of Object.entries(computed.view.memoCounts())) {
    assertEquals(count, 0, `${query} is empty`);
  }
  assertEquals(world.knownCount, 0, "the door knows nothing");
  assertEquals(world.inputs.entryCount, 0, "no input is kept, and no absence");
  const { routesByParent, ...others } = world.inputs.indexes;
  for (const sets of [...Object.values(routesByParent), ...Object.values(others)]) {
    if ("groupCount" in sets) assertEquals([sets.size, sets.groupCount], [0, 0]);
  }
}

interface Variant extends PlayedWorldOptions {
  readonly name: string;
  readonly runs: number;
}

const variants: readonly Variant[] = [
  { name: "a data plane that can do everything", runs: 120, settings: playedSettings.full },
  { name: "the embedded data plane", runs: 50, settings: playedSettings.embedded },
  {
    name: "an instance of few Gateways",
    runs: 50,
    settings: playedSettings.full,
    gateways: new Set([toKey("default/gw"), toKey("apps/gw2")]),
  },
];

for (const { name, runs, ...options } of variants) {
  Deno.test(`Incremental outputs equal those from scratch after every edit: ${name}`, () => {
    let stepCount = 0;
    const property = fc.property(
      fc.array(steps(certificates), { minLength: 1, maxLength: 60, size: "max" }),
      (steps) => {
        const consumer = new OutputConsumer();
        const world = new PlayedWorld(
          certificates,
          options,
          (published, world) => checkPublished(consumer, published, options, world),
        );
        for (const step of steps) {
          world.play(step);
          stepCount++;
        }
        world.recompute(3);
        world.end();
        checkEmpty(world);
      },
    );
    checkSeeded(property, { name: "gateway edits", runs, tally: () => `${stepCount} steps` });
  });
}
