/**
 * Barriers: what reads them is looked at only when their value became another one. Without that a
 * certificate that is renewed has ten thousand routes looked at, for nothing.
 */

import { assertEquals, assertThrows } from "@std/assert";
import { InvariantError } from "../../../src/base/invariant.ts";
import { Database } from "../../../src/query/database.ts";
import { InputTable, type Slice } from "../../../src/query/input_table.ts";
import { Query } from "../../../src/query/query.ts";
import { Recompute, recomputeAll } from "../../../src/query/recompute.ts";

const whole: Slice<number, number> = { name: "", index: 0, read: (value) => value };

/** Numbers, a barrier that says whether one is even, and many who read that. */
function parities(options: { readonly rank?: number } = {}) {
  const database = new Database();
  const numbers = new InputTable<string, number>(database, "numbers", [whole]);
  const parity = new Query<string, string>(database, {
    name: "parity",
    rank: options.rank ?? 0,
    isBarrier: true,
    compute: (key) => {
      const value = numbers.read(whole, key) ?? 0;
      if (value < 0) throw new RangeError("negative");
      return value % 2 === 0 ? "even" : "odd";
    },
  });
  const runs: string[] = [];
  const readers = new Query<string, string>(database, {
    name: "reader",
    compute: (key) => {
      runs.push(key);
      return `${key} ${parity.get("n")}`;
    },
  });
  numbers.set("n", 2);
  for (const key of ["a", "b", "c"]) readers.want(key);
  recomputeAll(database);
  readers.takeChanges();
  runs.length = 0;
  return { database, numbers, parity, readers, runs };
}

/** How many barriers and wanted memos a recompute looks at. */
function visits(database: Database): number {
  let count = 0;
  new Recompute(database).step(() => {
    count++;
    return false;
  });
  return count;
}

Deno.test("A change that does not alter a barrier has none of its readers looked at", () => {
  const { database, numbers, readers, runs } = parities();
  numbers.set("n", 4);
  assertEquals([visits(database), runs, readers.takeChanges()], [1, [], []]);
});

Deno.test("A barrier that became another value wakes its readers", () => {
  const { database, numbers, readers, runs } = parities();
  numbers.set("n", 3);
  assertEquals([visits(database), runs.sort()], [4, ["a", "b", "c"]]);
  assertEquals(readers.takeChanges().map(({ after }) => after).sort(), ["a odd", "b odd", "c odd"]);
});

Deno.test("A read between recomputes is right though marking stopped at a barrier", () => {
  const { numbers, readers } = parities();
  numbers.set("n", 3);
  assertEquals(readers.get("a"), "a odd");
});

Deno.test("Barriers are verified in the order of their ranks, through queries that are none", () => {
  const { database, numbers, parity } = parities();
  const between = new Query<string, string>(database, {
    name: "between",
    compute: (key) => parity.get(key),
  });
  const upper = new Query<string, string>(database, {
    name: "upper",
    rank: 1,
    isBarrier: true,
    compute: (key) => `${between.get(key)} of ${numbers.read(whole, "other")}`,
  });
  numbers.set("other", 1);
  upper.want("n");
  recomputeAll(database);
  database.transaction(0, () => {
    numbers.set("other", 2);
    numbers.set("n", 5);
  });
  recomputeAll(database);
  assertEquals(upper.get("n"), "odd of 2");
});

Deno.test("A barrier that is verified after who reads it is a mistake of the program", () => {
  const { database, numbers, parity } = parities({ rank: 1 });
  const between = new Query<string, string>(database, {
    name: "between",
    compute: (key) => parity.get(key),
  });
  const lower = new Query<string, string>(database, {
    name: "lower",
    isBarrier: true,
    compute: (key) => `${numbers.read(whole, "other")} ${between.get(key)}`,
  });
  lower.want("n");
  recomputeAll(database);
  database.transaction(0, () => {
    numbers.set("other", 2);
    numbers.set("n", 5);
  });
  assertThrows(() => recomputeAll(database), InvariantError, "was verified before");
});

Deno.test("A barrier that throws ends the recompute, and the next one takes it up", () => {
  const { database, numbers, readers } = parities();
  numbers.set("n", -1);
  assertThrows(() => recomputeAll(database), RangeError);
  assertThrows(() => readers.get("a"), RangeError);
  numbers.set("n", 7);
  recomputeAll(database);
  assertEquals(readers.peek("a"), "a odd");
});

Deno.test("A barrier that nobody reads any more is forgotten, though it was dirty", () => {
  const { database, numbers, parity, readers } = parities();
  numbers.set("n", 3);
  for (const key of ["a", "b", "c"]) readers.unwant(key);
  recomputeAll(database);
  assertEquals([parity.size, readers.size], [0, 0]);
});
