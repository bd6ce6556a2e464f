/**
 * A clock that stands still until a test advances it.
 *
 * `advance()` runs what falls due in order of due time (then of registration), and lets promises
 * settle before each timer, so that work started by one timer may set the next.
 */

import type { Clock } from "../../src/base/clock.ts";

interface Timer {
  readonly dueMs: number;
  readonly sequence: number;
  readonly callback: () => void;
}

/**
 * How many rounds of microtasks `settle()` waits. Each `await` of the code under test takes one to
 * three; the number only has to be larger than the longest chain between two timers.
 */
const settleRounds = 50;

/** See the file's header for the promises. */
export class FakeClock implements Clock {
  readonly #timers = new Set<Timer>();
  readonly #startWallMs: number;
  #elapsedMs = 0;
  #sequence = 0;

  /** @param startWallMs the wall time at the start, milliseconds since the epoch */
  constructor(startWallMs: number = Date.UTC(2026, 0, 1)) {
    this.#startWallMs = startWallMs;
  }

  /** Timers and sleeps that have yet to fall due. */
  get pending(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#startWallMs + this.#elapsedMs;
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = this.after(ms, () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      });
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  after(ms: number, callback: () => void): () => void {
    const timer: Timer = {
      dueMs: this.#elapsedMs + Math.max(0, ms),
      sequence: this.#sequence++,
      callback,
    };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Moves time on by `ms` and runs what falls due on the way; resolves when promises settled. */
  async advance(ms: number): Promise<void> {
    const targetMs = this.#elapsedMs + ms;
    await this.settle();
    for (let timer = this.#nextDue(targetMs); timer; timer = this.#nextDue(targetMs)) {
      this.#timers.delete(timer);
      this.#elapsedMs = Math.max(this.#elapsedMs, timer.dueMs);
      timer.callback();
      await this.settle();
    }
    this.#elapsedMs = targetMs;
  }

  /** Lets promises that are ready go on, without moving time. */
  async settle(): Promise<void> {
    for (let round = 0; round < settleRounds; round++) await Promise.resolve();
  }

  #nextDue(targetMs: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueMs > targetMs) continue;
      if (
        next === undefined || timer.dueMs < next.dueMs ||
        (timer.dueMs === next.dueMs && timer.sequence < next.sequence)
      ) next = timer;
    }
    return next;
  }
}
