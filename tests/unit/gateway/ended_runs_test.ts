/**
 * Runs that are ended at any of their steps, in whatever they were at: computing, putting outputs
 * together, letting go of what is gone. What the next run tells must be what differs from what was
 * published; a change that is lost is a status that is never written.
 */

import { assert, assertEquals } from "@std/assert";
import { findWrongOutput } from "../../../src/gateway/check_outputs.ts";
import { IncrementalOutputs } from "../../../src/gateway/incremental_outputs.ts";
import { type Outputs, type StatusKind, statusKinds } from "../../../src/gateway/outputs.ts";
import { isSameStatus } from "../../../src/gateway/same_status.ts";
import { backend, gateway, gatewayClass, httpRoute, service } from "../../fakes/gateway_objects.ts";
import { GatewayWorld } from "../../fakes/gateway_world.ts";
import { playedSettings } from "../../fakes/played_gateway_world.ts";

const settings = playedSettings.full;

function always(): boolean {
  return true;
}

/** The keys of statuses that say something else in `after` than in `before`, sorted. */
function different(before: Outputs, after: Outputs, kind: StatusKind): readonly string[] {
  const [old, now] = [before.statuses[kind], after.statuses[kind]];
  return [...new Set([...old.keys(), ...now.keys()])].filter((key) => {
    const [a, b] = [old.get(key), now.get(key)];
    return a === undefined || b === undefined || !isSameStatus(a, b);
  }).sort();
}

function makeWorld() {
  const world = new GatewayWorld();
  const computed = new IncrementalOutputs(world.inputs, settings);
  world.put(gatewayClass(), gateway("gw"), gateway("old"), service("web"), service("more"));
  world.put(httpRoute("one"), httpRoute("two", { parentRefs: [{ name: "old" }] }));
  const started = computed.step();
  assert(started);
  return { world, computed, published: started.outputs };
}

/** Something comes, something changes, and a Gateway goes with its cluster and its route's entry. */
function edit(world: GatewayWorld): void {
  world.put(
    httpRoute("three", { rules: [{ backendRefs: [backend("more")] }] }),
    httpRoute("one", { rules: [{ backendRefs: [backend("none")] }] }),
  );
  world.delete("Gateway", "default/old");
  world.delete("Service", "default/web");
}

const afterwards: Readonly<Record<string, (world: GatewayWorld) => void>> = {
  "nothing else changes": () => {},
  "all is undone": (world) => {
    world.delete("HTTPRoute", "default/three");
    world.put(service("web"), gateway("old"), httpRoute("one"));
    world.put(httpRoute("two", { parentRefs: [{ name: "old" }] }));
  },
  "it goes on": (world) => {
    world.delete("HTTPRoute", "default/one");
    world.put(httpRoute("four"), gateway("third"));
  },
};

for (const [name, follow] of Object.entries(afterwards)) {
  Deno.test(`A run that is ended at any step loses nothing and tells nothing twice: ${name}`, () => {
    let endedCount = 0;
    for (let steps = 1;; steps++) {
      const { world, computed, published } = makeWorld();
      edit(world);
      let isDone = false;
      for (let step = 0; step < steps && !isDone; step++) {
        isDone = computed.step(always) !== undefined;
      }
      if (isDone) break;
      computed.cancel();
      assertEquals([computed.isRunning, computed.outputs], [false, published]);
      endedCount++;
      follow(world);
      const next = computed.step();
      assert(next);
      assertEquals(findWrongOutput(world.inputs, settings, next.outputs), undefined);
      for (const kind of statusKinds) {
        assertEquals(
          next.changes.statuses[kind].map(String).toSorted(),
          different(published, next.outputs, kind),
          `${kind}s told after a run that was ended after ${steps} steps`,
        );
      }
      assertEquals(computed.step()?.changes.statuses.HTTPRoute, []);
    }
    assert(endedCount >= 20, `a run has ${endedCount} steps`);
  });
}
