/**
 * An immutable map from texts, in their order, of which a changed copy costs little.
 *
 * A copy shares all but a few short runs of entries with the map that it was made from, so one change
 * among ten thousand entries costs microseconds. Reads take a binary search. Order is that of UTF-16
 * code units, never a locale's.
 */

import { placeOf } from "./sorted_edits.ts";

/** One change: the new value, or undefined to remove the key. */
export type MapChange<Key, Value> = readonly [key: Key, value: Value | undefined];

/**
 * Entries in order; never empty, never changed.
 *
 * A class, because V8 comes to allocate literals of this kind among the old objects, from where a dead
 * one keeps alive what it points to: with runs as literals a change among 10,000 routes spent most of
 * its time in collections.
 */
class Run<Key, Value> {
  readonly keys: readonly Key[];
  readonly values: readonly Value[];

  constructor(keys: readonly Key[], values: readonly Value[]) {
    this.keys = keys;
    this.values = values;
  }
}

/** A run that grew longer is cut in two. */
const runMax = 64;

/** See the file's header. Values are never undefined. */
export class SortedMap<Key extends string, Value extends NonNullable<unknown>>
  implements ReadonlyMap<Key, Value> {
  readonly size: number;
  /** Not for readers; visible, so that a deep comparison sees what is different. */
  readonly runs: readonly Run<Key, Value>[];

  /** An empty map; use {@linkcode SortedMap.edit} to fill it. */
  constructor(runs: readonly Run<Key, Value>[] = [], size = 0) {
    this.runs = runs;
    this.size = size;
  }

  get(key: Key): Value | undefined {
    const run = this.runs[findRun(this.runs, key)];
    if (!run) return undefined;
    const place = placeOf(run.keys, key);
    return run.keys[place] === key ? run.values[place] : undefined;
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  /** A map with these changes, of which the last one for a key counts; this one stays as it is. */
  edit(changes: Iterable<MapChange<Key, Value>>): SortedMap<Key, Value> {
    const sorted = [...new Map(changes)].sort(([a], [b]) => a < b ? -1 : 1);
    if (sorted.length === 0) return this;
    const runs: Run<Key, Value>[] = [];
    let next = 0;
    for (let index = 0; index < this.runs.length || next < sorted.length; index++) {
      const run = this.runs[index] ?? new Run<Key, Value>([], []);
      const start = next;
      // The last run takes all that comes after it.
      const end = this.runs[index + 1]?.keys[0];
      while (next < sorted.length && (end === undefined || (sorted[next]?.[0] ?? "") < end)) next++;
      if (start === next) runs.push(run);
      else pushRuns(runs, mergeRun(run, sorted.slice(start, next)));
    }
    return new SortedMap(runs, runs.reduce((size, { keys }) => size + keys.length, 0));
  }

  *entries(): MapIterator<[Key, Value]> {
    for (const { keys, values } of this.runs) {
      for (let index = 0; index < keys.length; index++) {
        const key = keys[index];
        const value = values[index];
        if (key !== undefined && value !== undefined) yield [key, value];
      }
    }
  }

  *keys(): MapIterator<Key> {
    for (const { keys } of this.runs) yield* keys;
  }

  *values(): MapIterator<Value> {
    for (const { values } of this.runs) yield* values;
  }

  [Symbol.iterator](): MapIterator<[Key, Value]> {
    return this.entries();
  }

  forEach(
    callback: (value: Value, key: Key, map: ReadonlyMap<Key, Value>) => void,
    thisArg?: unknown,
  ): void {
    for (const [key, value] of this) callback.call(thisArg, value, key, this);
  }

  /** Nothing, as of a Map: what a map holds may be secret. */
  toJSON(): Readonly<Record<string, never>> {
    return {};
  }
}

/** The index of the run that `key` is in or belongs into. */
function findRun<Key extends string>(
  runs: readonly { readonly keys: readonly Key[] }[],
  key: Key,
): number {
  let low = 0;
  let high = runs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const first = runs[middle]?.keys[0];
    if (first !== undefined && first <= key) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** From so many changes on it is faster to write a run anew. */
const placedMax = 4;

function mergeRun<Key extends string, Value>(
  run: Run<Key, Value>,
  changes: readonly MapChange<Key, Value>[],
): Run<Key, Value> {
  return changes.length > placedMax ? rewriteRun(run, changes) : changes.reduce(changeRun, run);
}

function changeRun<Key extends string, Value>(
  run: Run<Key, Value>,
  [key, value]: MapChange<Key, Value>,
): Run<Key, Value> {
  const { keys, values } = run;
  const place = placeOf(keys, key);
  const isThere = keys[place] === key;
  if (value === undefined) {
    return isThere ? new Run(keys.toSpliced(place, 1), values.toSpliced(place, 1)) : run;
  }
  return isThere
    ? new Run(keys, values.with(place, value))
    : new Run(keys.toSpliced(place, 0, key), values.toSpliced(place, 0, value));
}

function rewriteRun<Key extends string, Value>(
  run: Run<Key, Value>,
  changes: readonly MapChange<Key, Value>[],
): Run<Key, Value> {
  const keys: Key[] = [];
  const values: Value[] = [];
  const push = (from: number, end: number): void => {
    keys.push(...run.keys.slice(from, end));
    values.push(...run.values.slice(from, end));
  };
  let from = 0;
  for (const [key, value] of changes) {
    const place = placeOf(run.keys, key);
    push(from, place);
    from = run.keys[place] === key ? place + 1 : place;
    if (value === undefined) continue;
    keys.push(key);
    values.push(value);
  }
  push(from, run.keys.length);
  return new Run(keys, values);
}

/** Appends `run` in pieces that are not too long; a short one joins the one before it. */
function pushRuns<Key, Value>(runs: Run<Key, Value>[], { keys, values }: Run<Key, Value>): void {
  const before = runs.at(-1);
  if (before && before.keys.length + keys.length <= runMax) {
    runs[runs.length - 1] = new Run([...before.keys, ...keys], [...before.values, ...values]);
    return;
  }
  const pieces = Math.ceil(keys.length / runMax);
  for (let piece = 0; piece < pieces; piece++) {
    const from = Math.floor(piece * keys.length / pieces);
    const end = Math.floor((piece + 1) * keys.length / pieces);
    runs.push(new Run(keys.slice(from, end), values.slice(from, end)));
  }
}
