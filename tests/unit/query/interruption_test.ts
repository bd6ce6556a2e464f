/**
 * Steps that end in the middle of a query. A recompute that held the event loop for as long as its
 * longest query takes would stall every request meanwhile.
 */

import { assert, assertEquals } from "@std/assert";
import { Database } from "../../../src/query/database.ts";
import { Fold } from "../../../src/query/fold.ts";
import { InputSets } from "../../../src/query/input_sets.ts";
import { InputTable, type Slice } from "../../../src/query/input_table.ts";
import { Query } from "../../../src/query/query.ts";
import { Recompute } from "../../../src/query/recompute.ts";

const whole: Slice<number, number> = { name: "", index: 0, read: (value) => value };
const members = Array.from({ length: 20 }, (_, index) => `m${10 + index}`);

/** Twenty numbers that are members of a set, their doubles, and the sum of these as a fold. */
function sums() {
  const database = new Database({ foldPassMax: 3 });
  const numbers = new InputTable<string, number>(database, "numbers", [whole]);
  const sets = new InputSets<string, string>(database, "set");
  const runs: string[] = [];
  const doubles = new Query<string, number>(database, {
    name: "double",
    compute: (key) => {
      runs.push(key);
      return 2 * (numbers.read(whole, key) ?? 0);
    },
  });
  let updates = 0;
  const sum = new Fold(database, {
    name: "sum",
    members: sets,
    parts: doubles,
    start: () => ({ sum: 0 }),
    update: (state: { sum: number }, changes) => {
      updates++;
      for (const { before = 0, after = 0 } of changes) state.sum += after - before;
      return state.sum;
    },
  });
  for (const member of members) {
    numbers.set(member, 1);
    sets.set(member, ["all"]);
  }
  sum.want("all");
  return { database, numbers, sets, doubles, sum, runs, updates: () => updates };
}

function always(): boolean {
  return true;
}

/** Recomputes in the shortest steps; how many there were. */
function inShortSteps(database: Database): number {
  const recompute = new Recompute(database);
  for (let count = 1; count < 1000; count++) if (recompute.step(always)) return count;
  throw new Error("it does not come to an end");
}

Deno.test("A fold whose parts are all new takes them over in passes, and computes each once", () => {
  const { database, sum, runs, updates } = sums();
  const steps = inShortSteps(database);
  assertEquals(sum.takeChanges().map(({ after }) => after), [40]);
  assertEquals(runs.toSorted(), members);
  assert(steps > members.length && updates() >= 7, `${steps} steps, ${updates()} updates`);
});

Deno.test("A fold that was left ahead of its value goes on from there, whatever changed since", () => {
  const { database, numbers, sets, sum } = sums();
  inShortSteps(database);
  sum.takeChanges();
  for (const member of members) numbers.set(member, 2);
  const cancelled = new Recompute(database);
  for (let step = 0; step < 23; step++) assert(!cancelled.step(always));
  cancelled.cancel();
  assertEquals(sum.peek("all"), 40, "a half result is not seen");
  // One that was taken over leaves, one comes, and one is what it was before.
  sets.set("m10", []);
  numbers.set("new", 5);
  sets.set("new", ["all"]);
  numbers.set("m11", 1);
  inShortSteps(database);
  assertEquals(sum.takeChanges(), [{ key: "all", before: 40, after: 2 * (2 * 18 + 1 + 5) }]);
});

Deno.test("A fold that was brought ahead and then back tells nothing", () => {
  const { database, numbers, sum } = sums();
  inShortSteps(database);
  sum.takeChanges();
  numbers.set("m10", 7);
  for (const member of members.slice(1)) numbers.set(member, 2);
  const cancelled = new Recompute(database);
  for (let step = 0; step < 23; step++) assert(!cancelled.step(always));
  cancelled.cancel();
  for (const member of members) numbers.set(member, 1);
  inShortSteps(database);
  assertEquals([sum.peek("all"), sum.takeChanges()], [40, []]);
});

Deno.test("A query that reads many goes on where it was left, and none is computed twice", () => {
  const { database, doubles, runs, sum } = sums();
  sum.unwant("all");
  let starts = 0;
  const total = new Query<string, number>(database, {
    name: "total",
    compute: () => {
      starts++;
      return members.reduce((total, member) => total + doubles.get(member), 0);
    },
  });
  total.want("all");
  inShortSteps(database);
  assertEquals([total.peek("all"), runs.toSorted()], [40, members]);
  assert(starts > 1);
});

Deno.test("A query that catches the end of a step has it all the same, and no wrong value", () => {
  const { database, doubles, sum } = sums();
  sum.unwant("all");
  const careless = new Query<string, number>(database, {
    name: "careless",
    compute: () => {
      let total = 0;
      for (const member of members) {
        try {
          total += doubles.get(member);
        } catch {
          total = -1;
        }
      }
      return total;
    },
  });
  careless.want("all");
  inShortSteps(database);
  assertEquals(careless.peek("all"), 40);
});

Deno.test("A read between two steps is whole, whatever the time is", () => {
  const { database, sum } = sums();
  const recompute = new Recompute(database);
  assert(!recompute.step(always));
  assertEquals(sum.get("all"), 40);
  while (!recompute.step(always));
  assertEquals(sum.takeChanges().map(({ after }) => after), [40]);
});
