/**
 * Time as a parameter: everything that waits or stamps takes a {@linkcode Clock}.
 *
 * Wall time (`now`) is for stamps that leave the process; `monotonicMs` is for durations, because
 * wall time jumps. Tests pass a fake clock, so that no test sleeps.
 */

import { delay } from "@std/async";

/** The time source of a subsystem. */
export interface Clock {
  /** Wall time in milliseconds since the epoch. */
  now(): number;
  /**
   * Milliseconds of a clock that never goes backwards; only differences mean something. It goes on
   * while the process is stopped (SIGSTOP) and stands still while the machine sleeps
   * (`CLOCK_MONOTONIC` on Linux).
   */
  monotonicMs(): number;
  /**
   * Resolves after `ms`. Rejects with the signal's reason when `signal` aborts first.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Runs `callback` once after `ms`; the returned function cancels it and may be called again.
   * For a hot path: one timer for many waiters, never one for each.
   */
  after(ms: number, callback: () => void): () => void;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) => delay(ms, signal ? { signal } : {}),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** RFC 3339 in UTC with whole seconds, as the Kubernetes API writes times. */
export function toTimestamp(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}
