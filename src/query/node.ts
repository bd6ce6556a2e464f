/**
 * The graph of a computation: leaves, which are parts of inputs, and memos, which are results.
 *
 * Every node knows its readers; every memo knows what it read, in that order. There will be tens of
 * thousands of nodes, so a node is a few plain fields: no closure, no list before the second reader.
 * The rules by which nodes change are in database.ts.
 */

/** What was done to an input: the cause that explain names. */
export interface InputChange {
  /** The name of the input. */
  readonly input: string;
  readonly key: string;
  /** The slices that are different now; all of them when the value came or went. */
  readonly slices: readonly string[];
  /** The revision that the change made; 0 for an input that nothing was ever put into. */
  readonly revision: number;
  /** As the caller said; the library has no clock. */
  readonly atMs: number;
  /** Of a set: which member came or left. */
  readonly member?: { readonly key: string; readonly hasEntered: boolean };
}

/** The cause of what no input had a part in. */
export const noChange: InputChange = { input: "", key: "", slices: [], revision: 0, atMs: 0 };

/** The value of a memo that was not computed yet. */
export const pending: unique symbol = Symbol("pending");

/** Its inputs changed, perhaps: its value may not be shown before it was verified. */
export const dirtyFlag = 1;
/** It is being verified or computed: to read it now is a cycle. */
export const activeFlag = 2;
/** It is wanted by the caller, whether or not anything reads it. */
export const rootFlag = 4;
/** It waits for the collector to look at it. */
export const candidateFlag = 8;
/** Its readers are dirty only once its value is found to be another one. */
export const barrierFlag = 16;

/** The readers of one node: whichever form is smallest; readers.ts edits it. */
export type Readers = undefined | MemoNode | MemoNode[] | Set<MemoNode>;

/** What leaves and memos have in common. */
export abstract class QueryNode {
  flags = 0;
  /** Which run recorded it last; saves most duplicates. */
  mark = 0;
  readers: Readers = undefined;
  /** The revision at which its value last became another one. */
  changedAt: number;
  /** The input change that made it so. */
  cause: InputChange;

  constructor(changedAt: number, cause: InputChange) {
    this.changedAt = changedAt;
    this.cause = cause;
  }
}

/** An input as the graph sees it. */
export interface LeafOwner {
  readonly name: string;
  /** How many there are of what `leaf` stands for: members of a set; else one value, or none. */
  countOf(leaf: LeafNode): number;
  /** Nothing reads `leaf` any more. */
  forget(leaf: LeafNode): void;
}

/** A part of an input that something read: one slice of one value, or one set. */
export class LeafNode extends QueryNode {
  readonly owner: LeafOwner;
  readonly key: string;
  /** Which part, by its place in the input's list of slices. */
  readonly slice: number;
  readonly sliceName: string;

  constructor(owner: LeafOwner, key: string, slice: number, name: string, cause: InputChange) {
    super(cause.revision, cause);
    this.owner = owner;
    this.key = key;
    this.slice = slice;
    this.sliceName = name;
  }
}

/** A query as the graph sees it. Methods, not functions: keys and values differ by query. */
export interface MemoOwner<Key extends string, Value> {
  readonly name: string;
  readonly rank: number;
  readonly isBarrier: boolean;
  /** Computes anew, reading through the database. */
  compute(key: Key): Value;
  /** `next`, or what of `previous` may stay in its place: equal results keep their identity. */
  keep(previous: Value, next: Value): Value;
  /** A wanted value became another one. */
  noteChange(node: MemoNode<Key, Value>, before: Value | typeof pending): void;
  /** Nothing reads `node` any more. */
  forget(node: MemoNode<Key, Value>): void;
}

const noDependencies: readonly QueryNode[] = [];

/** The result of a query for one key. */
export class MemoNode<Key extends string = string, Value = unknown> extends QueryNode {
  readonly owner: MemoOwner<Key, Value>;
  readonly key: Key;
  value: Value | typeof pending = pending;
  /** The revision at which the value was last known to be right. */
  verifiedAt = 0;
  /** What it read, each once, in the order of the first read. */
  dependencies: readonly QueryNode[] = noDependencies;

  constructor(owner: MemoOwner<Key, Value>, key: Key, cause: InputChange) {
    super(0, cause);
    this.owner = owner;
    this.key = key;
    this.flags = owner.isBarrier ? dirtyFlag | barrierFlag : dirtyFlag;
  }
}

/** `name "key"`, as messages and traces print a node. */
export function describeNode(node: LeafNode | MemoNode): string {
  return node instanceof LeafNode
    ? describeInput(node.owner.name, node.key, node.sliceName)
    : `${node.owner.name} "${node.key}"`;
}

/** `input "key" slice`, or without the slice for all of it. */
export function describeInput(input: string, key: string, slice: string): string {
  return slice === "" ? `${input} "${key}"` : `${input} "${key}" ${slice}`;
}
