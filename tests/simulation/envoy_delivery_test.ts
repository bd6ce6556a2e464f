// Worlds that change while messages are under way, contents that Envoy refuses, connections that
// break, and processes that are killed, in any order: no route may ever point to what is not ready,
// and in the end Envoy has exactly the world, but for what it refuses. A seed that fails is printed.

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { envoyKinds } from "../../src/envoy/resources.ts";
import { EnvoyDelivery, nameCounts, variantCount } from "../fakes/envoy_delivery.ts";
import { checkSeededAsync } from "../fakes/seeded_check.ts";

type Step =
  | {
    readonly type: "edit";
    readonly kind: number;
    readonly index: number;
    readonly variant: number;
  }
  | { readonly type: "up" | "down"; readonly count: number }
  | { readonly type: "disconnect" | "connect" | "restartEnvoy" | "restartServer" }
  | { readonly type: "time"; readonly ms: number };

function steps(variants: number): fc.Arbitrary<readonly Step[]> {
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        type: fc.constant("edit"),
        kind: fc.nat(envoyKinds.length - 1),
        index: fc.nat(9),
        // The highest one stands for none.
        variant: fc.nat(variants),
      }),
    },
    { weight: 16, arbitrary: fc.record({ type: fc.constantFrom("up", "down"), count: fc.nat(5) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constantFrom("disconnect", "connect", "restartEnvoy", "restartServer"),
      }),
    },
    { weight: 2, arbitrary: fc.record({ type: fc.constant("time"), ms: fc.nat(6_000) }) },
  );
  return fc.array(step, { minLength: 1, maxLength: 80, size: "max" });
}

/** Without a time of grace only the order keeps a cluster for as long as something points to it. */
const linger = fc.constantFrom(0, 5_000);

/** What a restarted server cannot know is what Envoy's books hide: it restarts at rest then. */
async function take(delivery: EnvoyDelivery, step: Step, variants: number): Promise<void> {
  switch (step.type) {
    case "edit": {
      const kind = envoyKinds[step.kind] ?? "cluster";
      return delivery.edit(kind, step.index, step.variant === variants ? undefined : step.variant);
    }
    case "up":
      for (let index = 0; index < step.count; index++) delivery.deliverUp();
      return;
    case "down":
      for (let index = 0; index < step.count; index++) delivery.deliverDown();
      return;
    case "time":
      return await delivery.passTime(step.ms);
    case "restartServer":
      if (variants === variantCount) await delivery.rest();
      return delivery.restartServer();
    default:
      return delivery[step.type]();
  }
}

async function run(
  variants: number,
  each: readonly Step[],
  lingerMs: number,
): Promise<EnvoyDelivery> {
  const delivery = new EnvoyDelivery(lingerMs);
  for (const kind of envoyKinds) {
    for (let index = 0; index < nameCounts[kind]; index += 2) delivery.edit(kind, index, 0);
  }
  delivery.connect();
  for (const step of each) await take(delivery, step, variants);
  await delivery.rest();
  delivery.check();
  return delivery;
}

for (
  const [name, variants] of [["good", variantCount - 1], ["good and bad", variantCount]] as const
) {
  Deno.test(`Envoy comes to have every world of ${name} resources, whatever happens`, async () => {
    let stepCount = 0;
    let sentCount = 0;
    let nackCount = 0;
    const property = fc.asyncProperty(steps(variants), linger, async (list, lingerMs) => {
      const delivery = await run(variants, list, lingerMs);
      stepCount += list.length;
      sentCount += delivery.sentCount;
      nackCount += delivery.nackCount;
      // Rest is rest: time alone sends nothing.
      const before = delivery.sentCount;
      await delivery.clock.advance(600_000);
      await delivery.rest();
      assertEquals(delivery.sentCount, before);
      if (variants < variantCount) {
        delivery.restartServer();
        await delivery.rest();
        assertEquals(delivery.sentCount, before, "a restarted server sent what Envoy has");
      }
      delivery.check();
      delivery.stop();
      assertEquals(delivery.clock.pending, 0, "timers are left");
    });
    await checkSeededAsync(property, {
      name: `envoy, ${name}`,
      runs: 300,
      tally: () => `${stepCount} steps, ${sentCount} sent, ${nackCount} refused`,
    });
  });
}
