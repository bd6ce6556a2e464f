/**
 * Brings every wanted memo up to date, in steps, on inputs that stand still meanwhile.
 *
 * Between two steps anything may run but a change of inputs. Nobody sees a half result: changes of
 * wanted values are told when the last step is done, and a read in between is answered for the
 * revision that is being computed. When a query throws, the inputs thaw and what was not verified
 * stays dirty; the next recompute takes it up.
 */

import { invariant } from "../base/invariant.ts";
import type { Database } from "./database.ts";
import { interruption } from "./interruption.ts";
import { dirtyFlag, type MemoNode, rootFlag } from "./node.ts";

/** One recompute, from the freezing of the inputs to their thaw. */
export class Recompute {
  readonly #database: Database;
  #state: "new" | "running" | "collecting" | "done" = "new";
  #roots: readonly MemoNode[] = [];
  #next = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether it has ended, so that the inputs have thawed. */
  get isDone(): boolean {
    return this.#state === "done";
  }

  /**
   * Verifies wanted memos, lower ranks first, until all are or `isOver` says so, which is asked after
   * each one and in between. True when all is done. What a query throws ends the recompute and is
   * passed on.
   */
  step(isOver: () => boolean = never): boolean {
    if (this.#state === "done") return true;
    if (this.#state === "new") this.#start();
    try {
      if (this.#state === "running") this.#verify(isOver);
      if (this.#state === "running" || !this.#database.collect(isOver)) return false;
    } catch (error) {
      this.#end();
      throw error;
    }
    this.#end();
    return true;
  }

  /** Ends it early: the inputs thaw, what was not verified stays dirty. May be called again. */
  cancel(): void {
    if (this.#state === "running" || this.#state === "collecting") this.#end();
    this.#state = "done";
  }

  #start(): void {
    invariant(!this.#database.isFrozen, "One recompute ends before the next one starts");
    this.#database.isFrozen = true;
    this.#state = "running";
  }

  /** Goes on to collecting when all is verified. */
  #verify(isOver: () => boolean): void {
    try {
      this.#database.inStep(isOver, () => {
        while (this.#hasMore(isOver)) {
          this.#verifyNext();
          if (isOver() && this.#hasMore(never)) return;
        }
        this.#state = "collecting";
      });
    } catch (error) {
      if (error !== interruption) throw error;
    }
  }

  /** Barriers first: what is clean may be taken for up to date then, and all roots are known. */
  #hasMore(isOver: () => boolean): boolean {
    if (this.#next < this.#roots.length) return true;
    if (!this.#database.settleBarriers(isOver)) throw interruption;
    this.#roots = this.#database.dirty.takeRoots();
    this.#next = 0;
    return this.#roots.length > 0;
  }

  #verifyNext(): void {
    const root = this.#roots[this.#next];
    // It may have been verified by a read, or is not wanted any more.
    const wanted = rootFlag | dirtyFlag;
    if (root && (root.flags & wanted) === wanted) this.#database.refresh(root);
    this.#next++;
  }

  #end(): void {
    this.#database.dirty.returnRoots(this.#roots.slice(this.#next));
    this.#roots = [];
    this.#next = 0;
    this.#database.isFrozen = false;
    this.#state = "done";
  }
}

/** A whole recompute in one step. */
export function recomputeAll(database: Database): void {
  new Recompute(database).step();
}

function never(): boolean {
  return false;
}
