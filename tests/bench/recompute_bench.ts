/**
 * B0: a full recompute with its diff at 100 Gateways and 1,000 routes, nothing changed.
 *
 * The shape is the one that is published for a Go implementation (about 6.7 ms), with a class,
 * Service ports and backend ports, without which nothing would be computed at all. Sizes are
 * asserted before anything is measured. Target: p50 <= 4 ms.
 *
 * Run: deno bench tests/bench/recompute_bench.ts, or deno run tests/bench/recompute_bench.ts for
 * percentiles.
 */

import { assertEquals } from "@std/assert";
import { RegexCache } from "../../src/dataplane/regex.ts";
import type { ComputeSettings } from "../../src/gateway/compute/input_view.ts";
import { byStatusKind, noOutputs, type Outputs } from "../../src/gateway/outputs.ts";
import { recompute } from "../../src/gateway/recompute.ts";
import {
  backend,
  controllerName,
  gateway,
  gatewayClass,
  httpRoute,
  listener,
  service,
} from "../fakes/gateway_objects.ts";
import { GatewayWorld, testCapabilities } from "../fakes/gateway_world.ts";

const settings: ComputeSettings = {
  controllerName,
  dataPlane: testCapabilities,
  regexes: new RegexCache(),
};

/** `gatewayCount` Gateways in 10 namespaces with `routesEach` routes each. */
function makeWorld(gatewayCount: number, routesEach: number): GatewayWorld {
  const world = new GatewayWorld();
  world.put(gatewayClass());
  for (let g = 0; g < gatewayCount; g++) {
    const namespace = `ns-${g % 10}`;
    world.put(gateway(`gw-${g}`, [listener("http")], {}, { namespace }));
    world.address(`${namespace}/gw-${g}`, [`192.0.${2 + Math.floor(g / 250)}.${g % 250}`]);
    world.put(service(`svc-${g}`, {}, { namespace }));
    for (let r = 0; r < routesEach; r++) {
      world.put(httpRoute(`route-${g}-${r}`, {
        parentRefs: [{ name: `gw-${g}`, namespace }],
        rules: [{
          matches: [{ path: { type: "PathPrefix", value: `/v${r}` } }],
          backendRefs: [backend(`svc-${g}`)],
        }],
      }, { namespace }));
    }
  }
  return world;
}

function acknowledgeAll(world: GatewayWorld, outputs: Outputs): void {
  for (const [key, config] of outputs.dataPlane.gateways) {
    const [namespace = "", name = ""] = key.split("/");
    const found = world.inputs.keys("Gateway").find((input) => input === `${namespace}/${name}`);
    if (!found) continue;
    world.inputs.setAcknowledgement(found, { gateway: key, config, listeners: [], refusals: [] });
  }
}

function assertSizes(outputs: Outputs, gatewayCount: number, routesEach: number): void {
  assertEquals(outputs.statuses.Gateway.size, gatewayCount);
  assertEquals(outputs.statuses.HTTPRoute.size, gatewayCount * routesEach);
  assertEquals(outputs.dataPlane.gateways.size, gatewayCount);
  assertEquals(outputs.dataPlane.clusters.size, gatewayCount);
  let acceptedCount = 0;
  for (const { body } of outputs.statuses.HTTPRoute.values()) {
    if (body.shape !== "parents") continue;
    const conditions = body.parents.flatMap((parent) => parent.conditions);
    if (conditions.some(({ type, status }) => type === "Accepted" && status === "True")) {
      acceptedCount++;
    }
  }
  assertEquals(acceptedCount, gatewayCount * routesEach);
  let listenerCount = 0;
  for (const { body } of outputs.statuses.Gateway.values()) {
    if (body.shape !== "conditions") continue;
    for (const { attachedRoutes } of body.listeners ?? []) {
      assertEquals(attachedRoutes, routesEach);
      listenerCount++;
    }
  }
  assertEquals(listenerCount, gatewayCount);
}

/** Two passes: the second one sees the acknowledgements of the first. */
function settle(world: GatewayWorld): Outputs {
  const first = recompute(world.inputs, settings, noOutputs).outputs;
  acknowledgeAll(world, first);
  return recompute(world.inputs, settings, first).outputs;
}

const world = makeWorld(100, 10);
const settled = settle(world);
assertSizes(settled, 100, 10);
const repeated = recompute(world.inputs, settings, settled).changes;
assertEquals(repeated.statuses, byStatusKind(() => []));
assertEquals(repeated.dataPlane, false);

Deno.bench("recompute and diff, 100 Gateways, 1,000 HTTPRoutes", () => {
  recompute(world.inputs, settings, settled);
});

function percentile(sorted: readonly number[], share: number): string {
  return (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2);
}

if (import.meta.main) {
  for (let i = 0; i < 50; i++) recompute(world.inputs, settings, settled);
  const samples: number[] = [];
  for (let i = 0; i < 300; i++) {
    const start = performance.now();
    recompute(world.inputs, settings, settled);
    samples.push(performance.now() - start);
  }
  samples.sort((a, b) => a - b);
  const text = [0, 0.5, 0.95, 0.99].map((share) => `p${share * 100} ${percentile(samples, share)}`);
  // deno-lint-ignore no-console -- this is the benchmark's report
  console.log(`recompute 100/1000, ms: ${text.join("  ")}`);
}
