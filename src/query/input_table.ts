/**
 * An input: values by key, read in named slices, each a dependency of its own.
 *
 * Putting in a value changes the slices in which it differs from the one before, and nothing else of
 * the world. A key without a value is a fact like any other: a query that read its absence runs again
 * when it comes. A removed value stays as an absence with a revision of its own for as long as
 * something has read it.
 */

import { equal } from "../base/equal.ts";
import { invariant } from "../base/invariant.ts";
import type { Database } from "./database.ts";
import { describeInput, type InputChange, LeafNode, type LeafOwner, noChange } from "./node.ts";

/** One part of a value. */
export interface Slice<Value, Part> {
  /** As a person knows it, such as a field's path. Empty: the whole value. */
  readonly name: string;
  /** Its place in the input's list, from 0. */
  readonly index: number;
  /** Cheap and pure. */
  read(value: Value): Part;
}

interface Entry<Value> {
  value: Value | undefined;
  /** What made the value what it is, or took it away. */
  change: InputChange;
  /** By slice; the last place is for the whole value. */
  leaves: (LeafNode | undefined)[] | undefined;
}

/** See the file's header. */
export class InputTable<Key extends string, Value extends NonNullable<unknown>>
  implements LeafOwner {
  readonly name: string;
  readonly #database: Database;
  readonly #slices: readonly Slice<Value, unknown>[];
  readonly #sliceNames: readonly string[];
  readonly #entries = new Map<Key, Entry<Value>>();
  #size = 0;

  /** @param slices all that a query may read; what differs elsewhere is no change */
  constructor(database: Database, name: string, slices: readonly Slice<Value, unknown>[]) {
    this.name = name;
    this.#database = database;
    this.#slices = slices;
    this.#sliceNames = slices.map((slice) => slice.name);
    invariant(
      slices.every(({ index }, place) => index === place),
      `Slices of "${name}" are in order`,
    );
  }

  /** How many keys have a value. */
  get size(): number {
    return this.#size;
  }

  /** How many keys are known, absent ones that something reads included. */
  get entryCount(): number {
    return this.#entries.size;
  }

  /**
   * Puts `value` in the place of what `key` had. False when no slice differs: then the earlier value
   * stays, and the revision does not move.
   */
  set(key: Key, value: Value): boolean {
    const entry = this.#entries.get(key);
    const before = entry?.value;
    const changed = before === undefined ? undefined : this.#differences(before, value);
    if (changed?.length === 0) return false;
    const names = changed ? changed.map(({ name }) => name) : this.#sliceNames;
    const change = this.#database.advance(this.name, key, names);
    if (!entry) {
      this.#entries.set(key, { value, change, leaves: undefined });
      this.#size++;
      return true;
    }
    if (before === undefined) this.#size++;
    entry.value = value;
    entry.change = change;
    this.#tell(entry, changed, change);
    return true;
  }

  /** Leaves an absence. False when there is no value. */
  delete(key: Key): boolean {
    const entry = this.#entries.get(key);
    if (entry?.value === undefined) return false;
    const change = this.#database.advance(this.name, key, this.#sliceNames);
    this.#size--;
    entry.value = undefined;
    entry.change = change;
    this.#tell(entry, undefined, change);
    if (!entry.leaves) this.#entries.delete(key);
    return true;
  }

  /** A tracked read of one slice, or of there being no value. */
  read<Part>(slice: Slice<Value, Part>, key: Key): Part | undefined {
    const value = this.#read(key, slice.index, slice.name);
    return value === undefined ? undefined : slice.read(value);
  }

  /** A tracked read of all slices at once. */
  get(key: Key): Value | undefined {
    return this.#read(key, this.#slices.length, "");
  }

  /** The value as it is now, for who is no query. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** The last change of `key`; undefined when it has no value and none is remembered. */
  lastChange(key: Key): InputChange | undefined {
    return this.#entries.get(key)?.change;
  }

  /** The keys that have a value, in no order, for who is no query. */
  *keys(): Generator<Key> {
    for (const [key, { value }] of this.#entries) if (value !== undefined) yield key;
  }

  /**
   * Forgets a value that no memo has read, which is no change. False when it has been read, or is
   * not there.
   */
  dropUnread(key: Key): boolean {
    const entry = this.#entries.get(key);
    if (entry?.value === undefined || entry.leaves) return false;
    this.#size--;
    return this.#entries.delete(key);
  }

  /** For the files beside. */
  countOf({ key }: LeafNode): number {
    const entries: ReadonlyMap<string, Entry<Value>> = this.#entries;
    return entries.get(key)?.value === undefined ? 0 : 1;
  }

  /** For the database. */
  forget({ key, slice }: LeafNode): void {
    const entries: Map<string, Entry<Value>> = this.#entries;
    const entry = entries.get(key);
    if (!entry?.leaves) return;
    entry.leaves[slice] = undefined;
    if (entry.leaves.some((leaf) => leaf !== undefined)) return;
    entry.leaves = undefined;
    if (entry.value === undefined) entries.delete(key);
  }

  #read(key: Key, slice: number, name: string): Value | undefined {
    let entry = this.#entries.get(key);
    if (this.#database.isRecording) {
      if (!entry) {
        entry = { value: undefined, change: noChange, leaves: undefined };
        this.#entries.set(key, entry);
      }
      entry.leaves ??= new Array<LeafNode | undefined>(this.#slices.length + 1).fill(undefined);
      let leaf = entry.leaves[slice];
      if (!leaf) {
        leaf = entry.leaves[slice] = new LeafNode(this, key, slice, name, entry.change);
        this.#database.consider(leaf);
      }
      this.#database.record(leaf);
    } else this.#database.scratch?.noteRead(describeInput(this.name, key, name));
    return entry?.value;
  }

  #differences(before: Value, value: Value): readonly Slice<Value, unknown>[] {
    if (before === value) return [];
    return this.#slices.filter((slice) => !equal(slice.read(before), slice.read(value)));
  }

  #tell(
    { leaves }: Entry<Value>,
    slices: readonly Slice<Value, unknown>[] | undefined,
    change: InputChange,
  ): void {
    if (!leaves) return;
    for (const { index } of slices ?? this.#slices) {
      const leaf = leaves[index];
      if (leaf) this.#database.leafChanged(leaf, change);
    }
    const whole = leaves[this.#slices.length];
    if (whole) this.#database.leafChanged(whole, change);
  }
}
