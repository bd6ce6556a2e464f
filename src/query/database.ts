/**
 * The rules of the computation: what is dirty, what is verified, what runs again, what is collected.
 *
 * A change of an input marks what read it, and what read that, as dirty; nothing else is looked at.
 * A dirty memo is verified when it is asked for: what it read is verified in the order in which it
 * was read, and it runs again at the first of them whose value is another one since. A result that
 * equals the one before keeps its identity and wakes nobody. A query that throws leaves its memo
 * dirty, with the value that it had, and is tried again.
 *
 * Inputs and queries are the classes of the files beside; this one knows nodes only. Nothing is
 * global: two databases share nothing.
 */

import { invariant } from "../base/invariant.ts";
import { Collector } from "./collector.ts";
import { cycleThrough, QueryDepthError, queryDepthMax } from "./cycle_error.ts";
import { newestCause, replaceDependencies } from "./dependencies.ts";
import { DirtyNodes } from "./dirty_nodes.ts";
import { FoldNode } from "./fold_node.ts";
import { interruption } from "./interruption.ts";
import {
  activeFlag,
  barrierFlag,
  dirtyFlag,
  type InputChange,
  type LeafNode,
  MemoNode,
  pending,
  type QueryNode,
  rootFlag,
} from "./node.ts";
import type { ScratchRun } from "./scratch_run.ts";

/** See the file's header. */
export class Database {
  readonly #foldPassMax: number;
  #revision = 0;
  #runCount = 0;
  /** Whether a recompute is under way, so that inputs may not change; recompute.ts sets it. */
  isFrozen = false;
  /** Marks given out so far. */
  #mark = 0;
  /** The mark of the query that runs; 0 while none does. */
  #running = 0;
  /** A query failed below one that is still active; no result may hide that. */
  #failure: { readonly error: unknown } | undefined;
  /** What the active queries read, one after another. */
  readonly #reads: QueryNode[] = [];
  /** The queries that wait for each other, the outermost first. */
  readonly #active: MemoNode[] = [];
  /** What is to be verified; for recompute.ts. */
  readonly dirty = new DirtyNodes();
  readonly #collector = new Collector();
  #scratch: ScratchRun | undefined;
  /** Says when the step of a recompute that is under way is over; undefined: there is none. */
  #isOver: (() => boolean) | undefined;
  /** The transaction that is under way. */
  #step: { readonly atMs: number; hasMoved: boolean } | undefined;
  readonly #marks = { next: (): number => ++this.#mark };
  readonly #orphaned = (node: QueryNode): void => this.#collector.consider(node);

  /** @param options `foldPassMax`: how many changes a fold takes over before it asks for the time */
  constructor({ foldPassMax = 256 }: { readonly foldPassMax?: number } = {}) {
    this.#foldPassMax = foldPassMax;
  }

  /** Counts the changes of inputs. */
  get revision(): number {
    return this.#revision;
  }

  /** How often a query was computed, ever. */
  get runCount(): number {
    return this.#runCount;
  }

  /**
   * Runs `work`, a step of a recompute. When `isOver` says so in the middle of a query, which is asked
   * after each one that others wait for, `work` ends with the {@linkcode interruption}.
   */
  inStep(isOver: () => boolean, work: () => void): void {
    this.#isOver = isOver;
    try {
      work();
    } finally {
      this.#isOver = undefined;
    }
  }

  /** The computation from scratch that reads are served from meanwhile, for check mode. */
  get scratch(): ScratchRun | undefined {
    return this.#scratch;
  }

  /** Runs `work` with reads served from `scratch`. */
  withScratch<Result>(scratch: ScratchRun, work: () => Result): Result {
    invariant(this.#active.length === 0, "A check starts outside of all queries");
    this.settleBarriers();
    this.#scratch = scratch;
    try {
      return work();
    } finally {
      this.#scratch = undefined;
    }
  }

  /**
   * Makes all changes of inputs that `work` does one step: they share a revision, and the time `atMs`,
   * by which explain will name them. Within another step it is a part of that one.
   */
  transaction<Result>(atMs: number, work: () => Result): Result {
    if (this.#step) return work();
    this.#step = { atMs, hasMoved: false };
    try {
      return work();
    } finally {
      this.#step = undefined;
    }
  }

  /** An input is about to change. Only between recomputes and outside of queries. */
  advance(input: string, key: string, slices: readonly string[]): InputChange {
    invariant(!this.isFrozen, `Input "${input}" is frozen while a recompute runs`);
    invariant(this.#active.length === 0, `Input "${input}" is not changed by a query`);
    const step = this.#step;
    if (!step?.hasMoved) this.#revision++;
    if (step) step.hasMoved = true;
    invariant(Number.isSafeInteger(this.#revision), "The revision stays a safe integer");
    return { input, key, slices, revision: this.#revision, atMs: step?.atMs ?? 0 };
  }

  /** What `leaf` stands for is different since `change`. */
  leafChanged(leaf: LeafNode, change: InputChange): void {
    leaf.changedAt = change.revision;
    leaf.cause = change;
    this.dirty.spread(leaf, this.#revision);
  }

  /** Whether a query is running whose reads are recorded. */
  get isRecording(): boolean {
    return this.#running !== 0;
  }

  /** Remembers that the running query read `node`. */
  record(node: QueryNode): void {
    if (this.#running === 0 || node.mark === this.#running) return;
    node.mark = this.#running;
    this.#reads.push(node);
  }

  /** Sees to it that the value of `node` is that of this revision. */
  refresh(node: MemoNode): void {
    if (this.dirty.barriers.size > 0 && this.#active.length === 0) this.settleBarriers();
    if (node.flags & (dirtyFlag | activeFlag)) this.#verify(node);
  }

  #verify(node: MemoNode): void {
    if (node.flags & activeFlag) throw cycleThrough(node, this.#active);
    if (this.#active.length >= queryDepthMax) throw new QueryDepthError(node);
    // A change that follows at the same revision could not be told from what was seen here.
    invariant(!this.#step, "A query is not computed in the middle of a transaction");
    node.flags |= activeFlag;
    this.#active.push(node);
    try {
      if (node instanceof FoldNode) this.#refreshFold(node);
      else if (node.value === pending || this.#hasChangedRead(node)) this.#run(node);
      this.#settled(node);
    } catch (error) {
      if (this.#active.length > 1) this.#failure ??= { error };
      throw error;
    } finally {
      node.flags &= ~activeFlag;
      this.#active.pop();
      if (this.#active.length === 0) this.#failure = undefined;
    }
    if (this.#active.length > 0) this.#endIfOver();
  }

  /** At least one query is done since the step began, so that all of them are in the end. */
  #endIfOver(): void {
    if (!this.#isOver?.()) return;
    this.#failure ??= { error: interruption };
    throw interruption;
  }

  /**
   * Verifies the barriers that became dirty, so that what is clean is up to date, until `isOver` says
   * so. True when all are.
   */
  settleBarriers(isOver: () => boolean = never): boolean {
    for (let node = this.dirty.barriers.take(); node; node = this.dirty.barriers.take()) {
      try {
        this.#verify(node);
      } catch (error) {
        this.dirty.barriers.add(node);
        throw error;
      }
      if (isOver() && this.dirty.barriers.size > 0) return false;
    }
    return true;
  }

  /** Makes `node` wanted: recomputes keep it up to date. False when it was before. */
  want(node: MemoNode): boolean {
    if (node.flags & rootFlag) return false;
    node.flags |= rootFlag;
    if (node.flags & dirtyFlag) this.dirty.addRoot(node);
    return true;
  }

  /** The opposite of {@linkcode want}. */
  unwant(node: MemoNode): void {
    node.flags &= ~rootFlag;
    this.consider(node);
  }

  /** Has the collector look at `node`: it is new, or lost a reader. */
  consider(node: QueryNode): void {
    this.#collector.consider(node);
  }

  /**
   * Forgets every node that nothing reads and nobody wants, until `isOver` says so. Costs what became
   * unread since. True when all is done.
   */
  collect(isOver: () => boolean = never): boolean {
    invariant(this.#active.length === 0, "Collection is done outside of queries");
    return this.#collector.collect(isOver);
  }

  #hasChangedRead(node: MemoNode): boolean {
    for (const dependency of node.dependencies) {
      if (dependency.flags & dirtyFlag && dependency instanceof MemoNode) this.refresh(dependency);
      if (dependency.changedAt > node.verifiedAt) return true;
    }
    return false;
  }

  #run(node: MemoNode): void {
    const start = this.#reads.length;
    const outer = this.#running;
    this.#running = ++this.#mark;
    this.#runCount++;
    try {
      const value = node.owner.compute(node.key);
      if (this.#failure) throw this.#failure.error;
      this.#accept(node, value, newestCause(this.#reads, start, node.cause));
      replaceDependencies(node, this.#reads, start, this.#marks, this.#orphaned);
    } finally {
      this.#reads.length = start;
      this.#running = outer;
    }
  }

  /** A part at a time, as fold.ts says; recorded reads have no part in it. */
  #refreshFold(node: FoldNode): void {
    const outer = this.#running;
    this.#running = 0;
    try {
      for (const pass of node.gather(this, this.#isOver ? this.#foldPassMax : Infinity)) {
        if (this.#failure) throw this.#failure.error;
        const value = node.apply(pass, (part) => this.#collector.cut(part, node));
        if (!pass.isLast) {
          this.#endIfOver();
          continue;
        }
        this.#runCount++;
        this.#accept(node, value, pass.newest.cause);
      }
      if (this.#failure) throw this.#failure.error;
    } finally {
      this.#running = outer;
    }
  }

  #accept(node: MemoNode, value: unknown, cause: InputChange): void {
    const before = node.value;
    const kept = before === pending ? value : node.owner.keep(before, value);
    if (Object.is(kept, before)) return;
    node.value = kept;
    node.changedAt = this.#revision;
    node.cause = cause;
    if (node.flags & rootFlag) node.owner.noteChange(node, before);
    if (node.flags & barrierFlag) this.dirty.spread(node, this.#revision);
  }

  #settled(node: MemoNode): void {
    node.verifiedAt = this.#revision;
    node.flags &= ~dirtyFlag;
  }
}

function never(): boolean {
  return false;
}
