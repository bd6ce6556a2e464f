/**
 * Check mode finds queries that are not what they must be. One that it misses serves stale routes
 * until a restart.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Check, describeDifference } from "../../../src/query/check.ts";
import { Database } from "../../../src/query/database.ts";
import { Fold } from "../../../src/query/fold.ts";
import { InputSets } from "../../../src/query/input_sets.ts";
import { InputTable } from "../../../src/query/input_table.ts";
import type { MemoTable } from "../../../src/query/memo_table.ts";
import { Query } from "../../../src/query/query.ts";
import type { Difference } from "../../../src/query/scratch_run.ts";

const database = new Database();
const numbers = new InputTable<string, { readonly value: number }>(database, "numbers", [
  { name: "value", index: 0, read: ({ value }) => value },
]);
const sets = new InputSets<string, string>(database, "sets");

function find<Value>(table: MemoTable<string, Value>, key: string): Difference | undefined {
  const check = new Check(database);
  try {
    return check.compare(table, key);
  } finally {
    check.end();
  }
}

Deno.test("Check.compare() finds nothing in pure queries", () => {
  const pure = new Query<string, number>(database, {
    name: "pure",
    compute: (key) => (numbers.get(key)?.value ?? 0) + sets.get(key).length,
  });
  numbers.set("a", { value: 1 });
  pure.get("a");
  assertEquals(find(pure, "a"), undefined);
});

Deno.test("Check.compare() finds a query that reads behind the database's back, and names it", () => {
  let outside = 1;
  const impure = new Query<string, number>(database, { name: "impure", compute: () => outside });
  const middle = new Query<string, number>(database, {
    name: "middle",
    compute: (key) => impure.get(key) + 1,
  });
  const top = new Query<string, number>(database, {
    name: "top",
    compute: (key) => middle.get(key) + 1,
  });
  assertEquals(top.get("a"), 3);
  outside = 2;
  const difference = find(top, "a");
  assertEquals(difference, {
    path: [`top "a"`, `middle "a"`, `impure "a"`],
    query: "impure",
    key: "a",
    memoised: 1,
    fresh: 2,
    unrecorded: [],
  });
  assert(difference);
  assertStringIncludes(
    describeDifference(difference),
    `top "a" -> middle "a" -> impure "a": the memo differs`,
  );
});

Deno.test("Check.compare() names an input that was read without a record", () => {
  const peeking = new Query<string, number>(database, {
    name: "peeking",
    // The mistake to find: a look at the input where a tracked read belongs.
    compute: (key) =>
      database.scratch ? numbers.get(key)?.value ?? 0 : numbers.peek(key)?.value ?? 0,
  });
  numbers.set("p", { value: 1 });
  peeking.get("p");
  numbers.set("p", { value: 2 });
  const difference = find(peeking, "p");
  assertEquals(difference?.unrecorded, [`numbers "p"`]);
  assert(difference);
  assertStringIncludes(describeDifference(difference), `not recorded: numbers "p"`);
});

Deno.test("Check.compare() finds a result that was changed after it was returned", () => {
  const list = new Query<string, number[]>(database, { name: "list", compute: () => [1, 2] });
  const sum = new Query<string, number>(database, {
    name: "sum",
    compute: (key) => list.get(key).push(3),
  });
  sum.get("a");
  assertEquals(find(sum, "a")?.query, "list");
});

Deno.test("Check.compare() finds a fold whose updates do not add up", () => {
  const values = new Query<string, number>(database, {
    name: "values",
    compute: (key) => numbers.get(key)?.value ?? 0,
  });
  const sum = new Fold<string, string, number, { sum: number }, number>(database, {
    name: "foldedSum",
    members: sets,
    parts: values,
    start: () => ({ sum: 0 }),
    update: (state, changes) => {
      // The mistake to find: what a member had before is not taken away.
      for (const { after = 0 } of changes) state.sum += after;
      return state.sum;
    },
  });
  numbers.set("m", { value: 1 });
  sets.set("m", ["s"]);
  sum.get("s");
  assertEquals(find(sum, "s"), undefined);
  numbers.set("m", { value: 5 });
  sum.get("s");
  const difference = find(sum, "s");
  assertEquals([difference?.query, difference?.memoised, difference?.fresh], ["foldedSum", 6, 5]);
});

Deno.test("Check.compare() records nothing, makes no memo and leaves what is dirty alone", () => {
  const runs: string[] = [];
  const inner = new Query<string, number>(database, {
    name: "inner",
    compute: (key) => numbers.get(key)?.value ?? 0,
  });
  const outer = new Query<string, number>(database, {
    name: "outer",
    compute: (key) => {
      runs.push(key);
      return inner.get(key);
    },
  });
  numbers.delete("x");
  assertEquals(find(outer, "x"), undefined);
  assertEquals([outer.size, inner.size, runs.length], [0, 0, 1]);
  outer.get("x");
  numbers.set("x", { value: 4 });
  assertEquals(find(outer, "x"), undefined);
  assertEquals(outer.peek("x"), 0);
});
