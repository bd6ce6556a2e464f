/**
 * The engine as a whole: how it starts with 10,000 routes, what creating 1,000 at full speed does to
 * the event loop, and what a steady trickle of changes costs.
 *
 * Targets: each status that is needed is written once at the start and no other; an event that comes
 * while routes are created waits for the loop at most 10 ms in 99 of 100 cases; no conflict. The data
 * plane says yes to everything. What the thread waits for a core is left out, where the system tells it.
 *
 *     deno task bench --filter engine
 *     deno run -A --v8-flags=--expose-gc tests/bench/engine_bench.ts [RUNS]
 */

import { assertEquals } from "@std/assert";
import { AssumedDataPlane } from "../../src/app/assumed_data_plane.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { keyOf } from "../../src/kube/object.ts";
import { endpointSlice, gateway, gatewayClass, service } from "../fakes/gateway_objects.ts";
import { backend, httpRoute, listener } from "../fakes/gateway_objects.ts";
import { openAdmission } from "../fakes/open_admission.ts";
import {
  type Figure,
  type FigureSet,
  heapUsed,
  holdClock,
  percentile,
  reportFigures,
  sized,
} from "./bench_report.ts";
import {
  benchConfig,
  CountingCluster,
  EngineWorld,
  LoopProbe,
  nextTurn,
  until,
} from "./engine_world.ts";

/** Room for as many addresses as there are Gateways. */
const config = benchConfig("--gateway-addresses=10.0.0.0/16");

function namespaceOf(g: number): string {
  return `ns-${g % 10}`;
}

function route(g: number, name: string, path: string): KubeObject {
  const namespace = namespaceOf(g);
  return httpRoute(name, {
    parentRefs: [{ name: `gw-${g}`, namespace }],
    rules: [{
      matches: [{ path: { type: "PathPrefix", value: path } }],
      backendRefs: [backend(`svc-${g}`)],
    }],
  }, { namespace });
}

/** A cluster with so many Gateways, a Service and so many routes for each. */
function filledCluster(gateways: number, routesEach: number): CountingCluster {
  const cluster = new CountingCluster(openAdmission);
  cluster.put(gatewayClass());
  for (let g = 0; g < gateways; g++) {
    const namespace = namespaceOf(g);
    cluster.put(gateway(`gw-${g}`, [listener("http")], {}, { namespace }));
    cluster.put(service(`svc-${g}`, {}, { namespace }));
    for (let r = 0; r < routesEach; r++) cluster.put(route(g, `route-${g}-${r}`, `/v${r}`));
  }
  return cluster;
}

async function start(name: string, gateways: number, routesEach: number): Promise<Figure[]> {
  const cluster = filledCluster(gateways, routesEach);
  // The class, the Gateways and the routes.
  const needed = 1 + gateways + gateways * routesEach;
  const probe = new LoopProbe(holdClock());
  const startMs = performance.now();
  await using world = new EngineWorld(cluster, new AssumedDataPlane("embedded"), config);
  await until(() => cluster.written.size >= needed, "every status");
  const doneMs = performance.now();
  // A status that is written again comes soon.
  await nextTurn(300);
  const holds = probe.stop();
  assertEquals(cluster.written.size, needed);
  assertEquals(world.mount.engine.state.outputs.statuses.HTTPRoute.size, gateways * routesEach);
  const { count, most } = cluster.writes;
  const [firstMs = NaN] = world.commitsMs;
  return [
    { name: `start, ${name}: first publication`, value: firstMs - startMs, unit: "ms" },
    {
      name: `start, ${name}: all statuses written`,
      value: doneMs - startMs,
      unit: "ms",
      note: `${world.commitsMs.length} publications`,
    },
    {
      name: `start, ${name}: writes for each object that needs one`,
      value: count / needed,
      unit: "writes",
      target: 1,
    },
    { name: `start, ${name}: most writes of one object`, value: most, unit: "writes", target: 1 },
    {
      name: `start, ${name}: longest turn of the loop`,
      value: holds.longest,
      unit: `ms ${holdClock().name}`,
      note: `an event waits p95 ${holds.waitOf(0.95).toFixed(1)}`,
    },
  ];
}

const starts: FigureSet = {
  name: "engine: start",
  measure: async () => [
    ...await start("10,000 routes on 1,000 Gateways", sized(1000, 3), 10),
    ...await start("10,000 routes on 1 Gateway", 1, sized(10_000, 30)),
  ],
};

/** Routes that are created as fast as the loop takes them, ten in a turn. */
const burst: FigureSet = {
  name: "engine: 1,000 routes created at full speed",
  async measure() {
    const gateways = sized(100, 3);
    const cluster = filledCluster(gateways, 10);
    await using world = new EngineWorld(cluster, new AssumedDataPlane("embedded"), config);
    await until(() => cluster.written.size === 1 + gateways * 11, "the start");
    await nextTurn(300);
    cluster.written.clear();
    world.commitsMs.length = 0;
    const hold = holdClock();
    const probe = new LoopProbe(hold);
    const createdMs = new Map<string, number>();
    const startMs = performance.now();
    const count = sized(1000, 20);
    for (let n = 0; n < count; n++) {
      const created = route(n % gateways, `new-${n}`, `/new-${n}`);
      createdMs.set(`HTTPRoute ${keyOf(created)}`, performance.now());
      cluster.put(created);
      if (n % 10 === 9) await nextTurn();
    }
    const isWritten = (name: string) => cluster.written.has(name);
    await until(() => [...createdMs.keys()].every(isWritten), "the statuses of new routes");
    const endMs = performance.now();
    await nextTurn(200);
    const holds = probe.stop();
    const staleness = [...createdMs].map(([name, ms]) =>
      (cluster.written.get(name)?.firstMs ?? NaN) - ms
    );
    const publications = world.commitsMs.filter((ms) => ms <= endMs);
    const writes = [...createdMs.keys()].map((name) => cluster.written.get(name)?.count ?? 0);
    return [
      {
        name: "burst: what an event waits for the loop, p99",
        value: holds.waitOf(0.99),
        unit: `ms ${hold.name}`,
        target: 10,
        note: `p50 ${holds.waitOf(0.5).toFixed(1)}, longest turn ${holds.longest.toFixed(1)}`,
      },
      {
        name: "burst: from the first creation to the last status",
        value: endMs - startMs,
        unit: "ms",
        note: `${(1000 * publications.length / (endMs - startMs)).toFixed(0)} recomputes a second`,
      },
      {
        name: "burst: from a creation to its first status, p95",
        value: percentile(staleness, 0.95),
        unit: "ms",
        note: `longest ${Math.max(...staleness).toFixed(0)}`,
      },
      {
        name: "burst: writes of a new route's status",
        value: writes.reduce((sum, own) => sum + own, 0) / count,
        unit: "writes",
        target: 1,
      },
      { name: "burst: conflicts", value: cluster.conflictCount, unit: "writes", target: 0 },
    ];
  },
};

/** Ten times as often as people and pods would: a path every 100 ms, endpoints every 200 ms. */
const trickle: FigureSet = {
  name: "engine: a trickle of changes",
  async measure() {
    const gateways = sized(100, 3);
    const cluster = filledCluster(gateways, 10);
    await using world = new EngineWorld(cluster, new AssumedDataPlane("embedded"), config);
    await until(() => cluster.written.size === 1 + gateways * 11, "the start");
    const change = (n: number): void => {
      const g = n % gateways;
      cluster.put(route(g, `route-${g}-0`, `/changed-${n}`));
      if (n % 2 === 0) return;
      const meta = { namespace: namespaceOf(g) };
      cluster.put(endpointSlice(`slice-${g}`, `svc-${g}`, [`10.1.0.${n % 250}`], {}, {
        ...meta,
        labels: { "kubernetes.io/service-name": `svc-${g}` },
      }));
    };
    // Every object has changed once, and what changes is compiled.
    for (let n = 0; n < 2 * gateways; n++) change(n);
    await nextTurn(sized(1000, 200));
    cluster.written.clear();
    world.commitsMs.length = 0;
    const before = heapUsed();
    const hold = holdClock();
    const probe = new LoopProbe(hold);
    const count = sized(60, 4);
    for (let n = 0; n < count; n++) {
      change(n + 1);
      await nextTurn(100);
    }
    await nextTurn(300);
    const holds = probe.stop();
    const grown = heapUsed() - before;
    return [
      {
        name: "trickle: what an event waits for the loop, p99",
        value: holds.waitOf(0.99),
        unit: `ms ${hold.name}`,
        target: 10,
        note: `longest turn ${holds.longest.toFixed(1)}`,
      },
      {
        name: "trickle: writes for each change of a route",
        value: cluster.writes.count / count,
        unit: "writes",
        note: `${world.commitsMs.length} publications`,
      },
      { name: "trickle: heap after it, of that before", value: 1 + grown / before, unit: "times" },
    ];
  },
};

await reportFigures(import.meta.main, [starts, burst, trickle]);
