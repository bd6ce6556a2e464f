/**
 * Aborts a signal when it was not postponed for a whole period: one timer, however often it is
 * postponed.
 */

import type { Clock } from "../base/clock.ts";

/** See the file's header. */
export class SilenceAlarm {
  readonly #clock: Clock;
  readonly #periodMs: number;
  readonly #controller = new AbortController();
  #lastMs = 0;
  #cancel: () => void = () => {};

  constructor(clock: Clock, periodMs: number) {
    this.#clock = clock;
    this.#periodMs = periodMs;
  }

  /** Aborts at the alarm. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The first period begins. */
  start(): void {
    this.stop();
    this.postpone();
    this.#cancel = this.#clock.after(this.#periodMs, this.#check);
  }

  /** The period begins anew. */
  postpone(): void {
    this.#lastMs = this.#clock.monotonicMs();
  }

  /** No alarm any more. */
  stop(): void {
    this.#cancel();
  }

  readonly #check = (): void => {
    const restMs = this.#lastMs + this.#periodMs - this.#clock.monotonicMs();
    if (restMs > 0) this.#cancel = this.#clock.after(restMs, this.#check);
    else this.#controller.abort();
  };
}
