/**
 * The end of one request: the caller's wish, or a limit of time. One signal for both, and the reason.
 */

import type { Clock } from "../base/clock.ts";
import { ClusterError } from "./cluster_error.ts";

/** See the file's header. */
export class RequestDeadline {
  readonly #outer: AbortSignal;
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  #cancel: () => void = () => {};
  #late: ClusterError | undefined;

  /** @param limitMs from now on */
  constructor(outer: AbortSignal, clock: Clock, limitMs: number) {
    this.#outer = outer;
    this.#clock = clock;
    if (outer.aborted) this.#controller.abort(outer.reason);
    outer.addEventListener("abort", this.#abort, { once: true });
    this.restartClock(limitMs);
  }

  /** Aborts with the caller's signal, or when time is up. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What `work` comes to, or the end of the request if that is first; `work` goes on then. */
  async within<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#controller;
    const ended = Promise.withResolvers<never>();
    const end = (): void => ended.reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    try {
      return await Promise.race([work, ended.promise]);
    } finally {
      signal.removeEventListener("abort", end);
    }
  }

  /** From now on there is this much time. */
  restartClock(limitMs: number): void {
    this.#cancel();
    this.#cancel = this.#clock.after(limitMs, () => {
      this.#late = new ClusterError("timeout", `The API server was silent for ${limitMs} ms`);
      this.#controller.abort(this.#late);
    });
  }

  /** Nothing is waited for. */
  stopClock(): void {
    this.#cancel();
  }

  /** Lets go of the caller's signal and the clock. */
  end(): void {
    this.#cancel();
    this.#outer.removeEventListener("abort", this.#abort);
  }

  /** Why it ended really: an abort shows up as all sorts of broken connections. */
  reasonOf(error: unknown): unknown {
    if (this.#outer.aborted) return this.#outer.reason;
    return this.#late ?? error;
  }

  readonly #abort = (): void => this.#controller.abort(this.#outer.reason);
}
