/**
 * How long work that never waits may go on before others have their turn of the event loop.
 *
 * For loops whose steps take microseconds and whose number nobody knows. Who was not here for a whole
 * turn has waited for something, and begins another one.
 */

import type { Clock } from "./clock.ts";

/** See the file's header. */
export class Turn {
  readonly #clock: Clock;
  readonly #lengthMs: number;
  #startMs = 0;
  #seenMs = 0;

  /** @param lengthMs about how long the event loop is held at a time */
  constructor(clock: Clock, lengthMs = 4) {
    this.#clock = clock;
    this.#lengthMs = lengthMs;
  }

  /** Whether it is time to let the event loop go; to be asked at each step. */
  isOver(): boolean {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#seenMs >= this.#lengthMs) this.#startMs = nowMs;
    this.#seenMs = nowMs;
    return nowMs - this.#startMs >= this.#lengthMs;
  }

  /** Resolves when others have had their turn, or when `signal` aborts. */
  async letGo(signal: AbortSignal): Promise<void> {
    await this.#clock.sleep(0, signal).catch((error) => {
      if (!signal.aborted) throw error;
    });
    this.#startMs = this.#seenMs = this.#clock.monotonicMs();
  }
}
