/**
 * B0: a full recompute with its diff at 100 Gateways and 1,000 routes, nothing changed.
 *
 * The shape is the one that is published for a Go implementation (about 6.7 ms), with a class,
 * Service ports and backend ports, without which nothing would be computed at all. Sizes are
 * asserted before anything is measured. Target: p50 <= 4 ms.
 *
 *     deno bench tests/bench/recompute_bench.ts
 *     deno run -A tests/bench/recompute_bench.ts [RUNS]
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
import { describeTail, type FigureSet, percentile, reportFigures, sized } from "./bench_report.ts";

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

const full: FigureSet = {
  name: "recompute from scratch",
  measure() {
    const count = sized(300, 3);
    for (let i = 0; i < count / 4; i++) recompute(world.inputs, settings, settled);
    const before = Deno.memoryUsage().heapUsed;
    recompute(world.inputs, settings, settled);
    const allocated = Deno.memoryUsage().heapUsed - before;
    const samples: number[] = [];
    for (let i = 0; i < count; i++) {
      const start = performance.now();
      const { changes } = recompute(world.inputs, settings, settled);
      samples.push(performance.now() - start);
      if (changes.dataPlane) throw new Error("nothing changed, so nothing is told");
    }
    const memory = allocated > 0 ? `, ${(allocated / 1e6).toFixed(1)} MB allocated` : "";
    return [{
      name: "recompute and diff, 100 Gateways, 1,000 routes, p50",
      value: percentile(samples, 0.5),
      unit: "ms",
      target: 4,
      note: `least ${Math.min(...samples).toFixed(2)}, ${describeTail(samples)}${memory}`,
    }];
  },
};

await reportFigures(import.meta.main, [full]);
