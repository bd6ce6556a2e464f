/** What a person is told who asks why: the reads, and the change that made the value what it is. */

import { assertEquals } from "@std/assert";
import { Database } from "../../../src/query/database.ts";
import { traceInputs, traceOf } from "../../../src/query/explain.ts";
import { Fold } from "../../../src/query/fold.ts";
import { InputSets } from "../../../src/query/input_sets.ts";
import { InputTable, type Slice } from "../../../src/query/input_table.ts";
import { Query } from "../../../src/query/query.ts";

interface Route {
  readonly hostname: string;
  readonly path: string;
}

const hostnameOf: Slice<Route, string> = {
  name: "spec.hostname",
  index: 0,
  read: ({ hostname }) => hostname,
};
const pathOf: Slice<Route, string> = { name: "spec.path", index: 1, read: ({ path }) => path };

class World {
  readonly database = new Database();
  readonly routes = new InputTable<string, Route>(this.database, "routes", [hostnameOf, pathOf]);
  readonly sets = new InputSets<string, string>(this.database, "routesOfGateway");

  put(key: string, route: Route, atMs: number): void {
    this.database.transaction(atMs, () => this.routes.set(key, route));
  }

  readonly length = new Query<string, number>(this.database, {
    name: "pathLength",
    compute: (key) => this.routes.read(pathOf, key)?.length ?? -1,
  });
  readonly status = new Query<string, string>(this.database, {
    name: "status",
    compute: (key) => `${this.routes.read(hostnameOf, key)} ${this.length.get(key)}`,
  });
  readonly total = new Fold<string, string, number, { sum: number }, number>(this.database, {
    name: "total",
    members: this.sets,
    parts: this.length,
    start: () => ({ sum: 0 }),
    update: (state, changes) => {
      for (const { before = 0, after = 0 } of changes) state.sum += after - before;
      return state.sum;
    },
  });
}

Deno.test("traceOf() names every read, and the change that last altered the value", () => {
  const world = new World();
  world.put("r", { hostname: "a", path: "/x" }, 1000);
  world.status.get("r");
  world.put("r", { hostname: "a", path: "/xyz" }, 2000);
  world.status.get("r");
  // Altered nothing: the path is another one of the same length.
  world.put("r", { hostname: "a", path: "/abc" }, 3000);
  world.status.get("r");
  const created = {
    input: "routes",
    key: "r",
    slices: ["spec.hostname", "spec.path"],
    revision: 1,
    atMs: 1000,
  };
  const lengthened = { ...created, slices: ["spec.path"], revision: 2, atMs: 2000 };
  assertEquals(traceOf(world.status, "r"), {
    query: "status",
    key: "r",
    changedAt: 2,
    cause: lengthened,
    reads: [
      {
        kind: "input",
        input: "routes",
        key: "r",
        slice: "spec.hostname",
        changedAt: 1,
        cause: created,
      },
      { kind: "query", query: "pathLength", key: "r", changedAt: 2, cause: lengthened },
    ],
  });
  const found = traceInputs(world.status, "r", 10);
  assertEquals(found.isCut, false);
  assertEquals(
    found.inputs.map(({ slice, cause }) => [slice, cause.atMs]),
    [["spec.path", 3000], ["spec.hostname", 1000]],
  );
});

Deno.test("traceOf() tells of an absence, and that its arrival was the cause", () => {
  const world = new World();
  world.status.get("gone");
  assertEquals(
    traceOf(world.status, "gone")?.reads.map(({ changedAt, cause }) => [changedAt, cause.revision]),
    [[0, 0], [0, 0]],
  );
  world.put("gone", { hostname: "a", path: "/" }, 5);
  world.status.get("gone");
  assertEquals(traceOf(world.status, "gone")?.cause.atMs, 5);
  world.database.transaction(6, () => world.routes.delete("gone"));
  world.status.get("gone");
  assertEquals(traceOf(world.status, "gone")?.cause.atMs, 6);
});

Deno.test("traceOf() of a fold names its set and its members; the cause is what was told", () => {
  const world = new World();
  for (const [index, key] of ["r1", "r2"].entries()) {
    world.put(key, { hostname: "a", path: "/" }, index);
    world.sets.set(key, ["gw"]);
  }
  world.total.get("gw");
  world.put("r1", { hostname: "a", path: "/long" }, 7);
  world.total.get("gw");
  const trace = traceOf(world.total, "gw");
  assertEquals(trace?.cause.atMs, 7);
  assertEquals(
    trace?.reads.map((read) => `${read.kind === "input" ? read.input : read.query} ${read.key}`),
    ["routesOfGateway gw", "pathLength r1", "pathLength r2"],
  );
  world.database.transaction(9, () => world.sets.set("r2", []));
  world.total.get("gw");
  assertEquals(traceOf(world.total, "gw")?.cause, {
    input: "routesOfGateway",
    key: "gw",
    slices: ["members"],
    revision: 6,
    atMs: 9,
  });
});

Deno.test("traceInputs() says when there is more than was asked for", () => {
  const world = new World();
  for (const key of ["r1", "r2", "r3"]) {
    world.routes.set(key, { hostname: "a", path: "/" });
    world.sets.set(key, ["gw"]);
  }
  world.total.get("gw");
  const { inputs, isCut } = traceInputs(world.total, "gw", 2);
  assertEquals([inputs.length, isCut], [2, true]);
  assertEquals(traceOf(world.total, "nobody asked"), undefined);
});
