/**
 * A fold is told what changed, and only that. One that went over all members would make a change of
 * one route cost as much as ten thousand.
 */

import { assertEquals, assertThrows } from "@std/assert";
import { Database } from "../../../src/query/database.ts";
import { Fold } from "../../../src/query/fold.ts";
import { InputSets } from "../../../src/query/input_sets.ts";
import { InputTable } from "../../../src/query/input_table.ts";
import { Query } from "../../../src/query/query.ts";
import { recomputeAll } from "../../../src/query/recompute.ts";

/** Numbers in sets, doubled, and the sum of each set. */
class Sums {
  readonly database = new Database();
  readonly numbers = new InputTable<string, { readonly value: number }>(this.database, "numbers", [
    { name: "value", index: 0, read: ({ value }) => value },
  ]);
  readonly sets = new InputSets<string, string>(this.database, "sets");
  readonly doubled = new Query<string, number>(this.database, {
    name: "doubled",
    compute: (key) => {
      const value = this.numbers.get(key)?.value ?? 0;
      if (value === 13) throw new Error("unlucky");
      return Math.min(2 * value, 100);
    },
  });
  /** The changes that each update was given. */
  readonly updates: string[] = [];
  failsOnce = false;
  readonly sums = new Fold<string, string, number, { sum: number }, number>(this.database, {
    name: "sums",
    members: this.sets,
    parts: this.doubled,
    start: () => ({ sum: 0 }),
    update: (state, changes) => {
      const told = changes.map(({ member, before, after }) => `${member} ${before} ${after}`);
      this.updates.push(told.sort().join(", "));
      for (const { before = 0, after = 0 } of changes) state.sum += after - before;
      if (this.failsOnce) {
        this.failsOnce = false;
        throw new Error("half done");
      }
      return state.sum;
    },
  });

  put(key: string, value: number, ...sets: readonly string[]): void {
    this.numbers.set(key, { value });
    this.sets.set(key, sets);
  }
}

Deno.test("Fold.get() starts with all members and then is told only what changed", () => {
  const world = new Sums();
  world.put("a", 1, "s");
  world.put("b", 2, "s");
  assertEquals(world.sums.get("s"), 6);
  world.put("b", 5, "s");
  world.put("c", 7, "other");
  assertEquals(world.sums.get("s"), 12);
  world.put("c", 7, "other", "s");
  world.put("a", 1);
  assertEquals(world.sums.get("s"), 24);
  assertEquals(world.updates, [
    "a undefined 2, b undefined 4",
    "b 4 10",
    "a 2 undefined, c undefined 14",
  ]);
});

Deno.test("Fold.get() is not told of a member whose part is equal", () => {
  const world = new Sums();
  world.put("a", 60, "s");
  world.sums.get("s");
  world.put("a", 70, "s");
  assertEquals(world.sums.get("s"), 100);
  assertEquals(world.updates.length, 1);
});

Deno.test("Fold.get() sees a member that left and came back as another one", () => {
  const world = new Sums();
  world.put("a", 1, "s");
  world.sums.get("s");
  world.put("a", 1);
  world.put("a", 3, "s");
  assertEquals(world.sums.get("s"), 6);
  world.put("a", 3);
  recomputeAll(world.database);
  assertEquals(world.sums.get("s"), 0);
});

Deno.test("Fold.get() of a set of nobody is the value of the start", () => {
  assertEquals(new Sums().sums.get("nobody"), 0);
});

Deno.test("A part that cannot be computed leaves the fold as it was", () => {
  const world = new Sums();
  world.put("a", 1, "s");
  world.put("b", 2, "s");
  world.sums.get("s");
  world.put("a", 13, "s");
  world.put("b", 3, "s");
  assertThrows(() => world.sums.get("s"), Error, "unlucky");
  world.put("a", 2, "s");
  assertEquals(world.sums.get("s"), 10);
});

Deno.test("An update that throws makes the fold start over", () => {
  const world = new Sums();
  world.put("a", 1, "s");
  world.put("b", 2, "s");
  world.sums.get("s");
  world.failsOnce = true;
  world.put("b", 4, "s");
  assertThrows(() => world.sums.get("s"), Error, "half done");
  assertEquals(world.sums.get("s"), 10);
  world.put("c", 1, "s");
  assertEquals(world.sums.get("s"), 12);
});

Deno.test("Fold.get() takes its members from a query as well", () => {
  const world = new Sums();
  world.put("limit", 2);
  for (const [index, key] of ["a", "b", "c"].entries()) world.put(key, index + 1, "s");
  const few = new Query<string, readonly string[]>(world.database, {
    name: "few",
    compute: (key) => world.sets.get(key).slice(0, world.numbers.get("limit")?.value),
  });
  const sum = new Fold<string, string, number, { sum: number }, number>(world.database, {
    name: "sumOfFew",
    members: {
      get: (key) => few.get(key),
      nodeOf: (key) => few.nodeOf(key),
      membersOf: (key) => few.peek(key) ?? [],
    },
    parts: world.doubled,
    start: () => ({ sum: 0 }),
    update: (state, changes) => {
      for (const { before = 0, after = 0 } of changes) state.sum += after - before;
      return state.sum;
    },
  });
  assertEquals(sum.get("s"), 6);
  world.put("limit", 3);
  assertEquals(sum.get("s"), 12);
  world.put("limit", 1);
  assertEquals(sum.get("s"), 2);
});
