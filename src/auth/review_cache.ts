/**
 * What reviews have found, for a while, in bounds.
 *
 * - One review at a time for a key: who asks meanwhile gets the same answer.
 * - Answers that say yes and those that say no have room and times of their own, so a flood of tokens
 *   that nobody knows pushes out nobody who is known. Beyond the room the oldest goes.
 * - A review that fails is remembered for a moment, so that an API server that is down is not asked
 *   once for each request. It is never an answer: who asks is told that it failed.
 * - Each new key takes from a budget; without one the answer is `limited`. A key that was a yes before
 *   is renewed without it: a flood keeps nobody out who was in.
 */

import type { Clock } from "../base/clock.ts";
import { ReviewBudget, type ReviewBudgetLimits } from "./review_budget.ts";

/** A review that could not be made. */
export interface ReviewFailure {
  readonly outcome: "failed";
  /** The reviewer does not let us ask, or it cannot be asked. */
  readonly reason: "ReviewForbidden" | "ReviewUnavailable";
}

/** What a review finds. */
export type ReviewResult<Yes> =
  | { readonly outcome: "yes"; readonly value: Yes }
  | { readonly outcome: "no" }
  | ReviewFailure;

/** What one gets who asks. */
export type ReviewAnswer<Yes> = ReviewResult<Yes> | { readonly outcome: "limited" };

/** The bounds of a cache. */
export interface ReviewLimits extends ReviewBudgetLimits {
  /** Entries of each sort. */
  readonly entriesMax: number;
  /** How long a yes holds, milliseconds. */
  readonly yesMs: number;
  /** How long a no holds, milliseconds. */
  readonly noMs: number;
  /** How long a failure holds, milliseconds. */
  readonly failureMs: number;
}

interface Entry<Result> {
  readonly result: Result;
  readonly untilMs: number;
}

/** See the file's header. Keys are made of digests: nothing that opens a door is kept. */
export class ReviewCache<Yes> {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #limits: ReviewLimits;
  readonly #budget: ReviewBudget;
  readonly #onReview: (outcome: ReviewAnswer<Yes>["outcome"]) => void;
  /** Also those that have ended: they may be renewed without budget. Oldest first. */
  readonly #yes = new Map<string, Entry<ReviewResult<Yes>>>();
  readonly #others = new Map<string, Entry<ReviewResult<Yes>>>();
  readonly #pending = new Map<string, Promise<ReviewResult<Yes>>>();

  /** @param onReview told the outcome of every review, and of every one that had no budget */
  constructor(
    clock: Pick<Clock, "monotonicMs">,
    limits: ReviewLimits,
    onReview: (outcome: ReviewAnswer<Yes>["outcome"]) => void = () => {},
  ) {
    this.#clock = clock;
    this.#limits = limits;
    this.#budget = new ReviewBudget(limits, clock);
    this.#onReview = onReview;
  }

  /** Entries that are kept. */
  get size(): number {
    return this.#yes.size + this.#others.size;
  }

  /**
   * The answer for `key`, from a review when none is known. `review` may reject; that is a failure.
   */
  async get(key: string, review: () => Promise<ReviewResult<Yes>>): Promise<ReviewAnswer<Yes>> {
    const known = this.#fresh(this.#others, key) ?? this.#fresh(this.#yes, key);
    if (known) return known;
    const pending = this.#pending.get(key);
    if (pending) return await pending;
    if (!this.#yes.has(key) && !this.#budget.take()) {
      this.#onReview("limited");
      return { outcome: "limited" };
    }
    const running = this.#run(key, review);
    this.#pending.set(key, running);
    return await running;
  }

  async #run(key: string, review: () => Promise<ReviewResult<Yes>>): Promise<ReviewResult<Yes>> {
    const result = await settled(review);
    this.#pending.delete(key);
    this.#keep(key, result);
    this.#onReview(result.outcome);
    return result;
  }

  #fresh(
    entries: ReadonlyMap<string, Entry<ReviewResult<Yes>>>,
    key: string,
  ): ReviewResult<Yes> | undefined {
    const entry = entries.get(key);
    return entry && entry.untilMs > this.#clock.monotonicMs() ? entry.result : undefined;
  }

  #keep(key: string, result: ReviewResult<Yes>): void {
    const { yesMs, noMs, failureMs, entriesMax } = this.#limits;
    const lifeMs = { yes: yesMs, no: noMs, failed: failureMs }[result.outcome];
    this.#others.delete(key);
    // A failure says nothing about a yes: it stays one that may be renewed, and has ended.
    if (result.outcome !== "failed") this.#yes.delete(key);
    const entries = result.outcome === "yes" ? this.#yes : this.#others;
    entries.set(key, { result, untilMs: this.#clock.monotonicMs() + lifeMs });
    for (const oldest of entries.keys()) {
      if (entries.size <= entriesMax) break;
      entries.delete(oldest);
    }
  }
}

async function settled<Yes>(
  review: () => Promise<ReviewResult<Yes>>,
): Promise<ReviewResult<Yes>> {
  try {
    return await review();
  } catch {
    // Whoever asks the reviewer tells what went wrong; here it only must not count as a yes.
    return { outcome: "failed", reason: "ReviewUnavailable" };
  }
}
