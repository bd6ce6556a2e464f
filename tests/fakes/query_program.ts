/**
 * Random programs of inputs and queries, and a second way to run them that remembers nothing.
 *
 * A program is a list of queries, each reading inputs, sets and queries before it; which keys it
 * reads, and how many, depends on what it read so far. Results are small numbers in small objects, so
 * that equal results are common. A later query may be a fold over a set.
 */

import fc from "fast-check";

/** Keys of inputs, members of sets and keys of queries are the same few words. */
export const keys = ["a", "b", "c", "d", "e"] as const;
/** One of {@linkcode keys}. */
export type Key = typeof keys[number];
/** Names of sets are keys too, so that a query may read the set of its key. */
export const tables = ["left", "right"] as const;
/** One of {@linkcode tables}. */
export type Table = typeof tables[number];

/** What an input holds: two slices that are read on their own, and one that nobody reads. */
export interface Cell {
  readonly one: number;
  readonly two: number;
  readonly unread: number;
}

/** Where an operation looks: at the key of its query, at a fixed one, or where its sum says. */
export type Place = "own" | "sum" | Key;

/** One read of a query. */
export type Operation =
  | { readonly type: "input"; readonly table: Table; readonly slice: Slice; readonly at: Place }
  | { readonly type: "set"; readonly at: Place; readonly each: Slice | "nothing" }
  | { readonly type: "query"; readonly back: number; readonly at: Place }
  /** Leaves out the next operation when the sum is odd. */
  | { readonly type: "branch" };

/** A slice, or all of the input. */
export type Slice = "one" | "two" | "all";

/** A query: reads and what is kept of their sum; or a fold over the set of its key. */
export type QueryProgram =
  | {
    readonly type: "query";
    readonly operations: readonly Operation[];
    readonly modulus: number;
    /** Its rank is its place in the program. */
    readonly isBarrier: boolean;
  }
  | { readonly type: "fold"; readonly back: number };

/** A result. The list makes sharing of parts visible. */
export interface Result {
  readonly sum: number;
  readonly parts: readonly { readonly member: Key; readonly sum: number }[];
}

/** How a program reads; tracked or not. */
export interface Reads {
  input(table: Table, slice: Slice, key: Key): number | undefined;
  set(name: Key): readonly Key[];
  query(index: number, key: Key): Result;
}

/** Runs query `index` of a program for `key`. */
export function runQuery(program: QueryProgram, index: number, key: Key, reads: Reads): Result {
  if (program.type === "fold") return runFold(program.back, index, key, reads);
  let sum = 0;
  const placeOf = (at: Place): Key =>
    at === "own" ? key : at === "sum" ? keys[sum % keys.length] ?? "a" : at;
  for (let step = 0; step < program.operations.length; step++) {
    const operation = program.operations[step];
    if (!operation) break;
    if (operation.type === "branch") step += sum % 2;
    else sum += runOperation(operation, index, placeOf(operation.at), reads);
  }
  return { sum: sum % program.modulus, parts: [{ member: key, sum: sum % 2 }] };
}

function runOperation(
  operation: Exclude<Operation, { readonly type: "branch" }>,
  index: number,
  key: Key,
  reads: Reads,
): number {
  if (operation.type === "input") return reads.input(operation.table, operation.slice, key) ?? 7;
  if (operation.type === "query") {
    const before = earlier(index, operation.back);
    return before === undefined ? 1 : reads.query(before, key).sum;
  }
  const { each } = operation;
  const members = reads.set(key);
  if (each === "nothing") return members.length;
  return members.reduce((sum, member) => sum + (reads.input("left", each, member) ?? 3), 0);
}

/** The index of an earlier query; undefined for the first one. */
export function earlier(index: number, back: number): number | undefined {
  return index === 0 ? undefined : index - 1 - back % index;
}

function runFold(back: number, index: number, key: Key, reads: Reads): Result {
  const before = earlier(index, back);
  const parts = before === undefined ? [] : reads.set(key).map((member) => ({
    member,
    sum: reads.query(before, member).sum,
  }));
  return foldResult(new Map(parts.map(({ member, sum }) => [member, sum])));
}

/** The result of a fold over these parts. */
export function foldResult(parts: ReadonlyMap<Key, number>): Result {
  const sorted = [...parts].sort(([a], [b]) => a < b ? -1 : 1);
  return {
    sum: sorted.reduce((sum, [, part]) => sum + part, 0),
    parts: sorted.map(([member, sum]) => ({ member, sum })),
  };
}

/** What happens between and to recomputes. */
export type Step =
  | { readonly type: "set"; readonly table: Table; readonly key: Key; readonly cell: Cell }
  | { readonly type: "delete"; readonly table: Table; readonly key: Key }
  | { readonly type: "recreate"; readonly table: Table; readonly key: Key }
  | { readonly type: "join"; readonly key: Key; readonly sets: readonly Key[] }
  | { readonly type: "want" | "unwant" | "get"; readonly query: number; readonly key: Key }
  | { readonly type: "recompute"; readonly budget: number };

const key = fc.constantFrom(...keys);
const table = fc.constantFrom(...tables);
const small = fc.integer({ min: 0, max: 3 });
const place = fc.oneof(
  fc.constantFrom<Place>("own", "sum", "sum"),
  key,
);
const slice = fc.constantFrom<Slice>("one", "two", "all");

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant("input"), table, slice, at: place }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("set"),
      at: place,
      each: fc.constantFrom<Slice | "nothing">("one", "two", "all", "nothing"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant("query"), back: fc.nat({ max: 5 }), at: place }),
  },
  { weight: 2, arbitrary: fc.constant<Operation>({ type: "branch" }) },
);

const query: fc.Arbitrary<QueryProgram> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("query"),
      operations: fc.array(operation, { maxLength: 5 }),
      modulus: fc.integer({ min: 1, max: 6 }),
      isBarrier: fc.constantFrom(false, false, true),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("fold"), back: fc.nat({ max: 5 }) }),
  },
);

/** Programs of a few queries. */
export const programs = fc.array(query, { minLength: 1, maxLength: 7 });

const cell = fc.record({ one: small, two: small, unread: small });
const target = { query: fc.nat({ max: 6 }), key };

/** Steps; most change an input, many recompute. */
export const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("set"), table, key, cell }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("delete"), table, key }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("recreate"), table, key }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant("join"), key, sets: fc.subarray([...keys]) }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("want"), ...target }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("unwant"), ...target }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("get"), ...target }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("recompute"),
      budget: fc.integer({ min: 1, max: 9 }),
    }),
  },
);
