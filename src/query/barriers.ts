/**
 * The barriers that may have another value: verified before everything else, the lowest rank first.
 *
 * Marking stops at a barrier, so what reads it looks clean meanwhile. That is no danger as long as
 * nothing is read before the barriers are settled, and no barrier reads, through whatever queries,
 * one of its own rank or above.
 */

import { invariant } from "../base/invariant.ts";
import { describeNode, dirtyFlag, type MemoNode, rootFlag } from "./node.ts";

/** See the file's header. */
export class Barriers {
  /** Ranks are small whole numbers. */
  readonly #byRank: MemoNode[][] = [];
  #size = 0;

  /** How many wait. */
  get size(): number {
    return this.#size;
  }

  /** Adds one that became dirty. */
  add(node: MemoNode): void {
    const { rank } = node.owner;
    while (this.#byRank.length <= rank) this.#byRank.push([]);
    this.#byRank[rank]?.push(node);
    this.#size++;
  }

  /**
   * Takes out one of the lowest rank that is dirty still and that somebody reads or wants; undefined:
   * there is none. One that nobody reads is verified when it gets a reader, or forgotten.
   */
  take(): MemoNode | undefined {
    if (this.#size === 0) return undefined;
    for (const nodes of this.#byRank) {
      for (let node = nodes.pop(); node; node = nodes.pop()) {
        this.#size--;
        const isNeeded = node.readers !== undefined || node.flags & rootFlag;
        if (node.flags & dirtyFlag && isNeeded) return node;
      }
    }
    return undefined;
  }
}

/** Sees to it that `memo`, which may have another value now, was not verified at `revision` before. */
export function checkUnverified(memo: MemoNode, revision: number): void {
  if (memo.verifiedAt < revision) return;
  invariant(
    false,
    `The ranks of barriers follow their reads, but ${describeNode(memo)} was verified before a ` +
      "barrier that it follows from",
  );
}
