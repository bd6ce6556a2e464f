/**
 * Who reads a node: nothing, one memo, a short list, or a set, whichever is smallest.
 *
 * Most nodes have one reader, a few have tens of thousands. Each reader is in it once; the caller
 * sees to that. Order means nothing.
 */

import type { MemoNode, QueryNode } from "./node.ts";

/** From here on a set is faster than a search through a list. */
const listMax = 16;

/** Adds an edge from `node` to `reader`, which does not read it yet. */
export function addReader(node: QueryNode, reader: MemoNode): void {
  const { readers } = node;
  if (readers === undefined) node.readers = reader;
  else if (readers instanceof Set) readers.add(reader);
  else if (!Array.isArray(readers)) node.readers = [readers, reader];
  else if (readers.length < listMax) readers.push(reader);
  else node.readers = new Set(readers).add(reader);
}

/** Removes the edge from `node` to `reader`. True when it was the last one. */
export function removeReader(node: QueryNode, reader: MemoNode): boolean {
  const { readers } = node;
  if (readers instanceof Set) {
    readers.delete(reader);
    if (readers.size <= listMax / 2) node.readers = [...readers];
    return false;
  }
  if (Array.isArray(readers)) {
    const index = readers.indexOf(reader);
    const last = readers.at(-1);
    if (index < 0 || last === undefined) return false;
    readers[index] = last;
    readers.pop();
    if (readers.length === 1) node.readers = readers[0];
    return false;
  }
  if (readers === reader) node.readers = undefined;
  return node.readers === undefined;
}

/** The readers as something to loop over; not to be kept. */
export function readersOf({ readers }: QueryNode): Iterable<MemoNode> {
  if (readers === undefined) return noReaders;
  return readers instanceof Set || Array.isArray(readers) ? readers : [readers];
}

const noReaders: readonly MemoNode[] = [];
