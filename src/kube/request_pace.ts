/**
 * How fast this process may ask the API server: a bucket of tokens, as a safety net.
 *
 * The server has its own fairness (API Priority and Fairness) and says when it is busy; this is only
 * for the day when something in here loops. Whoever waits is served in order.
 */

import type { Clock } from "../base/clock.ts";

/** How large the bucket is and how fast it fills. */
export interface RequestPaceOptions {
  readonly perSecond: number;
  /** How many requests may go at once after a quiet time. */
  readonly burst: number;
}

/** See the file's header. */
export class RequestPace {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #burstMs: number;
  /** When the next request would be due if no burst were allowed, monotonic milliseconds. */
  #dueMs = -Infinity;
  #delayedCount = 0;

  constructor({ perSecond, burst }: RequestPaceOptions, clock: Clock) {
    this.#clock = clock;
    this.#intervalMs = 1000 / perSecond;
    this.#burstMs = (burst - 1) * this.#intervalMs;
  }

  /** How many requests had to wait so far. */
  get delayedCount(): number {
    return this.#delayedCount;
  }

  /** Resolves when the next request may go. Rejects with the signal's reason, its place is lost. */
  async acquire(signal: AbortSignal): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    const dueMs = Math.max(this.#dueMs, nowMs - this.#burstMs);
    this.#dueMs = dueMs + this.#intervalMs;
    if (dueMs <= nowMs) return;
    this.#delayedCount++;
    await this.#clock.sleep(dueMs - nowMs, signal);
  }
}
