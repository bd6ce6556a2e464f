/** How many reviews may begin: a bucket that fills with time. What finds it empty is refused at once. */

import type { Clock } from "../base/clock.ts";

/** The size of the bucket. */
export interface ReviewBudgetLimits {
  /** Reviews that are put into it in a second. */
  readonly perSecond: number;
  /** Reviews that it holds. */
  readonly burst: number;
}

/** See the file's header. */
export class ReviewBudget {
  readonly #limits: ReviewBudgetLimits;
  readonly #clock: Pick<Clock, "monotonicMs">;
  #left: number;
  #filledAtMs: number;

  constructor(limits: ReviewBudgetLimits, clock: Pick<Clock, "monotonicMs">) {
    this.#limits = limits;
    this.#clock = clock;
    this.#left = limits.burst;
    this.#filledAtMs = clock.monotonicMs();
  }

  /** Takes one review out; false when there is none. */
  take(): boolean {
    const { perSecond, burst } = this.#limits;
    const nowMs = this.#clock.monotonicMs();
    this.#left = Math.min(burst, this.#left + (nowMs - this.#filledAtMs) * perSecond / 1000);
    this.#filledAtMs = nowMs;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
