/**
 * How the engine's costs grow with the number of objects and with how they hang together: computing
 * the first time in slices, from scratch, and one change.
 *
 * Targets: 40,000 routes over 2,500 ListenerSets from scratch in at most 1.5 s and a change in at most
 * 1 ms; no slice of a first computation of 10,000 routes longer than 10 ms. Sizes of the outputs are
 * asserted. A slice is measured without the time that it waited for a core, where the system tells it.
 *
 *     deno bench tests/bench/size_sweep_bench.ts
 *     deno run -A tests/bench/size_sweep_bench.ts [RUNS]
 */

import { assertEquals } from "@std/assert";
import { RegexCache } from "../../src/dataplane/regex.ts";
import { noOutputs } from "../../src/gateway/outputs.ts";
import { recompute } from "../../src/gateway/recompute.ts";
import { controllerName } from "../fakes/gateway_objects.ts";
import { testCapabilities } from "../fakes/gateway_world.ts";
import {
  type Figure,
  type FigureSet,
  holdClock,
  isSmoke,
  percentile,
  reportFigures,
  sized,
} from "./bench_report.ts";
import { IncrementalWorld, routeCount, type Shape } from "./incremental_world.ts";

/** How long a recompute holds the event loop at a time. */
const sliceMs = 4;

interface SizedShape extends Shape {
  readonly name: string;
  /** The most that computing from scratch, a change and a slice shall take, milliseconds. */
  readonly scratchMaxMs?: number;
  readonly changeMaxMs?: number;
  readonly sliceMaxMs?: number;
}

const shapes: readonly SizedShape[] = [
  { name: "1 Gateway, 1,000 routes", gateways: 1, routesEach: 1000 },
  { name: "100 Gateways, 1,000 routes", gateways: 100, routesEach: 10 },
  { name: "the same with 4 hostnames", gateways: 100, routesEach: 10, hostnamesEach: 4 },
  { name: "the same with 4 rules", gateways: 100, routesEach: 10, rulesEach: 4 },
  { name: "1 Gateway with 64 listeners, 1,000 routes", ...all64(), routesEach: 1000 },
  { name: "100 Gateways, 5,000 routes", gateways: 100, routesEach: 50 },
  {
    ...{ name: "1,000 Gateways, 10,000 routes", gateways: 1000, routesEach: 10 },
    ...{ changeMaxMs: 1, sliceMaxMs: 10 },
  },
  {
    ...{ name: "1 Gateway, 10,000 routes", gateways: 1, routesEach: 10_000 },
    ...{ changeMaxMs: 1, sliceMaxMs: 10 },
  },
  {
    ...{ name: "2,500 ListenerSets, 40,000 routes", gateways: 50, setsEach: 50, routesEach: 16 },
    ...{ scratchMaxMs: 1500, changeMaxMs: 1 },
  },
  { name: "100 Gateways, 50,000 routes", gateways: 100, routesEach: 500 },
];

/** Every route is taken by every listener. */
function all64(): Omit<Shape, "routesEach"> {
  return { gateways: 1, listenersEach: 64 };
}

/** As small as it can be with the same parts. */
function shrink(shape: SizedShape): SizedShape {
  return {
    ...shape,
    gateways: Math.min(2, shape.gateways),
    routesEach: Math.min(3, shape.routesEach),
    ...(shape.setsEach === undefined ? {} : { setsEach: 2 }),
    ...(shape.listenersEach === undefined ? {} : { listenersEach: 3 }),
  };
}

function measureShape(shape: SizedShape): readonly Figure[] {
  const { name } = shape;
  const hold = holdClock();
  const world = new IncrementalWorld(shape);
  const startMs = performance.now();
  const slices = world.computeInSlices(sliceMs, hold.now);
  const firstMs = performance.now() - startMs;
  world.settle();
  world.assertSizes();
  return [
    { name: `${name}, first computation`, value: firstMs, unit: "ms" },
    {
      name: `${name}, its longest slice`,
      value: Math.max(...slices),
      unit: `ms ${hold.name}`,
      ...(shape.sliceMaxMs === undefined ? {} : { target: shape.sliceMaxMs }),
      note: `${slices.length} slices`,
    },
    fromScratch(world, shape),
    oneChange(world, shape),
  ];
}

/** Without anything remembered, the outputs before included. */
function fromScratch(
  world: IncrementalWorld,
  { name, scratchMaxMs, ...shape }: SizedShape,
): Figure {
  const settings = { controllerName, dataPlane: testCapabilities, regexes: new RegexCache() };
  const times: number[] = [];
  for (let run = 0; run < 3; run++) {
    const startMs = performance.now();
    const { outputs } = recompute(world.world.inputs, settings, noOutputs);
    times.push(performance.now() - startMs);
    assertEquals(outputs.statuses.HTTPRoute.size, routeCount(shape));
  }
  return {
    name: `${name}, from scratch`,
    value: percentile(times, 0.5),
    unit: "ms",
    ...(scratchMaxMs === undefined ? {} : { target: scratchMaxMs }),
  };
}

function oneChange(world: IncrementalWorld, { name, changeMaxMs }: SizedShape): Figure {
  const times: number[] = [];
  for (let count = 0; count < sized(600, 4); count++) {
    const { key, edit } = world.nextEdit();
    const { keys, milliseconds } = world.change(edit);
    const told = Object.values(keys).flat().map(String);
    assertEquals(told, told.length === 0 ? [] : [key]);
    times.push(milliseconds);
  }
  return {
    name: `${name}, one path, p50`,
    value: percentile(times.slice(times.length / 2), 0.5),
    unit: "ms",
    ...(changeMaxMs === undefined ? {} : { target: changeMaxMs }),
  };
}

const sets = shapes.map((shape): FigureSet => ({
  name: `size: ${shape.name}`,
  measure: () => measureShape(isSmoke ? shrink(shape) : shape),
}));

await reportFigures(import.meta.main, sets);
