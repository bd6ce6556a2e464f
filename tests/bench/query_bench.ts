/**
 * The incremental computation alone: what one change costs among many memos, and what a memo weighs.
 *
 * The shape is that of a gateway: routes with their own memos, folded by gateway. The cost of one
 * change must follow from what read it, so the figures for a tenth of the routes must be about the
 * same. Sizes and the number of runs are asserted.
 *
 * Run: deno bench tests/bench/query_bench.ts, or deno run --v8-flags=--expose-gc
 * tests/bench/query_bench.ts for percentiles and memory.
 */

import { assertEquals } from "@std/assert";
import { Database } from "../../src/query/database.ts";
import { Fold } from "../../src/query/fold.ts";
import { InputSets } from "../../src/query/input_sets.ts";
import { InputTable, type Slice } from "../../src/query/input_table.ts";
import { Query } from "../../src/query/query.ts";
import { recomputeAll } from "../../src/query/recompute.ts";

interface Route {
  readonly gateway: string;
  readonly path: string;
}

const gatewayOf: Slice<Route, string> = {
  name: "gateway",
  index: 0,
  read: (route) => route.gateway,
};
const pathOf: Slice<Route, string> = { name: "path", index: 1, read: (route) => route.path };

/** Routes over gateways, each with three memos, and a fold for each gateway. */
class World {
  readonly database = new Database();
  readonly routes = new InputTable<string, Route>(this.database, "routes", [gatewayOf, pathOf]);
  readonly sets = new InputSets<string, string>(this.database, "routesOfGateway");
  readonly rules = new Query<string, { readonly path: string }>(this.database, {
    name: "rules",
    compute: (key) => ({ path: this.routes.read(pathOf, key) ?? "" }),
  });
  readonly bindings = new Query<string, { readonly gateway: string; readonly path: string }>(
    this.database,
    {
      name: "bindings",
      compute: (key) => ({
        gateway: this.routes.read(gatewayOf, key) ?? "",
        path: this.rules.get(key).path,
      }),
    },
  );
  readonly status = new Query<string, { readonly isServed: boolean }>(this.database, {
    name: "status",
    compute: (key) => ({ isServed: this.bindings.get(key).path !== "" }),
  });
  readonly paths = new Fold<
    string,
    string,
    { readonly gateway: string; readonly path: string },
    Map<string, string>,
    { readonly length: number }
  >(this.database, {
    name: "paths",
    rank: 1,
    members: this.sets,
    parts: this.bindings,
    start: () => new Map(),
    update: (state, changes) => {
      for (const { member, after } of changes) {
        if (after) state.set(member, after.path);
        else state.delete(member);
      }
      return { length: state.size };
    },
  });
  readonly #keys: string[] = [];
  #edits = 0;

  constructor(gatewayCount: number, routesEach: number) {
    for (let g = 0; g < gatewayCount; g++) {
      for (let r = 0; r < routesEach; r++) {
        const key = `ns-${g}/route-${r}`;
        this.#keys.push(key);
        this.routes.set(key, { gateway: `gw-${g}`, path: `/${r}` });
        this.sets.set(key, [`gw-${g}`]);
        this.status.want(key);
      }
      this.paths.want(`gw-${g}`);
    }
    recomputeAll(this.database);
    assertEquals(this.status.takeChanges().length, this.#keys.length);
    assertEquals(this.paths.takeChanges().length, gatewayCount);
  }

  get memoCount(): number {
    return this.rules.size + this.bindings.size + this.status.size + this.paths.size;
  }

  /** Changes the path of the next route; returns how many queries ran. */
  edit(): number {
    const before = this.database.runCount;
    const key = this.#keys[(this.#edits++ * 7919) % this.#keys.length] ?? "";
    const route = this.routes.peek(key);
    if (route) this.routes.set(key, { ...route, path: `/edit-${this.#edits}` });
    recomputeAll(this.database);
    assertEquals(this.status.takeChanges().length + this.paths.takeChanges().length, 0);
    return this.database.runCount - before;
  }
}

const shapes = [[100, 10], [1000, 10], [1, 10_000]] as const;

for (const [gateways, each] of shapes) {
  const world = new World(gateways, each);
  assertEquals(world.edit(), 4);
  Deno.bench(`one change, ${gateways} folds over ${each} members`, () => {
    world.edit();
  });
}

Deno.bench("build and compute 1,000 routes", () => {
  new World(100, 10);
});

/** Bytes in use after a full collection; Deno run with --v8-flags=--expose-gc. */
function heapUsed(): number | undefined {
  const { gc } = globalThis as { readonly gc?: () => void };
  if (!gc) return undefined;
  for (let i = 0; i < 3; i++) gc();
  return Deno.memoryUsage().heapUsed;
}

function report(text: string): void {
  // deno-lint-ignore no-console -- this is the benchmark's report
  console.log(text);
}

if (import.meta.main) {
  // Compiled code and the first world are not part of what a memo weighs.
  for (let i = 0; i < 500; i++) new World(10, 10).edit();
  for (const [gateways, each] of shapes) {
    const before = heapUsed();
    const world = new World(gateways, each);
    const after = heapUsed();
    const runs = world.edit();
    for (let i = 0; i < 5000; i++) world.edit();
    const samples: number[] = [];
    for (let i = 0; i < 20_000; i++) {
      const start = performance.now();
      world.edit();
      samples.push(1000 * (performance.now() - start));
    }
    samples.sort((a, b) => a - b);
    const at = (share: number): string => (samples[samples.length * share] ?? 0).toFixed(1);
    const bytes = before === undefined || after === undefined
      ? "run with --v8-flags=--expose-gc for memory"
      : `${Math.round((after - before) / world.memoCount)} bytes a memo with its inputs`;
    report(
      `${gateways} x ${each}: ${world.memoCount} memos, ${runs} runs a change, us: p50 ${
        at(0.5)
      } ` +
        `p95 ${at(0.95)} p99 ${at(0.99)}, ${bytes}`,
    );
  }
}
