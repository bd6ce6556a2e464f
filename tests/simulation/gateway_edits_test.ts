/**
 * A world that is edited at random, step by step, compared after each step with a State that has only
 * ever seen the result, in another order. A difference means that a user's statuses and routes depend
 * on history: a restart would change them, and two replicas would fight.
 */

import fc from "fast-check";
import { assert, assertEquals } from "@std/assert";
import type { DataPlaneCapabilities } from "../../src/gateway/capabilities.ts";
import { statusKinds } from "../../src/gateway/outputs.ts";
import { embeddedCapabilities, fullCapabilities } from "../fakes/data_planes.ts";
import { EditedEngine } from "../fakes/edited_engine.ts";
import { makeCertificate } from "../fakes/gateway_certificates.ts";
import { outputsText } from "../fakes/outputs_text.ts";
import {
  assertBindable,
  assertLossesHaveWinners,
  assertRoutesServed,
  assertServed,
} from "../fakes/output_promises.ts";
import { edits, initialWorld } from "../fakes/random_gateway_world.ts";

const certificates = [
  await makeCertificate(["a.example.com"]),
  await makeCertificate(["*.example.com"]),
];

/** More with an argument, as in `deno test FILE -- 2000`. */
const numRuns = Number(Deno.args[0] ?? 40);

async function compareWithFresh(
  { engine, objects: present }: EditedEngine,
  dataPlane: DataPlaneCapabilities,
  seed: number,
): Promise<void> {
  const objects = [...present.values()];
  const rotation = objects.length === 0 ? 0 : seed % objects.length;
  const turned = [...objects.slice(rotation), ...objects.slice(0, rotation)];
  const fresh = new EditedEngine(seed % 2 === 0 ? turned : turned.reverse(), { dataPlane });
  await fresh.start();
  assertEquals(outputsText(engine.state.outputs), outputsText(fresh.engine.state.outputs));
  await fresh.stop();
}

/** What was told is what there is, and nothing is left to wait for. */
function assertAllWritten({ engine, written }: EditedEngine): void {
  const { outputs } = engine.state;
  const told = new Map(
    statusKinds.flatMap((kind) =>
      [...outputs.statuses[kind]].map(([key, found]) => [`${kind} ${key}`, found])
    ),
  );
  const sorted = [...written].sort(([a], [b]) => a < b ? -1 : 1);
  assertEquals(sorted, [...told].sort(([a], [b]) => a < b ? -1 : 1));
  for (const found of told.values()) assert(!found.pending, `${found.key} is pending`);
}

for (const dataPlane of [embeddedCapabilities, fullCapabilities]) {
  Deno.test(`Outputs after any edits equal those of a State that only saw the result: ${dataPlane.name}`, async () => {
    const step = fc.record({ edit: edits(certificates), isUnseen: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 15, size: "max" }),
        fc.nat(),
        async (steps, seed) => {
          const world = new EditedEngine(initialWorld(certificates), { dataPlane });
          await world.start();
          try {
            for (const { edit, isUnseen } of steps) {
              if (isUnseen) world.editUnseen(edit);
              else world.edit(edit);
              const outputs = await world.finishAll();
              assertBindable(outputs);
              assertLossesHaveWinners(world.engine.state);
              assertAllWritten(world);
              await compareWithFresh(world, dataPlane, seed);
            }
          } finally {
            await world.stop();
          }
        },
      ),
      { numRuns },
    );
  });

  Deno.test(`What is programmed is what a slow data plane serves, and all that it serves: ${dataPlane.name}`, async () => {
    const step = fc.oneof(
      { weight: 2, arbitrary: edits(certificates) },
      { weight: 1, arbitrary: fc.constant("finish" as const) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 25, size: "max" }),
        async (steps) => {
          const world = new EditedEngine(initialWorld(certificates), { dataPlane });
          await world.start();
          try {
            for (const step of steps) {
              if (step === "finish") world.dataPlane.finish();
              else world.edit(step);
              const outputs = await world.engine.settle();
              assertServed(outputs, world.dataPlane.held);
              assertRoutesServed(outputs, world.dataPlane.held);
            }
            await world.finishAll();
            await compareWithFresh(world, dataPlane, steps.length);
          } finally {
            await world.stop();
          }
        },
      ),
      { numRuns },
    );
  });
}
