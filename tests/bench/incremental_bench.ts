/**
 * What one change costs among many objects: from the input in its place to the keys that wait for
 * writers, computing only.
 *
 * Targets: p50 of at most 0.1 ms and 12 queries for the path of one route among 1,000; at most twice
 * that, and 1 ms, among 10,000 and with all of them on one Gateway; at most 5 % more among foreign
 * routes. Other changes cost what the number of their readers says. Sizes of outputs, keys and runs
 * of queries are asserted.
 *
 *     deno bench tests/bench/incremental_bench.ts
 *     deno run -A tests/bench/incremental_bench.ts [RUNS]
 */

import { assert, assertEquals } from "@std/assert";
import { makeCertificate, type TestCertificate } from "../fakes/gateway_certificates.ts";
import { gateway, httpsListener, namespace, tlsSecret } from "../fakes/gateway_objects.ts";
import {
  calibrate,
  describeTail,
  type Figure,
  type FigureSet,
  isSmoke,
  percentile,
  reportFigures,
  sized,
} from "./bench_report.ts";
import { type Change, grant, IncrementalWorld, type Shape } from "./incremental_world.ts";

const shapes: readonly (Shape & { readonly name: string; readonly targetMs: number })[] = [
  { name: "100 Gateways, 1,000 routes", gateways: 100, routesEach: 10, targetMs: 0.1 },
  { name: "1,000 Gateways, 10,000 routes", gateways: 1000, routesEach: 10, targetMs: 1 },
  { name: "1 Gateway, 10,000 routes", gateways: 1, routesEach: 10_000, targetMs: 1 },
].map((shape) => isSmoke ? { ...shape, gateways: 1, routesEach: 20 } : shape);

/** Rules, bindings, status; routes of the parent, their number, shadows, configuration. */
const runsOfPath = 7;

/** What figures are divided by to be compared with those of another machine. */
const unitMs = calibrate();

function changePath(world: IncrementalWorld): Change {
  const { key, edit } = world.nextEdit();
  const change = world.change(edit);
  const { dataPlane, certificates, gateways } = change.published.changes;
  const { HTTPRoute: told, ...others } = change.keys;
  // A route that was told to be pending before is pending still, and nothing of it is different.
  assert(told.length <= 1 && told.every((found) => found === key), `${key}: ${told}`);
  assertEquals([Object.values(others).flat(), certificates, gateways, dataPlane], [
    [],
    [],
    [],
    true,
  ]);
  assertEquals(change.runs, runsOfPath);
  return change;
}

function settledWorld(shape: Shape): IncrementalWorld {
  const world = new IncrementalWorld(shape);
  world.settle();
  world.assertSizes();
  const { key, edit } = world.nextEdit();
  assertEquals(world.change(edit).keys.HTTPRoute.map(String), [key]);
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

/** The second half of `2 * count` changes: the first one compiles the code. */
function repeat(count: number, change: (index: number) => Change): readonly Change[] {
  for (let index = 0; index < count; index++) change(index);
  return Array.from({ length: count }, (_, index) => change(index));
}

function figureOf(name: string, changes: readonly Change[], target?: number): Figure {
  const times = changes.map(({ milliseconds }) => milliseconds);
  const value = percentile(times, 0.5);
  const runs = percentile(changes.map(({ runs }) => runs), 0.5);
  const ratio = (value / unitMs).toFixed(4);
  return {
    name: `${name}, p50`,
    value,
    unit: "ms",
    ...(target === undefined ? {} : { target }),
    note: `${describeTail(times)}, ${runs} queries, ${ratio} of the loop`,
  };
}

const paths: FigureSet = {
  name: "paths of routes, among 1,000 and 10,000",
  measure() {
    const figures = shapes.map((shape) => {
      const world = settledWorld(shape);
      const changes = repeat(sized(3000, 10), () => changePath(world));
      return figureOf(`path of a route, ${shape.name}`, changes, shape.targetMs);
    });
    const [first, ...larger] = figures;
    const ratios = larger.map(({ name, value }): Figure => ({
      name: `${name}, of that among 1,000`,
      value: value / (first?.value ?? NaN),
      unit: "times",
      target: 2,
    }));
    return [...figures, ...ratios];
  },
};

/** Changes that many read: the keys are those of the readers, no more. */
function toggle(
  world: IncrementalWorld,
  name: string,
  edit: (isOdd: boolean) => void,
  check: (change: Change) => void,
  target?: number,
): Figure {
  const changes = repeat(sized(200, 4), (index) => {
    const change = world.change(() => edit(index % 2 === 1));
    check(change);
    return change;
  });
  return figureOf(name, changes, target);
}

const readers: FigureSet = {
  name: "changes that 20 read",
  async measure() {
    const [one, two] = [await makeCertificate(["a.test"]), await makeCertificate(["b.test"])];
    const world = new IncrementalWorld({ gateways: sized(100, 2), routesEach: 10 });
    world.putReaders(one);
    world.settle();
    const { world: objects } = world;
    return [
      toggle(world, "label of a Namespace, 20 routes and Gateways", (isOdd) => {
        objects.put(namespace("team", { team: isOdd ? "a" : "b" }));
      }, ({ keys }) => assertEquals([keys.HTTPRoute.length, keys.Gateway.length], [20, 20])),
      toggle(world, "Secret, 20 Gateways", (isOdd) => {
        objects.put(tlsSecret("shared", isOdd ? one : two, { namespace: "team" }));
      }, ({ keys, published: { changes } }) => {
        assertEquals(changes.certificates.map(String), ["team/shared"]);
        assertEquals([keys.HTTPRoute.length, keys.Gateway.length], [0, 0]);
      }),
      toggle(world, "ReferenceGrant, 20 routes", (isOdd) => {
        if (isOdd) objects.put(grant);
        else objects.delete("ReferenceGrant", "team/grant");
      }, ({ keys }) => assertEquals([keys.HTTPRoute.length, keys.Gateway.length], [20, 0])),
      toggle(world, "address of a Gateway, 10 routes", (isOdd) => {
        objects.address("ns-1/gw-1", [isOdd ? "10.9.9.1" : "10.9.9.2"]);
      }, ({ keys, published: { changes } }) => {
        assertEquals(changes.gateways.map(String), ["ns-1/gw-1"]);
        // At first all of them wait for the data plane; then they do still.
        assert(keys.Gateway.length === 1 && keys.HTTPRoute.length <= 10);
      }),
    ];
  },
};

/** What the number of objects around must not matter for. */
const neighbours: FigureSet = {
  name: "changes beside many that do not read them",
  async measure() {
    const certificates = [await makeCertificate(["a.test"]), await makeCertificate(["a.test"])];
    return [...sharedAddress(), renewal(certificates)];
  },
};

function sharedAddress(): readonly Figure[] {
  return [sized(100, 2), sized(1000, 4)].map((gateways) => {
    const world = settledWorld({ gateways, routesEach: 10, sharesAddress: true });
    let count = 0;
    const changes = repeat(sized(100, 3), () => {
      const change = world.change(() => world.putGateway(0, `x${count++}.example.com`));
      assert(change.keys.Gateway.length <= 1 && change.keys.HTTPRoute.length <= 10);
      return change;
    });
    return figureOf(`listener of one of ${gateways} Gateways at one address`, changes);
  });
}

function renewal(certificates: readonly TestCertificate[]): Figure {
  const world = new IncrementalWorld({ gateways: 1, routesEach: sized(10_000, 20) });
  const put = (index: number): void => {
    const certificate = certificates[index % 2];
    if (certificate) world.world.put(tlsSecret("cert", certificate, { namespace: "ns-0" }));
  };
  put(0);
  world.world.put(gateway("gw-0", [httpsListener("https", ["cert"])], {}, { namespace: "ns-0" }));
  world.settle();
  world.assertSizes();
  let count = 0;
  const changes = repeat(sized(100, 3), () => {
    const change = world.change(() => put(++count));
    assertEquals(Object.values(change.keys).flat(), []);
    assertEquals(change.published.changes.certificates.map(String), ["ns-0/cert"]);
    return change;
  });
  return figureOf("renewed certificate of a Gateway with 10,000 routes", changes, 0.1);
}

const foreign: FigureSet = {
  name: "path of a route among ten times as many foreign ones",
  measure() {
    const world = settledWorld({ gateways: sized(100, 2), routesEach: 10 });
    const measure = () =>
      percentile(
        repeat(sized(3000, 5), () => changePath(world)).map(({ milliseconds }) => milliseconds),
        0.5,
      );
    const alone = measure();
    world.putForeign(sized(10_000, 20));
    const among = measure();
    return [{
      name: "path of a route among 10,000 foreign ones, of that without them",
      value: among / alone,
      unit: "times",
      target: 1.05,
      note: `p50 ${among.toFixed(4)} ms`,
    }];
  },
};

await reportFigures(import.meta.main, [paths, readers, neighbours, foreign]);
