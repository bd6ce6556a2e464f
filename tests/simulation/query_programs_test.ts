/**
 * Random programs of inputs and queries, changed at random, held against a run of the same program
 * that remembers nothing. What a user would lose: a status that follows from what is no longer so.
 *
 * The seed is printed. To run it again, or for longer:
 * `deno test tests/simulation/query_programs_test.ts -- --seed=N --runs=N`.
 */

import fc from "fast-check";
import { assert, assertEquals } from "@std/assert";
import { equal } from "../../src/base/equal.ts";
import { Check, describeDifference } from "../../src/query/check.ts";
import { Database } from "../../src/query/database.ts";
import { Fold } from "../../src/query/fold.ts";
import { InputSets } from "../../src/query/input_sets.ts";
import { InputTable, type Slice as InputSlice } from "../../src/query/input_table.ts";
import type { MemoTable } from "../../src/query/memo_table.ts";
import { Query } from "../../src/query/query.ts";
import { Recompute } from "../../src/query/recompute.ts";
import {
  type Cell,
  earlier,
  foldResult,
  type Key,
  programs,
  type QueryProgram,
  type Reads,
  type Result,
  runQuery,
  type Slice,
  type Step,
  steps,
  type Table,
  tables,
} from "../fakes/query_program.ts";
import { checkSeeded, hasRunsArgument } from "../fakes/seeded_check.ts";

const one: InputSlice<Cell, number> = { name: "one", index: 0, read: (cell) => cell.one };
const two: InputSlice<Cell, number> = { name: "two", index: 1, read: (cell) => cell.two };

/** A read that a run made: what was read, and what it was then. */
interface LoggedRead {
  readonly what: string;
  readonly isChanged: () => boolean;
}

/** The program on the library, and the same inputs without it. */
class World {
  readonly database = new Database({ foldPassMax: 2 });
  readonly #program: readonly QueryProgram[];
  readonly #tables: { readonly [K in Table]: InputTable<Key, Cell> };
  readonly #sets = new InputSets<Key, Key>(this.database, "sets");
  readonly #queries: MemoTable<Key, Result>[] = [];
  readonly #cells = new Map<string, Cell>();
  readonly #members = new Map<Key, readonly Key[]>();
  /** How often each input, slice by slice, was touched. */
  readonly #touches = new Map<string, number>();
  /** The reads of the last run of each memo. */
  readonly #logs = new Map<string, readonly LoggedRead[]>();
  /** The last result of each memo. */
  readonly #results = new Map<string, Result>();
  #log: LoggedRead[] | undefined;
  /** What a consumer of changes knows. */
  readonly #told = new Map<string, Result>();
  readonly #wanted = new Map<string, { readonly query: number; readonly key: Key }>();

  constructor(program: readonly QueryProgram[]) {
    this.#program = program;
    this.#tables = {
      left: new InputTable(this.database, "left", [one, two]),
      right: new InputTable(this.database, "right", [one, two]),
    };
    program.forEach((query, index) => this.#queries.push(this.#makeQuery(query, index)));
  }

  #makeQuery(program: QueryProgram, index: number): MemoTable<Key, Result> {
    const name = `query${index}`;
    const before = program.type === "fold" ? earlier(index, program.back) : undefined;
    const parts = before === undefined ? undefined : this.#queries[before];
    if (parts) {
      return new Fold(this.database, {
        name,
        members: this.#sets,
        parts,
        start: () => new Map<Key, number>(),
        update: (sums, changes) => {
          for (const { member, after } of changes) {
            if (after === undefined) sums.delete(member);
            else sums.set(member, after.sum);
          }
          return foldResult(sums);
        },
      });
    }
    return new Query(this.database, {
      name,
      rank: index,
      isBarrier: program.type === "query" && program.isBarrier,
      compute: (key) => this.#runLogged(program, index, key),
    });
  }

  /** Runs a query, and holds it to the law that nothing runs without a reason. */
  #runLogged(program: QueryProgram, index: number, key: Key): Result {
    if (this.database.scratch) return runQuery(program, index, key, this.#tracked);
    const name = `${index} ${key}`;
    const before = this.#logs.get(name);
    if (before) {
      const reads = before.map(({ what }) => what).join(", ");
      assert(before.some(({ isChanged }) => isChanged()), `query${index} "${key}" ran: ${reads}`);
    }
    const outer = this.#log;
    const log: LoggedRead[] = this.#log = [];
    let result: Result;
    try {
      result = runQuery(program, index, key, this.#tracked);
    } finally {
      // A step may end in the middle of it.
      this.#log = outer;
    }
    this.#logs.set(name, log);
    if (!equal(this.#results.get(name), result)) this.#touch(`query ${name}`);
    this.#results.set(name, result);
    return result;
  }

  #touch(what: string): void {
    this.#touches.set(what, (this.#touches.get(what) ?? 0) + 1);
  }

  /** A fold counts no touches of its own: it may always be a reason. */
  #logRead(what: string): void {
    const count = this.#touches.get(what);
    const isChanged = () => what === "fold" || this.#touches.get(what) !== count;
    this.#log?.push({ what, isChanged });
  }

  readonly #tracked: Reads = {
    input: (table, slice, key) => {
      this.#logRead(`${table} ${slice} ${key}`);
      return readCell(this.#tables[table], slice, key);
    },
    set: (name) => {
      this.#logRead(`set ${name}`);
      return this.#sets.get(name);
    },
    query: (index, key) => {
      const result = this.#queries[index]?.get(key);
      assert(result);
      this.#logRead(this.#program[index]?.type === "fold" ? "fold" : `query ${index} ${key}`);
      return result;
    },
  };

  /** Remembers nothing, knows nothing of the library. */
  readonly #plain: Reads = {
    input: (table, slice, key) => {
      const cell = this.#cells.get(`${table} ${key}`);
      return cell && sliceOf(cell, slice);
    },
    set: (name) => this.#members.get(name) ?? [],
    query: (index, key) => this.fresh(index, key),
  };

  fresh(index: number, key: Key): Result {
    const program = this.#program[index];
    assert(program);
    return runQuery(program, index, key, this.#plain);
  }

  play(step: Step): void {
    switch (step.type) {
      case "set":
        return this.#set(step.table, step.key, step.cell);
      case "delete":
        return this.#delete(step.table, step.key);
      case "recreate": {
        const cell = this.#cells.get(`${step.table} ${step.key}`);
        this.#delete(step.table, step.key);
        return cell && this.#set(step.table, step.key, cell);
      }
      case "join":
        return this.#join(step.key, step.sets);
      case "recompute":
        return this.recompute(step.budget);
      default:
        return this.#ask(step.type, step.query % this.#queries.length, step.key);
    }
  }

  #set(table: Table, key: Key, cell: Cell): void {
    const before = this.#cells.get(`${table} ${key}`);
    const differs = (slice: Slice): boolean =>
      before === undefined || sliceOf(before, slice) !== sliceOf(cell, slice);
    const isChange = differs("one") || differs("two");
    assertEquals(this.#tables[table].set(key, cell), isChange);
    if (!isChange) return;
    for (const slice of ["one", "two"] as const) {
      if (differs(slice)) this.#touch(`${table} ${slice} ${key}`);
    }
    this.#touch(`${table} all ${key}`);
    this.#cells.set(`${table} ${key}`, cell);
  }

  #delete(table: Table, key: Key): void {
    const isChange = this.#cells.delete(`${table} ${key}`);
    assertEquals(this.#tables[table].delete(key), isChange);
    if (!isChange) return;
    for (const slice of ["one", "two", "all"]) this.#touch(`${table} ${slice} ${key}`);
  }

  #join(member: Key, sets: readonly Key[]): void {
    const before = this.#sets.groupsOf(member);
    this.#sets.set(member, sets);
    for (const name of new Set([...before, ...sets])) {
      if (before.includes(name) === sets.includes(name)) continue;
      this.#touch(`set ${name}`);
      const others = (this.#members.get(name) ?? []).filter((other) => other !== member);
      this.#members.set(name, sets.includes(name) ? [...others, member].sort() : others);
    }
  }

  #ask(type: "want" | "unwant" | "get", query: number, key: Key): void {
    const table = this.#queries[query];
    if (type === "get") return assertEquals(table?.get(key), this.fresh(query, key));
    if (type === "want") {
      table?.want(key);
      this.#wanted.set(`${query} ${key}`, { query, key });
    } else {
      table?.unwant(key);
      this.#wanted.delete(`${query} ${key}`);
      this.#told.delete(`${query} ${key}`);
    }
  }

  /** In steps of `budget` memos; then everything that the library promises is looked at. */
  recompute(budget: number): void {
    const recompute = new Recompute(this.database);
    let used = 0;
    while (!recompute.step(() => ++used % budget === 0));
    this.#queries.forEach((table, index) => {
      for (const { key, before, after } of table.takeChanges()) {
        const name = `${index} ${key}`;
        assert(this.#told.get(name) === before, `${name}: the value before is the one told last`);
        assert(after && !equal(before, after), `${name}: an equal value is no change`);
        this.#told.set(name, after);
      }
    });
    this.#forgetLogs();
    const check = new Check(this.database);
    for (const [name, { query, key }] of this.#wanted) {
      const table = this.#queries[query];
      assert(table);
      assertEquals(table.peek(key), this.fresh(query, key));
      assert(this.#told.get(name) === table.peek(key), `${name}: what was told is what there is`);
      const difference = check.compare(table, key);
      assert(!difference, difference && describeDifference(difference));
    }
    check.end();
    const { runCount } = this.database;
    new Recompute(this.database).step();
    assertEquals(this.database.runCount, runCount, "nothing changed, so nothing runs");
  }

  /** A memo that was collected may run again without a reason. */
  #forgetLogs(): void {
    for (const name of this.#logs.keys()) {
      const [index, key] = name.split(" ");
      const isThere = [...this.#queries[Number(index)]?.keys() ?? []].some((found) =>
        found === key
      );
      if (!isThere) this.#logs.delete(name);
    }
  }

  /** Lets everything go; what is left is a leak. */
  end(): void {
    for (const { query, key } of this.#wanted.values()) this.#queries[query]?.unwant(key);
    new Recompute(this.database).step();
    for (const table of this.#queries) assertEquals(table.size, 0, `${table.name} is empty`);
    for (const name of tables) {
      assertEquals(
        this.#tables[name].entryCount,
        this.#tables[name].size,
        `${name} has no absences`,
      );
    }
    const groups = new Set([...this.#members].filter(([, found]) => found.length > 0));
    assertEquals(this.#sets.groupCount, groups.size, "no empty set is left");
  }
}

function sliceOf(cell: Cell, slice: Slice): number {
  return slice === "all" ? cell.one + cell.two : cell[slice];
}

function readCell(table: InputTable<Key, Cell>, slice: Slice, key: Key): number | undefined {
  if (slice !== "all") return table.read(slice === "one" ? one : two, key);
  const cell = table.get(key);
  return cell && sliceOf(cell, "all");
}

Deno.test("Random programs give what a computation from scratch gives, and run no more than they must", () => {
  let stepCount = 0;
  const property = fc.property(
    programs,
    fc.array(steps, { minLength: 20, maxLength: 60 }),
    (program, steps) => {
      const world = new World(program);
      for (const step of steps) {
        world.play(step);
        stepCount++;
      }
      world.recompute(3);
      world.end();
    },
  );
  checkSeeded(property, { name: "query programs", runs: 900, tally: () => `${stepCount} steps` });
  if (!hasRunsArgument()) assert(stepCount >= 20_000, `only ${stepCount} steps`);
});
