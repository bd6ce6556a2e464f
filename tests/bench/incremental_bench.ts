/**
 * What one change costs among many objects, from the input in its place to the keys that are told.
 *
 * Targets: p50 of at most 0.1 ms for the path of one route among 1,000, at most twice that among
 * 10,000 and with all of them on one Gateway; other changes cost what the number of their readers
 * says; 12 KiB of heap for each route. Sizes of outputs, keys and runs of queries are asserted.
 *
 * Run: deno bench tests/bench/incremental_bench.ts, or deno run --allow-env --allow-read
 * --v8-flags=--expose-gc tests/bench/incremental_bench.ts for percentiles, other changes and memory.
 */

import { assert, assertEquals } from "@std/assert";
import { makeCertificate } from "../fakes/gateway_certificates.ts";
import { namespace, tlsSecret } from "../fakes/gateway_objects.ts";
import { type Change, grant, IncrementalWorld, type Shape } from "./incremental_world.ts";

const shapes: readonly (Shape & { readonly name: string })[] = [
  { name: "100 Gateways, 1,000 routes", gateways: 100, routesEach: 10 },
  { name: "1,000 Gateways, 10,000 routes", gateways: 1000, routesEach: 10 },
  { name: "1 Gateway, 10,000 routes", gateways: 1, routesEach: 10_000 },
];

/** The queries that a path wakes: rules, bindings, status; routes, attached routes, configuration. */
const runsOfPath = 7;

function changePath(world: IncrementalWorld): Change {
  const { key, edit } = world.nextEdit();
  const change = world.change(edit);
  const { statuses, dataPlane, certificates, gateways } = change.published.changes;
  const told = statuses.HTTPRoute;
  // A route that was told to be pending before is pending still, and nothing of it is different.
  assert(told.length <= 1 && told.every((found) => found === key), `${key}: ${told}`);
  assertEquals([statuses.Gateway, certificates, gateways, dataPlane], [[], [], [], true]);
  assertEquals(change.runs, runsOfPath);
  return change;
}

function settledWorld(shape: Shape): IncrementalWorld {
  const world = new IncrementalWorld(shape);
  world.settle();
  world.assertSizes();
  const { key, edit } = world.nextEdit();
  assertEquals(world.change(edit).published.changes.statuses.HTTPRoute.map(String), [key]);
  return world;
}

if (!import.meta.main) {
  for (const shape of shapes) {
    const world = settledWorld(shape);
    Deno.bench(`path of one route, ${shape.name}`, () => {
      changePath(world);
    });
  }
}

/** Milliseconds of a loop that is always the same, to compare figures of different machines. */
function calibrate(): number {
  const texts = Array.from({ length: 20_000 }, (_, n) => `key-${(n * 7919) % 20_000}`);
  return median(Array.from({ length: 15 }, () => {
    const start = performance.now();
    const map = new Map(texts.map((text, index) => [text, { index, text }]));
    [...map.keys()].sort();
    return performance.now() - start;
  }));
}

function median(samples: readonly number[]): number {
  return at(samples, 0.5);
}

function at(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}

function report(text: string): void {
  // deno-lint-ignore no-console -- this is the benchmark's report
  console.log(text);
}

function reportChanges(name: string, changes: readonly Change[], unit: number): number {
  const times = changes.map(({ milliseconds }) => milliseconds);
  const runs = median(changes.map(({ runs }) => runs));
  const shares = [0.5, 0.95, 0.99].map((share) => `p${100 * share} ${at(times, share).toFixed(3)}`);
  const ratio = (median(times) / unit).toFixed(4);
  report(`${name}: ms ${shares.join("  ")}; ${ratio} of the loop; ${runs} queries run`);
  return median(times);
}

/** Bytes in use after a full collection. */
function heapUsed(): number {
  const { gc } = globalThis as { readonly gc?: () => void };
  assert(gc, "run with --v8-flags=--expose-gc");
  for (let i = 0; i < 3; i++) gc();
  return Deno.memoryUsage().heapUsed;
}

function repeat(times: number, change: (index: number) => Change): readonly Change[] {
  for (let index = 0; index < times; index++) change(index);
  return Array.from({ length: times }, (_, index) => change(index));
}

/** Changes that many read: the keys are those of the readers, no more. */
async function reportReaders(unit: number): Promise<void> {
  const [one, two] = [await makeCertificate(["a.test"]), await makeCertificate(["b.test"])];
  const world = new IncrementalWorld({ gateways: 100, routesEach: 10 });
  world.putReaders(one);
  world.settle();
  const toggle = (name: string, edit: (isOdd: boolean) => void, check: (change: Change) => void) =>
    reportChanges(
      name,
      repeat(200, (index) => {
        const change = world.change(() => edit(index % 2 === 1));
        check(change);
        return change;
      }),
      unit,
    );
  toggle("label of a Namespace, 20 readers", (isOdd) => {
    world.world.put(namespace("team", { team: isOdd ? "a" : "b" }));
  }, ({ published: { changes } }) => {
    assertEquals([changes.statuses.HTTPRoute.length, changes.statuses.Gateway.length], [20, 20]);
  });
  toggle("Secret, 20 readers", (isOdd) => {
    world.world.put(tlsSecret("shared", isOdd ? one : two, { namespace: "team" }));
  }, ({ published: { changes } }) => {
    assertEquals(changes.certificates.map(String), ["team/shared"]);
    assertEquals([changes.statuses.HTTPRoute.length, changes.statuses.Gateway.length], [0, 0]);
  });
  toggle("ReferenceGrant, 20 readers", (isOdd) => {
    if (isOdd) world.world.put(grant);
    else world.world.delete("ReferenceGrant", "team/grant");
  }, ({ published: { changes } }) => {
    assertEquals([changes.statuses.HTTPRoute.length, changes.statuses.Gateway.length], [20, 0]);
  });
  toggle("address of a Gateway, 10 routes", (isOdd) => {
    world.world.address("ns-1/gw-1", [isOdd ? "10.9.9.1" : "10.9.9.2"]);
  }, ({ published: { changes } }) => {
    assertEquals(changes.gateways.map(String), ["ns-1/gw-1"]);
    // At first all of them wait for the data plane; then they do still.
    assert(changes.statuses.Gateway.length === 1 && changes.statuses.HTTPRoute.length <= 10);
  });
}

function reportForeign(unit: number): void {
  const world = settledWorld({ gateways: 100, routesEach: 10 });
  const alone = median(
    repeat(2000, () => changePath(world)).map(({ milliseconds }) => milliseconds),
  );
  const before = heapUsed();
  world.putForeign(10_000);
  const bytes = (heapUsed() - before) / 10_000;
  const among = reportChanges(
    "the same among 10,000 foreign routes",
    repeat(2000, () => changePath(world)),
    unit,
  );
  report(
    `  ${(among / alone).toFixed(2)} of the time before, ${bytes.toFixed(0)} bytes a foreign route`,
  );
}

/** Routes that are created at full speed: how long the loop is held at a time. */
function reportBurst(): void {
  const world = new IncrementalWorld({ gateways: 100, routesEach: 10 });
  world.settle();
  const slices: number[] = [];
  for (let burst = 0; burst < 100; burst++) {
    for (let n = 0; n < 10; n++) world.world.put(world.makeChurn(10 * burst + n));
    slices.push(world.computeInSlices(8));
  }
  assertEquals(world.computed.outputs.statuses.HTTPRoute.size, 2000);
  const all = new IncrementalWorld({ gateways: 100, routesEach: 10 });
  all.settle();
  for (let n = 0; n < 1000; n++) all.world.put(all.makeChurn(n));
  const longestMs = all.computeInSlices(8);
  report(
    `1,000 routes created, ten in a recompute: ms p50 ${at(slices, 0.5).toFixed(2)} ` +
      `p99 ${at(slices, 0.99).toFixed(2)}; all in one: longest slice ${longestMs.toFixed(1)}`,
  );
}

function reportChurn(): void {
  const world = new IncrementalWorld({ gateways: 10, routesEach: 1 });
  world.settle();
  const routes = Array.from({ length: 10_000 }, (_, n) => world.makeChurn(n));
  const after: number[] = [];
  for (let cycle = 0; cycle < 10; cycle++) {
    world.change(() => world.world.put(...routes));
    assertEquals(world.computed.outputs.statuses.HTTPRoute.size, 10_010);
    world.change(() => {
      for (const { metadata } of routes) {
        world.world.delete("HTTPRoute", `${metadata.namespace}/${metadata.name}`);
      }
    });
    assertEquals(world.computed.outputs.statuses.HTTPRoute.size, 10);
    after.push(heapUsed());
  }
  const [first = 0] = after;
  report(
    `heap after 10 cycles of 10,000 routes: ${
      ((after.at(-1) ?? 0) / first).toFixed(4)
    } of that after one`,
  );
}

if (import.meta.main) {
  const unit = calibrate();
  report(`calibration loop ${unit.toFixed(2)} ms`);
  for (const shape of shapes) {
    const empty = heapUsed();
    const startMs = performance.now();
    const world = new IncrementalWorld(shape);
    const builtMs = performance.now();
    const longestMs = world.computeInSlices(8);
    const computedMs = performance.now();
    world.settle();
    world.assertSizes();
    const bytes = (heapUsed() - empty) / (shape.gateways * shape.routesEach);
    report(
      `${shape.name}: ${(builtMs - startMs).toFixed(0)} ms to put in, ` +
        `${(computedMs - builtMs).toFixed(0)} ms to compute (longest slice ` +
        `${longestMs.toFixed(1)}), ${(bytes / 1024).toFixed(2)} KiB a route`,
    );
    reportChanges("  path of one route", repeat(3000, () => changePath(world)), unit);
  }
  await reportReaders(unit);
  reportForeign(unit);
  reportBurst();
  reportChurn();
}
