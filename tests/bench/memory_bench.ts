/**
 * What the engine holds in memory: for each route with its inputs, memos and outputs; for each foreign
 * route; and after thousands came and went.
 *
 * Targets: 12 KiB for each HTTPRoute; of a foreign route no more than its key and the places of it;
 * after ten cycles of 10,000 routes within 2 % of what there was after the first. Needs the collector:
 *
 *     deno task bench --filter memory
 *     deno run -A --v8-flags=--expose-gc tests/bench/memory_bench.ts [RUNS]
 */

import { assertEquals } from "@std/assert";
import { InputDoor } from "../../src/gateway/input_door.ts";
import { Inputs } from "../../src/gateway/inputs.ts";
import { keyOf, type KubeObject } from "../../src/kube/object.ts";
import { controllerName, gateway, gatewayClass, httpRoute } from "../fakes/gateway_objects.ts";
import { decoded } from "../fakes/gateway_world.ts";
import { type Figure, type FigureSet, heapUsed, reportFigures, sized } from "./bench_report.ts";
import { IncrementalWorld, routeCount, type Shape } from "./incremental_world.ts";

const shapes: readonly (Shape & { readonly name: string })[] = [
  { name: "1,000 on 100 Gateways", gateways: sized(100, 2), routesEach: 10 },
  { name: "10,000 on 1,000 Gateways", gateways: sized(1000, 2), routesEach: 10 },
  { name: "10,000 on 1 Gateway", gateways: 1, routesEach: sized(10_000, 20) },
];

const routes: FigureSet = {
  name: "memory of a route",
  measure: () =>
    shapes.map((shape): Figure => {
      // Compiled code and the first world are no part of what a route weighs.
      new IncrementalWorld({ gateways: 2, routesEach: 10 }).settle();
      const before = heapUsed();
      const world = new IncrementalWorld(shape);
      world.settle();
      const bytes = heapUsed() - before;
      world.assertSizes();
      return {
        name: `heap of a route, ${shape.name}`,
        value: bytes / routeCount(shape) / 1024,
        unit: "KiB",
        target: 12,
      };
    }),
};

/** The door alone: what the source keeps of an object is its own affair. */
const foreign: FigureSet = {
  name: "memory of a foreign route",
  measure() {
    const inputs = new Inputs();
    const door = new InputDoor(inputs, { controllerName }, { get: () => undefined });
    door.upsert(
      "GatewayClass",
      decoded(
        "GatewayClass",
        gatewayClass("foreign", { controllerName: "other.example/controller" }),
      ),
    );
    door.upsert(
      "Gateway",
      decoded("Gateway", gateway("foreign", undefined, { gatewayClassName: "foreign" })),
    );
    const count = sized(10_000, 20);
    const put = (n: number): void => {
      const route = httpRoute(`foreign-${n}`, { parentRefs: [{ name: "foreign" }] });
      door.upsert("HTTPRoute", decoded("HTTPRoute", route));
    };
    put(0);
    const before = heapUsed();
    for (let n = 1; n <= count; n++) put(n);
    const bytes = heapUsed() - before;
    assertEquals([inputs.count("HTTPRoute"), inputs.revision], [0, 0]);
    return [{ name: "heap of a foreign route", value: bytes / count, unit: "bytes" }];
  },
};

const cycles: FigureSet = {
  name: "memory after routes came and went",
  measure() {
    const world = new IncrementalWorld({ gateways: 10, routesEach: 1 });
    world.settle();
    // What is compiled on the way is no part of it, and there is more of it than of what is left.
    for (let cycle = 0; cycle < sized(20, 1); cycle++) cycleOf(world, makeChurn(world, 500));
    const count = sized(10_000, 20);
    const churn = makeChurn(world, count);
    const after: number[] = [];
    for (let cycle = 0; cycle < 10; cycle++) {
      cycleOf(world, churn);
      after.push(heapUsed());
    }
    const [first = NaN] = after;
    return [{
      name: "heap after 10 cycles of 10,000 routes, of that after the first",
      value: (after.at(-1) ?? NaN) / first,
      unit: "times",
      target: 1.02,
    }];
  },
};

function makeChurn(world: IncrementalWorld, count: number): readonly KubeObject[] {
  return Array.from({ length: count }, (_, n) => world.makeChurn(n));
}

/** All of `churn` come and are computed, go and are forgotten. */
function cycleOf(world: IncrementalWorld, churn: readonly KubeObject[]): void {
  world.change(() => world.world.put(...churn));
  assertEquals(world.computed.outputs.statuses.HTTPRoute.size, churn.length + 10);
  world.change(() => {
    for (const route of churn) world.world.delete("HTTPRoute", keyOf(route));
  });
  assertEquals(world.computed.outputs.statuses.HTTPRoute.size, 10);
}

await reportFigures(import.meta.main, [routes, foreign, cycles]);
