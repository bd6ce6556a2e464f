/**
 * How soon the status of one object may be written again: a few times at once, then at a distance.
 *
 * A Gateway's count of routes changes with each of a thousand routes that are created in a row. What
 * is written meanwhile is old when it is stored, and every reader of the object is woken for it. A
 * person who edits an object does not notice the pace.
 */

import type { ObjectKey } from "./object.ts";

/** Writes in a row that nobody waits for. */
export const spacingBurst = 5;
/** Of more keys than this the ones that were written longest ago are forgotten. */
const keysMax = 10_000;

/** See the file's header. */
export class WriteSpacing {
  /** When each key would have been due if it had always kept the distance, monotonic milliseconds. */
  readonly #dueMs = new Map<ObjectKey, number>();
  readonly #distanceMs: number;

  /** @param distanceMs the time between further writes, milliseconds; 0: none */
  constructor(distanceMs: number) {
    this.#distanceMs = distanceMs;
  }

  /** Milliseconds until `key` may be written; 0: now. */
  waitMs(key: ObjectKey, nowMs: number): number {
    const dueMs = this.#dueMs.get(key);
    return dueMs === undefined
      ? 0
      : Math.max(0, dueMs - nowMs - (spacingBurst - 1) * this.#distanceMs);
  }

  /** `key` was written. */
  note(key: ObjectKey, nowMs: number): void {
    if (this.#distanceMs === 0) return;
    const dueMs = Math.max(this.#dueMs.get(key) ?? nowMs, nowMs) + this.#distanceMs;
    this.#dueMs.delete(key);
    this.#dueMs.set(key, dueMs);
    if (this.#dueMs.size <= keysMax) return;
    const [oldest] = this.#dueMs.keys();
    if (oldest !== undefined) this.#dueMs.delete(oldest);
  }
}
