/**
 * How soon a status is written again that somebody else took away: at once, and the later the more
 * often it happens. Two controllers that overwrite each other then write rarely instead of for ever.
 *
 * Bounded: of more keys than the limit, those that were restored longest ago are forgotten.
 */

import type { ObjectKey } from "./object.ts";

/** The wait before the second restoration in a row; each further one doubles it. Milliseconds. */
export const restoreInitialMs = 1000;
/** The longest wait, milliseconds. */
export const restoreMaxMs = 300_000;
/** A key that was left alone for this long beyond its wait starts anew, milliseconds. */
export const restoreCalmMs = 600_000;
const keysMax = 10_000;

interface Restoration {
  readonly count: number;
  /** When the last one was due, monotonic milliseconds. */
  readonly dueMs: number;
}

/** See the file's header. */
export class RestorePace {
  readonly #restorations = new Map<ObjectKey, Restoration>();

  /** Counts a loss of `key`; the milliseconds until it shall be made good. */
  delayMs(key: ObjectKey, nowMs: number): number {
    const before = this.#restorations.get(key);
    // What is put off already is not lost once more.
    if (before && before.dueMs > nowMs) return before.dueMs - nowMs;
    const count = before && nowMs - before.dueMs < restoreCalmMs ? before.count + 1 : 0;
    const delayMs = count === 0 ? 0 : Math.min(restoreInitialMs * 2 ** (count - 1), restoreMaxMs);
    this.#restorations.delete(key);
    this.#restorations.set(key, { count, dueMs: nowMs + delayMs });
    if (this.#restorations.size > keysMax) {
      const [oldest] = this.#restorations.keys();
      if (oldest !== undefined) this.#restorations.delete(oldest);
    }
    return delayMs;
  }
}
