/**
 * Waiting times that grow with every failure in a row, up to a maximum, with jitter.
 *
 * Jitter only shortens: the maximum is never exceeded, and several processes that failed together do
 * not come back together. For failures where waiting helps; a conflict of writers is not one.
 */

/** How the waiting times grow. */
export interface BackoffOptions {
  /** The first wait before jitter, milliseconds. */
  readonly initialMs: number;
  /** No wait is longer, milliseconds. */
  readonly maxMs: number;
  /** Each wait is this many times the one before; 2 when absent. */
  readonly factor?: number;
  /** The share of a wait that chance may take away, from 0 to 1; 0.5 when absent. */
  readonly jitter?: number;
}

/** See the file's header for the promises. */
export class Backoff {
  readonly #initialMs: number;
  readonly #maxMs: number;
  readonly #factor: number;
  readonly #jitter: number;
  readonly #random: () => number;
  #failureCount = 0;

  /** @param random uniform in [0, 1) */
  constructor(options: BackoffOptions, random: () => number) {
    this.#initialMs = options.initialMs;
    this.#maxMs = options.maxMs;
    this.#factor = options.factor ?? 2;
    this.#jitter = options.jitter ?? 0.5;
    this.#random = random;
  }

  /** Failures since the last {@linkcode Backoff.reset}. */
  get failureCount(): number {
    return this.#failureCount;
  }

  /** Counts one more failure; the milliseconds to wait before the next attempt. */
  next(): number {
    const grownMs = this.#initialMs * this.#factor ** this.#failureCount;
    this.#failureCount++;
    const cappedMs = Math.min(this.#maxMs, grownMs);
    return Math.round(cappedMs * (1 - this.#jitter * this.#random()));
  }

  /** Forgets the failures: the next wait is the first one again. */
  reset(): void {
    this.#failureCount = 0;
  }
}
