/**
 * The edges of one memo after a run: what it read now in the place of what it read before.
 *
 * The usual run reads what the one before it read, in the same order; then nothing is allocated and
 * no edge is touched.
 */

import type { InputChange, MemoNode, QueryNode } from "./node.ts";
import { addReader, removeReader } from "./readers.ts";

/** Numbers that no other run was given; they tell the runs of one database apart. */
export interface Marks {
  next(): number;
}

/**
 * Makes `reads` from `start` on the dependencies of `node`. `orphaned` is told of each node that lost
 * its last reader.
 */
export function replaceDependencies(
  node: MemoNode,
  reads: readonly QueryNode[],
  start: number,
  marks: Marks,
  orphaned: (node: QueryNode) => void,
): void {
  const before = node.dependencies;
  if (isSame(before, reads, start)) return;
  const old = marks.next();
  for (const dependency of before) dependency.mark = old;
  const now = marks.next();
  const after: QueryNode[] = [];
  for (let index = start; index < reads.length; index++) {
    const read = reads[index];
    if (!read || read.mark === now) continue;
    if (read.mark !== old) addReader(read, node);
    read.mark = now;
    after.push(read);
  }
  for (const dependency of before) {
    if (dependency.mark === old && removeReader(dependency, node)) orphaned(dependency);
  }
  node.dependencies = after;
}

function isSame(
  before: readonly QueryNode[],
  reads: readonly QueryNode[],
  start: number,
): boolean {
  if (before.length !== reads.length - start) return false;
  for (let index = 0; index < before.length; index++) {
    if (before[index] !== reads[start + index]) return false;
  }
  return true;
}

/** The cause of the newest of what was read from `start` on; `fallback` when nothing was. */
export function newestCause(
  reads: readonly QueryNode[],
  start: number,
  fallback: InputChange,
): InputChange {
  let newest: QueryNode | undefined;
  for (let index = start; index < reads.length; index++) {
    const read = reads[index];
    if (read && (newest === undefined || isNewer(read, newest))) newest = read;
  }
  return newest?.cause ?? fallback;
}

/** By when the value changed; of two that did so in one recompute, by what made them do so. */
export function isNewer(a: QueryNode, b: QueryNode): boolean {
  if (a.changedAt !== b.changedAt) return a.changedAt > b.changedAt;
  return a.cause.revision > b.cause.revision;
}
