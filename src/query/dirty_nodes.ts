/**
 * Which memos may have another value than they show: marking them, and what is to be verified.
 *
 * A change marks what follows from it up to the next barrier. Wanted memos and barriers that become
 * dirty are listed; all others are found by whoever reads them.
 */

import { Barriers, checkUnverified } from "./barriers.ts";
import { FoldNode } from "./fold_node.ts";
import { barrierFlag, dirtyFlag, type MemoNode, type QueryNode, rootFlag } from "./node.ts";
import { readersOf } from "./readers.ts";

/** See the file's header. */
export class DirtyNodes {
  readonly barriers = new Barriers();
  #roots: MemoNode[] = [];

  /** Marks what reads `node`, whose value is another one since `revision`. */
  spread(node: QueryNode, revision: number): void {
    const queue: QueryNode[] = [node];
    for (let from = queue.pop(); from; from = queue.pop()) {
      for (const reader of readersOf(from)) {
        if (reader instanceof FoldNode) reader.touch(from);
        if (reader.flags & dirtyFlag) continue;
        checkUnverified(reader, revision);
        reader.flags |= dirtyFlag;
        if (reader.flags & barrierFlag) {
          this.barriers.add(reader);
          continue;
        }
        if (reader.flags & rootFlag) this.#roots.push(reader);
        queue.push(reader);
      }
    }
  }

  /** Lists `node`, which is wanted and dirty. */
  addRoot(node: MemoNode): void {
    this.#roots.push(node);
  }

  /** The wanted memos that have become dirty since the last call, by rank. */
  takeRoots(): MemoNode[] {
    const roots = this.#roots;
    if (roots.length === 0) return roots;
    this.#roots = [];
    return roots.sort((a, b) => a.owner.rank - b.owner.rank);
  }

  /** Hands back roots that were taken and not refreshed. */
  returnRoots(roots: readonly MemoNode[]): void {
    for (const root of roots) this.#roots.push(root);
  }
}
