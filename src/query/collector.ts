/**
 * Forgets every node that nothing reads and nobody wants, one after the other.
 *
 * It looks only at nodes that are new or lost a reader since, and at what those read.
 */

import { FoldNode } from "./fold_node.ts";
import { candidateFlag, LeafNode, MemoNode, type QueryNode, rootFlag } from "./node.ts";
import { removeReader } from "./readers.ts";

/** See the file's header. */
export class Collector {
  readonly #candidates: QueryNode[] = [];

  /** Has `node` looked at: it is new, or lost a reader. */
  consider(node: QueryNode): void {
    if (node.flags & candidateFlag) return;
    node.flags |= candidateFlag;
    this.#candidates.push(node);
  }

  /** `reader` does not read `node` any more. */
  cut(node: QueryNode, reader: MemoNode): void {
    if (removeReader(node, reader)) this.consider(node);
  }

  /** Collects until nothing is left or `isOver` says so, asked now and then. True when all is done. */
  collect(isOver: () => boolean): boolean {
    let count = 0;
    for (let node = this.#candidates.pop(); node; node = this.#candidates.pop()) {
      node.flags &= ~candidateFlag;
      if (node.readers === undefined && !(node.flags & rootFlag)) this.#forget(node);
      if (++count % askedEach === 0 && isOver()) return this.#candidates.length === 0;
    }
    return true;
  }

  #forget(node: QueryNode): void {
    if (node instanceof LeafNode) node.owner.forget(node);
    if (!(node instanceof MemoNode)) return;
    for (const dependency of node.dependencies) this.cut(dependency, node);
    if (node instanceof FoldNode) { for (const part of node.partNodes()) this.cut(part, node); }
    node.owner.forget(node);
  }
}

/** To look at a node costs less than to ask for the time. */
const askedEach = 64;
