/**
 * Nothing stays of what is gone. A leak of one memo per deleted route ends a control plane that lives
 * for months.
 */

import { assertEquals } from "@std/assert";
import { Database } from "../../../src/query/database.ts";
import { Fold } from "../../../src/query/fold.ts";
import { InputSets } from "../../../src/query/input_sets.ts";
import { InputTable } from "../../../src/query/input_table.ts";
import { Query } from "../../../src/query/query.ts";
import { recomputeAll } from "../../../src/query/recompute.ts";

interface Route {
  readonly service: string;
}

/** Routes of a gateway that lead to services, some of which are not there. */
class World {
  readonly database = new Database();
  readonly routes = new InputTable<string, Route>(this.database, "routes", [
    { name: "service", index: 0, read: ({ service }) => service },
  ]);
  readonly services = new InputTable<string, { readonly port: number }>(this.database, "services", [
    { name: "port", index: 0, read: ({ port }) => port },
  ]);
  readonly sets = new InputSets<string, string>(this.database, "routesOfGateway");
  readonly port = new Query<string, number>(this.database, {
    name: "port",
    compute: (key) => this.services.get(key)?.port ?? 0,
  });
  readonly status = new Query<string, number>(this.database, {
    name: "status",
    compute: (key) => this.port.get(this.routes.get(key)?.service ?? "none"),
  });
  readonly count = new Fold<string, string, number, { ports: number }, number>(this.database, {
    name: "count",
    members: this.sets,
    parts: this.status,
    start: () => ({ ports: 0 }),
    update: (state, changes) => {
      for (const { before = 0, after = 0 } of changes) state.ports += after - before;
      return state.ports;
    },
  });

  sizes(): Readonly<Record<string, number>> {
    return {
      routes: this.routes.entryCount,
      services: this.services.entryCount,
      sets: this.sets.groupCount,
      port: this.port.size,
      status: this.status.size,
      count: this.count.size,
    };
  }
}

Deno.test("Memos, absences and sets return to the baseline after every churn", () => {
  const world = new World();
  world.services.set("web", { port: 80 });
  world.count.want("gw");
  recomputeAll(world.database);
  const baseline = world.sizes();
  for (let cycle = 0; cycle < 5; cycle++) {
    for (let index = 0; index < 200; index++) {
      world.routes.set(`route-${index}`, { service: index % 2 === 0 ? "web" : `missing-${index}` });
      world.sets.set(`route-${index}`, ["gw"]);
      world.status.want(`route-${index}`);
    }
    recomputeAll(world.database);
    assertEquals(world.count.peek("gw"), 8000);
    assertEquals(world.sizes(), {
      routes: 200,
      services: 101,
      sets: 1,
      port: 101,
      status: 200,
      count: 1,
    });
    for (let index = 0; index < 200; index++) {
      world.routes.delete(`route-${index}`);
      world.sets.set(`route-${index}`, []);
      world.status.unwant(`route-${index}`);
    }
    recomputeAll(world.database);
    assertEquals(world.sizes(), baseline);
  }
  world.count.unwant("gw");
  recomputeAll(world.database);
  assertEquals(world.sizes(), { routes: 0, services: 1, sets: 0, port: 0, status: 0, count: 0 });
});

Deno.test("A memo that was only asked for once is gone after the next recompute", () => {
  const world = new World();
  world.status.get("somebody");
  recomputeAll(world.database);
  assertEquals(world.sizes(), { routes: 0, services: 0, sets: 0, port: 0, status: 0, count: 0 });
});

Deno.test("A memo stays while anything reads it, whoever stopped reading it first", () => {
  const world = new World();
  world.services.set("web", { port: 80 });
  for (const key of ["a", "b"]) {
    world.routes.set(key, { service: "web" });
    world.status.want(key);
  }
  recomputeAll(world.database);
  world.status.unwant("a");
  recomputeAll(world.database);
  assertEquals([world.port.size, world.status.size], [1, 1]);
  world.services.set("web", { port: 81 });
  recomputeAll(world.database);
  assertEquals(world.status.peek("b"), 81);
});
