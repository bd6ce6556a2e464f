/**
 * Why a memo has its value: what it read, and which change of an input last altered it.
 *
 * Nothing is recorded for this beyond what the computation needs; a trace is read off the graph.
 */

import type { MemoTable } from "./memo_table.ts";
import { dependenciesOf } from "./fold_node.ts";
import { type InputChange, LeafNode, MemoNode, type QueryNode } from "./node.ts";

/** One recorded read. */
export type Read =
  & {
    readonly key: string;
    /** The revision at which what was read last became another value. */
    readonly changedAt: number;
    /** The change of an input that made it so. */
    readonly cause: InputChange;
  }
  & (
    | {
      readonly kind: "input";
      readonly input: string; /** Empty: all of it. */
      readonly slice: string;
    }
    | { readonly kind: "query"; readonly query: string }
  );

/** A memo as explain shows it. */
export interface Trace {
  readonly query: string;
  readonly key: string;
  readonly changedAt: number;
  /** The change of an input that last altered the value. */
  readonly cause: InputChange;
  /** In the order of the reads; of a fold, its set and then its members. */
  readonly reads: readonly Read[];
}

/** The trace of one memo; undefined when there is none. */
export function traceOf<Key extends string, Value>(
  table: MemoTable<Key, Value>,
  key: Key,
): Trace | undefined {
  const node = table.findNode(key);
  if (!node) return undefined;
  const reads = [...dependenciesOf(node)].map(readOf);
  return { query: table.name, key, changedAt: node.changedAt, cause: node.cause, reads };
}

/** Inputs behind a value, however many queries lie between. */
export interface InputTrace {
  /** The newest change first. */
  readonly inputs: readonly (Read & { readonly kind: "input" })[];
  /** There are more than were asked for; these are the nearest. */
  readonly isCut: boolean;
}

/** The inputs that the memo of `key` follows from, at most `countMax`, nearest ones first found. */
export function traceInputs<Key extends string, Value>(
  table: MemoTable<Key, Value>,
  key: Key,
  countMax: number,
): InputTrace {
  const inputs: (Read & { readonly kind: "input" })[] = [];
  const start = table.findNode(key);
  const seen = new Set<QueryNode>();
  const queue: QueryNode[] = start ? [start] : [];
  for (const node of queue) {
    if (!(node instanceof MemoNode)) continue;
    for (const dependency of dependenciesOf(node)) {
      if (seen.has(dependency)) continue;
      seen.add(dependency);
      if (dependency instanceof MemoNode) queue.push(dependency);
      else if (inputs.length === countMax) return { inputs: sortByAge(inputs), isCut: true };
      else {
        const read = readOf(dependency);
        if (read.kind === "input") inputs.push(read);
      }
    }
  }
  return { inputs: sortByAge(inputs), isCut: false };
}

function sortByAge<Found extends Read>(reads: Found[]): readonly Found[] {
  return reads.sort((a, b) => b.changedAt - a.changedAt);
}

function readOf(node: LeafNode | MemoNode): Read {
  const { key, changedAt, cause, owner: { name } } = node;
  return node instanceof LeafNode
    ? { kind: "input", input: name, key, slice: node.sliceName, changedAt, cause }
    : { kind: "query", query: name, key, changedAt, cause };
}
