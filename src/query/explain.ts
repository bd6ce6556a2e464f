/**
 * Why a memo has its value: what it read, and which change of an input last altered it.
 *
 * Nothing is recorded for this beyond what the computation needs; what is told is read off the graph
 * and stays as it was, whatever changes later.
 */

import { dependenciesOf } from "./fold_node.ts";
import type { MemoTable } from "./memo_table.ts";
import { type InputChange, LeafNode, MemoNode, pending } from "./node.ts";

/** What was read: a part of an input, or the result of a query with what it read itself. */
export interface ReadNode {
  /** Of the input or of the query. */
  readonly name: string;
  readonly key: string;
  /** The revision at which it last became another value. */
  readonly changedAt: number;
  /** The change of an input that made it so. */
  readonly cause: InputChange;
  /** Undefined: the result of a query. */
  readonly input?: {
    /** Empty: all of it. */
    readonly slice: string;
    /** How many there are: members of a set; else one value, or none. */
    readonly count: number;
  };
  /** The result of a query; not to be changed. */
  readonly value?: unknown;
  /** In the order of the reads; of a fold, its set and then its members. */
  readonly reads: readonly ReadNode[];
  /** It read more than is listed. */
  readonly isCut: boolean;
}

/** How far reads are followed. */
export interface ReadLimits {
  /** Nodes in all; the nearest are taken first. */
  readonly nodesMax: number;
  /** Reads of one query: the first ones, and the one that changed last. */
  readonly readsMax: number;
  /** Whether a read is told at all. */
  readonly follows?: (reader: string, read: string) => boolean;
}

interface OpenNode extends ReadNode {
  readonly reads: ReadNode[];
  isCut: boolean;
}

/**
 * The memo of `key` with all that it follows from, within `limits`; undefined when there is no value
 * for it. What is read on several ways is one node.
 */
export function takeReads<Key extends string, Value>(
  table: MemoTable<Key, Value>,
  key: Key,
  limits: ReadLimits,
): ReadNode | undefined {
  const start = table.findNode(key);
  if (!start || start.value === pending) return undefined;
  const root = toReadNode(start);
  const seen = new Map<LeafNode | MemoNode, OpenNode>([[start, root]]);
  // A map that grows while it is walked is walked to its end: breadth first.
  for (const [node, told] of seen) {
    if (!(node instanceof MemoNode)) continue;
    for (const read of readsOf(node, told, limits)) {
      let known = seen.get(read);
      if (!known && seen.size >= limits.nodesMax) {
        told.isCut = true;
        continue;
      }
      if (!known) seen.set(read, known = toReadNode(read));
      told.reads.push(known);
    }
  }
  return root;
}

function readsOf(
  node: MemoNode,
  told: OpenNode,
  { readsMax, follows }: ReadLimits,
): readonly (LeafNode | MemoNode)[] {
  const reads: (LeafNode | MemoNode)[] = [];
  let newest: LeafNode | MemoNode | undefined;
  for (const read of dependenciesOf(node)) {
    if (follows && !follows(node.owner.name, read.owner.name)) continue;
    if (reads.length < readsMax) {
      reads.push(read);
      continue;
    }
    told.isCut = true;
    if (newest === undefined || read.changedAt > newest.changedAt) newest = read;
  }
  const isNewest = newest !== undefined &&
    reads.every(({ changedAt }) => changedAt < (newest?.changedAt ?? 0));
  return newest && isNewest ? [...reads, newest] : reads;
}

function toReadNode(node: LeafNode | MemoNode): OpenNode {
  const { key, changedAt, cause, owner } = node;
  const told = { name: owner.name, key, changedAt, cause, reads: [], isCut: false };
  return node instanceof LeafNode
    ? { ...told, input: { slice: node.sliceName, count: node.owner.countOf(node) } }
    : { ...told, value: node.value };
}

/** The change of an input that last altered the value of `key`; undefined when there is no memo. */
export function causeOf<Key extends string, Value>(
  table: MemoTable<Key, Value>,
  key: Key,
): InputChange | undefined {
  return table.findNode(key)?.cause;
}
