/**
 * The memos of one query by key, and what queries and folds have in common: tracked reads, wanted
 * keys, and the changes of these.
 *
 * A memo is there as long as something that is wanted reads it, or it is wanted itself.
 */

import { equal } from "../base/equal.ts";
import { invariant } from "../base/invariant.ts";
import type { Database } from "./database.ts";
import { dependenciesOf } from "./fold_node.ts";
import { describeNode, dirtyFlag, type MemoNode, type MemoOwner, pending } from "./node.ts";
import type { ScratchRun, ScratchTable } from "./scratch_run.ts";

/** What became of a wanted key. Undefined: there was no value, or the value is undefined. */
export interface ValueChange<Key, Value> {
  readonly key: Key;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

/** Changes that were taken out and may be put back, all of them. */
export interface OpenChanges<Key, Value> extends Iterable<ValueChange<Key, Value>> {
  putBack(): void;
}

/** See the file's header. */
export abstract class MemoTable<Key extends string, Value>
  implements MemoOwner<Key, Value>, ScratchTable {
  readonly name: string;
  /** Among what is wanted, and among barriers, a lower rank is verified first. */
  readonly rank: number;
  /** Whether a change of what it reads spreads no further before the value is found to differ. */
  readonly isBarrier: boolean;
  protected readonly database: Database;
  readonly #nodes = new Map<Key, MemoNode<Key, Value>>();
  /** Wanted keys whose value changed, with the value that was told last. */
  #changed = new Map<Key, Value | undefined>();
  /** Values of a check. */
  readonly #fresh = new Map<Key, { readonly value: Value }>();

  constructor(database: Database, name: string, rank: number, isBarrier = false) {
    this.database = database;
    this.name = name;
    this.rank = rank;
    this.isBarrier = isBarrier;
  }

  /** How many memos there are. */
  get size(): number {
    return this.#nodes.size;
  }

  /** The value at this revision, verified or computed if need be. A tracked read. */
  get(key: Key): Value {
    const { scratch } = this.database;
    if (scratch) return this.#getFresh(key, scratch);
    const node = this.nodeOf(key);
    this.database.record(node);
    this.database.refresh(node);
    invariant(node.value !== pending, "A verified memo has a value");
    return node.value;
  }

  /** The value as it was last verified, without a read or a computation; undefined: never. */
  peek(key: Key): Value | undefined {
    const value = this.#nodes.get(key)?.value;
    return value === pending ? undefined : value;
  }

  /** Wants `key`: recomputes keep it up to date and tell its changes, the first value included. */
  want(key: Key): void {
    const node = this.nodeOf(key);
    if (!this.database.want(node) || node.value === pending) return;
    if (!this.#changed.has(key)) this.#changed.set(key, undefined);
  }

  /** The opposite of {@linkcode want}. Of what is not wanted no change is told. */
  unwant(key: Key): void {
    this.#changed.delete(key);
    const node = this.#nodes.get(key);
    if (node) this.database.unwant(node);
  }

  /** Wants no key any more. */
  unwantAll(): void {
    for (const key of this.#nodes.keys()) this.unwant(key);
  }

  /** Whether there is anything to take. */
  get hasChanges(): boolean {
    return this.#changed.size > 0;
  }

  /** What became of the wanted keys since the last call, in no order. Between recomputes only. */
  takeChanges(): readonly ValueChange<Key, Value>[] {
    return this.hasChanges ? [...this.openChanges()] : [];
  }

  /** The same to be looked at one after the other; what is put back is told again. */
  openChanges(): OpenChanges<Key, Value> {
    invariant(!this.database.isFrozen, "Changes are told when the recompute is done");
    const open = this.#changed;
    // A map that is cleared leaves its old table behind with a link to the new one. Such a chain holds
    // every value before until a full collection: at 10,000 routes that was most of a change's time.
    if (open.size > 0) this.#changed = new Map();
    return {
      [Symbol.iterator]: () => this.#settleAll(open),
      putBack: () => {
        // What was told last is older than what changed since.
        for (const [key, before] of open) this.#changed.set(key, before);
      },
    };
  }

  *#settleAll(open: ReadonlyMap<Key, Value | undefined>): Generator<ValueChange<Key, Value>> {
    for (const [key, before] of open) {
      const after = this.#settle(key, before);
      if (!Object.is(before, after)) yield { key, before, after };
    }
  }

  /** A read between recomputes may have seen another value, and then the first one came back. */
  #settle(key: Key, before: Value | undefined): Value | undefined {
    const node = this.#nodes.get(key);
    if (!node || node.value === pending) return undefined;
    if (before !== undefined) node.value = this.keep(before, node.value);
    return node.value;
  }

  /** The keys that have a memo, in no order: for traces and tests. */
  keys(): IterableIterator<Key> {
    return this.#nodes.keys();
  }

  /** The memo of `key`, made if need be. For the files beside. */
  nodeOf(key: Key): MemoNode<Key, Value> {
    let node = this.#nodes.get(key);
    if (!node) {
      this.#nodes.set(key, node = this.makeNode(key));
      this.database.consider(node);
    }
    return node;
  }

  /** The memo of `key`, if there is one. For the files beside. */
  findNode(key: Key): MemoNode<Key, Value> | undefined {
    return this.#nodes.get(key);
  }

  /** For the database. */
  noteChange({ key }: MemoNode<Key, Value>, before: Value | typeof pending): void {
    if (!this.#changed.has(key)) this.#changed.set(key, before === pending ? undefined : before);
  }

  /** For the database. */
  forget({ key }: MemoNode<Key, Value>): void {
    this.#nodes.delete(key);
  }

  /** For the check. */
  forgetFresh(): void {
    this.#fresh.clear();
  }

  #getFresh(key: Key, scratch: ScratchRun): Value {
    const what = `${this.name} "${key}"`;
    scratch.noteRead(what);
    const found = this.#fresh.get(key);
    if (found) return found.value;
    const { value, reads } = scratch.compute(this, what, () => this.compute(key));
    this.#fresh.set(key, { value });
    const node = this.#nodes.get(key);
    if (!node || node.value === pending || node.flags & dirtyFlag) return value;
    if (!equal(node.value, value)) {
      scratch.report(what, {
        query: this.name,
        key,
        memoised: node.value,
        fresh: value,
        unrecorded: this.#unrecorded(node, reads),
      });
    }
    return value;
  }

  #unrecorded(node: MemoNode<Key, Value>, reads: ReadonlySet<string>): readonly string[] {
    const recorded = new Set([...dependenciesOf(node)].map(describeNode));
    return [...reads].filter((read) => !recorded.has(read));
  }

  /** The value of `key` with nothing remembered; its reads go where the database sends them. */
  abstract compute(key: Key): Value;
  abstract keep(previous: Value, next: Value): Value;
  protected abstract makeNode(key: Key): MemoNode<Key, Value>;
}
