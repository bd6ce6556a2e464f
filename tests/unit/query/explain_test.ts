/** What a person is told who asks why: the reads, and the change that made the value what it is. */

import { assertEquals } from "@std/assert";
import { Database } from "../../../src/query/database.ts";
import { causeOf, type ReadLimits, type ReadNode, takeReads } from "../../../src/query/explain.ts";
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

const limits: ReadLimits = { nodesMax: 100, readsMax: 100 };

/** `name key slice` of what was read. */
function namesOf({ reads }: ReadNode): readonly string[] {
  return reads.map(({ name, key, input }) => `${name} ${key} ${input?.slice ?? ""}`.trim());
}

Deno.test("takeReads() names every read, and the change that last altered the value", () => {
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
  const sameLength = { ...lengthened, revision: 3, atMs: 3000 };
  const leaf = { name: "routes", key: "r", reads: [], isCut: false };
  assertEquals(takeReads(world.status, "r", limits), {
    name: "status",
    key: "r",
    changedAt: 2,
    cause: lengthened,
    value: "a 4",
    isCut: false,
    reads: [
      { ...leaf, changedAt: 1, cause: created, input: { slice: "spec.hostname", count: 1 } },
      {
        name: "pathLength",
        key: "r",
        changedAt: 2,
        cause: lengthened,
        value: 4,
        isCut: false,
        reads: [
          { ...leaf, changedAt: 3, cause: sameLength, input: { slice: "spec.path", count: 1 } },
        ],
      },
    ],
  });
  assertEquals(causeOf(world.status, "r"), lengthened);
  assertEquals(takeReads(world.status, "nobody asked", limits), undefined);
  assertEquals(causeOf(world.status, "nobody asked"), undefined);
});

Deno.test("takeReads() tells of an absence, and that its arrival was the cause", () => {
  const world = new World();
  const read = (): readonly (number | undefined)[] => {
    world.status.get("gone");
    const [first] = takeReads(world.status, "gone", limits)?.reads ?? [];
    return [first?.changedAt, first?.cause.revision, first?.input?.count];
  };
  assertEquals(read(), [0, 0, 0]);
  world.put("gone", { hostname: "a", path: "/" }, 5);
  assertEquals(read(), [1, 1, 1]);
  assertEquals(causeOf(world.status, "gone")?.atMs, 5);
  world.database.transaction(6, () => world.routes.delete("gone"));
  assertEquals(read(), [2, 2, 0]);
  assertEquals(causeOf(world.status, "gone")?.atMs, 6);
});

Deno.test("takeReads() of a fold names its set and its members; the cause is what was told", () => {
  const world = new World();
  for (const [index, key] of ["r1", "r2"].entries()) {
    world.put(key, { hostname: "a", path: "/" }, index);
    world.sets.set(key, ["gw"]);
  }
  world.total.get("gw");
  world.put("r1", { hostname: "a", path: "/long" }, 7);
  world.total.get("gw");
  const found = takeReads(world.total, "gw", limits);
  assertEquals(found?.cause.atMs, 7);
  assertEquals(found && namesOf(found), ["routesOfGateway gw", "pathLength r1", "pathLength r2"]);
  assertEquals(found?.reads[0]?.input, { slice: "", count: 2 });
  world.database.transaction(9, () => world.sets.set("r2", []));
  world.total.get("gw");
  assertEquals(causeOf(world.total, "gw"), {
    input: "routesOfGateway",
    key: "gw",
    slices: ["members"],
    revision: 6,
    atMs: 9,
    member: { key: "r2", hasEntered: false },
  });
});

Deno.test("takeReads() is bounded, keeps what changed last, and says that there is more", () => {
  const world = new World();
  for (const key of ["r1", "r2", "r3", "r4"]) {
    world.put(key, { hostname: "a", path: "/" }, 1);
    world.sets.set(key, ["gw"]);
  }
  world.total.get("gw");
  world.put("r3", { hostname: "a", path: "/long" }, 2);
  world.total.get("gw");
  const cut = takeReads(world.total, "gw", { nodesMax: 100, readsMax: 2 });
  assertEquals(cut && namesOf(cut), ["routesOfGateway gw", "pathLength r1", "pathLength r3"]);
  assertEquals(cut?.isCut, true);
  const few = takeReads(world.total, "gw", { nodesMax: 4, readsMax: 100 });
  assertEquals(few && namesOf(few), ["routesOfGateway gw", "pathLength r1", "pathLength r2"]);
  assertEquals([few?.isCut, few?.reads[1]?.isCut], [true, true]);
  const some = takeReads(world.total, "gw", { ...limits, follows: (_, read) => read !== "routes" });
  assertEquals(some?.reads[1]?.reads, []);
});
