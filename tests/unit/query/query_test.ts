/**
 * The laws of src/query/README.md, one by one. Each that breaks is a status that is computed too
 * often, or worse, not at all.
 */

import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { CycleError, QueryDepthError, queryDepthMax } from "../../../src/query/cycle_error.ts";
import { Database } from "../../../src/query/database.ts";
import { InputSets } from "../../../src/query/input_sets.ts";
import { InputTable, type Slice } from "../../../src/query/input_table.ts";
import { Query } from "../../../src/query/query.ts";
import { Recompute, recomputeAll } from "../../../src/query/recompute.ts";

interface Person {
  readonly name: string;
  readonly age: number;
  readonly note?: string;
}

const nameOf: Slice<Person, string> = { name: "name", index: 0, read: (person) => person.name };
const ageOf: Slice<Person, number> = { name: "age", index: 1, read: (person) => person.age };

/** A query that says how often it ran. */
function counted<Value>(
  database: Database,
  name: string,
  compute: (key: string) => Value,
): { readonly query: Query<string, Value>; readonly runs: string[] } {
  const runs: string[] = [];
  const query = new Query<string, Value>(database, {
    name,
    compute: (key) => {
      runs.push(key);
      return compute(key);
    },
  });
  return { query, runs };
}

function people(): { readonly database: Database; readonly table: InputTable<string, Person> } {
  const database = new Database();
  return { database, table: new InputTable<string, Person>(database, "people", [nameOf, ageOf]) };
}

Deno.test("InputTable.set() moves the revision only when a slice differs", () => {
  const { database, table } = people();
  assert(table.set("a", { name: "Ann", age: 1 }));
  assert(!table.set("a", { name: "Ann", age: 1, note: "no slice" }));
  assertEquals(database.revision, 1);
  assert(table.set("a", { name: "Ann", age: 2 }));
  assert(table.delete("a"));
  assert(!table.delete("a"));
  assertEquals(database.revision, 3);
});

Deno.test("Database.transaction() makes several changes one revision, and none of no change", () => {
  const { database, table } = people();
  database.transaction(5, () => {
    table.set("a", { name: "Ann", age: 1 });
    database.transaction(6, () => table.set("b", { name: "Bob", age: 1 }));
  });
  assertEquals(database.revision, 1);
  assertEquals([table.lastChange("b")?.revision, table.lastChange("b")?.atMs], [1, 5]);
  database.transaction(7, () => table.set("a", { name: "Ann", age: 1 }));
  assertEquals(database.revision, 1);
});

Deno.test("InputTable.dropUnread() forgets what nothing has read, and that is no change", () => {
  const { database, table } = people();
  const { query } = counted(database, "age", (key) => table.read(ageOf, key));
  for (const key of ["a", "b"]) table.set(key, { name: key, age: 1 });
  query.get("a");
  assertEquals([table.dropUnread("a"), table.dropUnread("b"), table.dropUnread("b")], [
    false,
    true,
    false,
  ]);
  assertEquals([database.revision, [...table.keys()], table.size], [2, ["a"], 1]);
});

Deno.test("Query.get() computes once and runs again only when a slice that it read changed", () => {
  const { database, table } = people();
  const { query, runs } = counted(database, "greeting", (key) => `Hi ${table.read(nameOf, key)}`);
  table.set("a", { name: "Ann", age: 1 });
  assertEquals([query.get("a"), query.get("a")], ["Hi Ann", "Hi Ann"]);
  table.set("a", { name: "Ann", age: 2 });
  table.set("b", { name: "Bob", age: 2 });
  query.get("a");
  assertEquals(runs, ["a"]);
  table.set("a", { name: "Eve", age: 2 });
  assertEquals(query.get("a"), "Hi Eve");
});

Deno.test("Query.get() depends on an absence, and on a value that went and came back", () => {
  const { database, table } = people();
  const { query, runs } = counted(database, "isThere", (key) => table.get(key) !== undefined);
  assertEquals(query.get("a"), false);
  table.set("a", { name: "Ann", age: 1 });
  assertEquals(query.get("a"), true);
  table.delete("a");
  assertEquals(query.get("a"), false);
  table.delete("a");
  query.get("a");
  assertEquals(runs.length, 3);
  table.set("a", { name: "Ann", age: 1 });
  assertEquals(query.get("a"), true);
});

Deno.test("Query.get() depends on a set, not on other sets nor on what members hold", () => {
  const { database, table } = people();
  const teams = new InputSets<string, string>(database, "teams");
  const { query, runs } = counted(database, "size", (team) => teams.get(team).length);
  teams.set("ann", ["red", "blue"]);
  assertEquals(query.get("red"), 1);
  table.set("ann", { name: "Ann", age: 1 });
  teams.set("bob", ["blue"]);
  teams.set("ann", ["red"]);
  query.get("red");
  assertEquals(runs, ["red"]);
  teams.set("bob", ["red"]);
  assertEquals(query.get("red"), 2);
  teams.set("bob", []);
  teams.set("ann", []);
  assertEquals(query.get("red"), 0);
});

Deno.test("InputSets.get() is sorted and what was handed out does not change", () => {
  const teams = new InputSets<string, string>(new Database(), "teams");
  for (const member of ["c", "a", "d", "b"]) teams.set(member, ["red"]);
  const handedOut = teams.get("red");
  teams.set("b", []);
  teams.set("bb", ["red"]);
  assertEquals(handedOut, ["a", "b", "c", "d"]);
  assertEquals(teams.get("red"), ["a", "bb", "c", "d"]);
  assertEquals(teams.groupsOf("bb"), ["red"]);
});

Deno.test("An equal result stops the spread and keeps its identity, parts included", () => {
  const { database, table } = people();
  const { query: parity } = counted(database, "parity", (key) => ({
    isOdd: (table.read(ageOf, key) ?? 0) % 2 === 1,
    fixed: { list: [1, 2] },
  }));
  const { query: reader, runs } = counted(database, "reader", (key) => parity.get(key).isOdd);
  table.set("a", { name: "Ann", age: 1 });
  reader.get("a");
  const before = parity.get("a");
  table.set("a", { name: "Ann", age: 3 });
  reader.get("a");
  assertEquals(runs, ["a"]);
  assertStrictEquals(parity.get("a"), before);
  table.set("a", { name: "Ann", age: 4 });
  reader.get("a");
  assertEquals(runs, ["a", "a"]);
  assertStrictEquals(parity.get("a").fixed, before.fixed);
});

Deno.test("A read that is not made any more is no dependency any more", () => {
  const { database, table } = people();
  const { query, runs } = counted(
    database,
    "switch",
    (key) => table.read(ageOf, key) === 1 ? table.read(nameOf, "other") : "none",
  );
  table.set("a", { name: "Ann", age: 1 });
  query.get("a");
  table.set("a", { name: "Ann", age: 2 });
  query.get("a");
  table.set("other", { name: "Bob", age: 1 });
  query.get("a");
  assertEquals(runs.length, 2);
});

Deno.test("A read is verified in its order, so a query is never run for a key that is gone", () => {
  const { database, table } = people();
  const { query: strict } = counted(database, "strict", (key) => {
    const person = table.get(key);
    if (!person) throw new Error("asked for somebody who is not there");
    return person.age;
  });
  const { query } = counted(
    database,
    "careful",
    (key) => table.get(key) === undefined ? 0 : strict.get(key),
  );
  table.set("a", { name: "Ann", age: 1 });
  assertEquals(query.get("a"), 1);
  table.delete("a");
  assertEquals(query.get("a"), 0);
});

Deno.test("A circle of queries is told with its path, and does no harm", () => {
  const { database, table } = people();
  const queries: Query<string, number>[] = [];
  const names = ["first", "second", "third"];
  names.forEach((name, index) => {
    queries.push(
      new Query(database, {
        name,
        compute: (key) =>
          table.read(ageOf, "switch") === 1 || index < 2
            ? 1 + (queries[(index + 1) % 3]?.get(key) ?? 0)
            : 0,
      }),
    );
  });
  const [first] = queries;
  assertEquals(first?.get("k"), 2);
  table.set("switch", { name: "", age: 1 });
  const error = assertThrows(() => first?.get("k"), CycleError);
  assertEquals(
    error.message,
    `Cannot compute first "k": it needs its own result: ` +
      `first "k" -> second "k" -> third "k" -> first "k"`,
  );
  assertThrows(() => first?.get("k"), CycleError);
  table.set("switch", { name: "", age: 2 });
  assertEquals(first?.get("k"), 2);
});

Deno.test("A chain of queries that is too long is refused before the stack overflows", () => {
  const database = new Database();
  const query: Query<string, number> = new Query(database, {
    name: "count",
    compute: (key) => key === "0" ? 0 : 1 + query.get(`${Number(key) - 1}`),
  });
  assertEquals(query.get(`${queryDepthMax - 1}`), queryDepthMax - 1);
  assertThrows(() => query.get(`${3 * queryDepthMax}`), QueryDepthError);
});

Deno.test("A query that throws is tried again, and nothing of the failed run stays", () => {
  const { database, table } = people();
  const { query } = counted(database, "strict", (key) => {
    const age = table.read(ageOf, key);
    if (age === undefined) throw new Error("no age");
    return age;
  });
  const { query: reader } = counted(database, "reader", (key) => query.get(key) * 2);
  assertThrows(() => reader.get("a"), Error, "no age");
  table.set("a", { name: "Ann", age: 2 });
  assertEquals(reader.get("a"), 4);
});

Deno.test("A query cannot hide that one that it read failed", () => {
  const { database } = people();
  const { query: failing } = counted(database, "failing", (): number => {
    throw new Error("broken");
  });
  const { query } = counted(database, "hiding", (key) => {
    try {
      return failing.get(key);
    } catch {
      return 0;
    }
  });
  assertThrows(() => query.get("a"), Error, "broken");
});

Deno.test("An input cannot be changed by a query", () => {
  const { database, table } = people();
  const { query } = counted(database, "meddling", (key) => table.set(key, { name: "", age: 1 }));
  assertThrows(() => query.get("a"), Error, "is not changed by a query");
});

Deno.test("Query.takeChanges() tells each wanted value once, by identity", () => {
  const { database, table } = people();
  const { query } = counted(database, "age", (key) => table.read(ageOf, key));
  table.set("a", { name: "Ann", age: 1 });
  query.get("b");
  query.want("a");
  query.want("b");
  recomputeAll(database);
  assertEquals(query.takeChanges(), [{ key: "a", before: undefined, after: 1 }]);
  table.set("a", { name: "Ann", age: 2 });
  recomputeAll(database);
  table.set("a", { name: "Ann", age: 3 });
  recomputeAll(database);
  assertEquals(query.takeChanges(), [{ key: "a", before: 1, after: 3 }]);
  table.set("a", { name: "Ann", age: 4 });
  query.get("a");
  table.set("a", { name: "Ann", age: 3 });
  recomputeAll(database);
  assertEquals(query.takeChanges(), []);
  query.unwant("a");
  table.delete("a");
  recomputeAll(database);
  assertEquals(query.takeChanges(), []);
});

Deno.test("Query.takeChanges() is silent on a value that went and came back, which keeps its identity", () => {
  const { database, table } = people();
  const { query } = counted(database, "age", (key) => ({ age: table.read(ageOf, key) }));
  table.set("a", { name: "Ann", age: 1 });
  query.want("a");
  recomputeAll(database);
  const [told] = query.takeChanges();
  table.set("a", { name: "Ann", age: 2 });
  query.get("a");
  table.set("a", { name: "Ann", age: 1 });
  recomputeAll(database);
  assertEquals(query.takeChanges(), []);
  assertStrictEquals(query.peek("a"), told?.after);
});

Deno.test("A value that is read twice, before and after another query read it, is one dependency", () => {
  const { database, table } = people();
  const { query: inner } = counted(database, "inner", (key) => table.read(ageOf, key) ?? 0);
  const { query } = counted(database, "outer", (key) => {
    const before = table.read(ageOf, key) ?? 0;
    return before + inner.get(key) + (table.read(ageOf, key) ?? 0);
  });
  table.set("a", { name: "Ann", age: 1 });
  assertEquals(query.get("a"), 3);
  assertEquals(query.findNode("a")?.dependencies.length, 2);
});

Deno.test("Recompute.step() stops between memos, on frozen inputs, and tells nothing before the end", () => {
  const { database, table } = people();
  const { query, runs } = counted(database, "age", (key) => table.read(ageOf, key));
  for (const key of ["a", "b", "c"]) {
    table.set(key, { name: key, age: 1 });
    query.want(key);
  }
  const recompute = new Recompute(database);
  assertEquals(recompute.step(() => true), false);
  assertEquals([runs.length, recompute.isDone], [1, false]);
  assertThrows(() => table.set("a", { name: "a", age: 2 }), Error, "frozen");
  assertThrows(() => query.takeChanges());
  assertThrows(() => new Recompute(database).step());
  assertEquals(recompute.step(() => true), false);
  assertEquals(recompute.step(() => true), true);
  assertEquals([runs.length, recompute.isDone], [3, true]);
  assertEquals(query.takeChanges().length, 3);
  table.set("a", { name: "a", age: 2 });
});

Deno.test("Recompute.cancel() and a query that throws leave the rest for the next recompute", () => {
  const { database, table } = people();
  const { query } = counted(database, "age", (key) => {
    const age = table.read(ageOf, key);
    if (age === 13) throw new Error("unlucky");
    return age;
  });
  for (const key of ["a", "b", "c"]) {
    table.set(key, { name: key, age: key === "b" ? 13 : 1 });
    query.want(key);
  }
  const cancelled = new Recompute(database);
  cancelled.step(() => true);
  cancelled.cancel();
  assertThrows(() => recomputeAll(database), Error, "unlucky");
  table.set("b", { name: "b", age: 14 });
  recomputeAll(database);
  assertEquals(query.takeChanges().map(({ key, after }) => [key, after]).sort(), [
    ["a", 1],
    ["b", 14],
    ["c", 1],
  ]);
});

Deno.test("Recompute.step() verifies what has a lower rank first", () => {
  const database = new Database();
  const order: string[] = [];
  const make = (name: string, rank: number) =>
    new Query<string, number>(database, { name, rank, compute: () => order.push(name) });
  for (const query of [make("late", 2), make("early", 0), make("middle", 1)]) query.want("k");
  recomputeAll(database);
  assertEquals(order, ["early", "middle", "late"]);
});

Deno.test("Changes that are put back are told again, with the value that was told last", () => {
  const { database, table } = people();
  const { query } = counted(database, "age", (key) => table.read(ageOf, key));
  for (const key of ["a", "b"]) {
    table.set(key, { name: key, age: 1 });
    query.want(key);
  }
  recomputeAll(database);
  query.takeChanges();
  table.set("a", { name: "a", age: 2 });
  table.set("b", { name: "b", age: 2 });
  recomputeAll(database);
  const open = query.openChanges();
  assertEquals([...open].length, 2);
  // Not wanted for a moment, as what has gone and come again.
  query.unwant("b");
  open.putBack();
  query.want("b");
  table.set("a", { name: "a", age: 3 });
  table.set("b", { name: "b", age: 1 });
  recomputeAll(database);
  assertEquals(query.takeChanges(), [{ key: "a", before: 1, after: 3 }]);
});
