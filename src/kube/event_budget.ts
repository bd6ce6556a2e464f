/**
 * How many Events may be told: a bucket of tokens for each object, and one for the process.
 *
 * An object that flaps fills its own bucket and nobody else's. Of the process's the last quarter is
 * for warnings, so that ten thousand good news leave room for one bad. Objects that said nothing for
 * the longest time are forgotten first, which gives them a full bucket again.
 */

import type { Clock } from "../base/clock.ts";

/** A bucket: what is in it at first, and how fast it fills. */
export interface EventBucket {
  readonly burst: number;
  readonly perSecond: number;
}

/** As much as client-go allows an object; the process's is for a cluster that others use as well. */
export const defaultEventBuckets: { readonly object: EventBucket; readonly process: EventBucket } =
  {
    object: { burst: 25, perSecond: 1 / 300 },
    process: { burst: 100, perSecond: 10 },
  };

/** Objects whose buckets are known. */
const objectsMax = 4096;
/** The share of the process's bucket that is for warnings. */
const reservedShare = 0.25;

interface Level {
  tokens: number;
  atMs: number;
}

/** See the file's header. */
export class EventBudget {
  readonly #clock: Clock;
  readonly #buckets: typeof defaultEventBuckets;
  readonly #objects = new Map<string, Level>();
  readonly #process: Level;

  constructor(clock: Clock, buckets: typeof defaultEventBuckets = defaultEventBuckets) {
    this.#clock = clock;
    this.#buckets = buckets;
    this.#process = { tokens: buckets.process.burst, atMs: clock.monotonicMs() };
  }

  /** Takes what an Event about `object` costs, or says which bucket is empty. */
  take(object: string, type: "Normal" | "Warning"): "ok" | "object" | "process" {
    const level = this.#objects.get(object) ??
      { tokens: this.#buckets.object.burst, atMs: this.#clock.monotonicMs() };
    this.#fill(level, this.#buckets.object);
    this.#objects.delete(object);
    this.#objects.set(object, level);
    this.#forget();
    if (level.tokens < 1) return "object";
    const { process } = this.#buckets;
    this.#fill(this.#process, process);
    const reserved = type === "Warning" ? 0 : process.burst * reservedShare;
    if (this.#process.tokens < 1 + reserved) return "process";
    level.tokens--;
    this.#process.tokens--;
    return "ok";
  }

  #fill(level: Level, { burst, perSecond }: EventBucket): void {
    const nowMs = this.#clock.monotonicMs();
    level.tokens = Math.min(burst, level.tokens + (nowMs - level.atMs) / 1000 * perSecond);
    level.atMs = nowMs;
  }

  #forget(): void {
    if (this.#objects.size <= objectsMax) return;
    const [oldest] = this.#objects.keys();
    if (oldest !== undefined) this.#objects.delete(oldest);
  }
}
