/**
 * When to try a status write again, by the class of its failure.
 *
 * A conflict says that somebody else was faster, not that anything is wrong: after some tries in one
 * go the key comes back soon, and when it keeps losing after 2 s at most. Its count feeds nothing
 * else. Overload and network faults grow, with the server's own wish as the least. What is refused
 * does not heal by trying, so it is looked at rarely. What is forbidden is not a matter of one key.
 */

import { Backoff } from "../base/backoff.ts";
import type { ObjectKey } from "./object.ts";
import type { StatusFailure, StatusWrite } from "./status_client.ts";

/** A failure that a key has for itself. */
type OwnFailure = Exclude<RetryableFailure, { outcome: "forbidden" }>;

/** A failure after which the key is tried again. */
export type RetryableFailure = Exclude<StatusWrite | StatusFailure, { outcome: "ok" | "gone" }>;

/** Growth of the wait after runs that ended in a conflict. */
const conflictBackoff = { initialMs: 250, maxMs: 2_000 } as const;
/** Growth of the wait after overload and network faults. */
const failureBackoff = { initialMs: 250, maxMs: 30_000 } as const;
/** The wait before a refused write is looked at again: from, to, milliseconds. */
const hopelessWaitMs = [60_000, 90_000] as const;
/** The longest wait that a server may ask for, milliseconds. */
const retryAfterMaxMs = 300_000;

interface Failures {
  readonly conflicts: Backoff;
  readonly backoff: Backoff;
}

/** See the file's header for the promises. Holds state only for keys whose last run failed. */
export class RetryPolicy {
  readonly #random: () => number;
  readonly #failures = new Map<ObjectKey, Failures>();

  /** @param random uniform in [0, 1) */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** Whether the last failure of `key` was a conflict: what a cache says may be too old. */
  hasConflict(key: ObjectKey): boolean {
    return (this.#failures.get(key)?.conflicts.failureCount ?? 0) > 0;
  }

  /** Counts `failure` of `key`; the milliseconds until the next try. */
  delayMs(key: ObjectKey, failure: OwnFailure): number {
    const known = this.#failures.get(key) ?? {
      conflicts: new Backoff(conflictBackoff, this.#random),
      backoff: new Backoff(failureBackoff, this.#random),
    };
    this.#failures.set(key, known);
    if (failure.outcome === "conflict" && failure.reason !== "field-owned") {
      return known.conflicts.next();
    }
    known.conflicts.reset();
    switch (failure.outcome) {
      case "conflict":
      case "invalid":
        return this.#between(hopelessWaitMs);
      case "overloaded": {
        const askedMs = Math.min(failure.retryAfterMs ?? 0, retryAfterMaxMs);
        return Math.max(askedMs, known.backoff.next());
      }
      case "failed":
        return known.backoff.next();
    }
  }

  /** The last run of `key` did not fail. */
  forget(key: ObjectKey): void {
    this.#failures.delete(key);
  }

  #between([fromMs, toMs]: readonly [number, number]): number {
    return Math.round(fromMs + (toMs - fromMs) * this.#random());
  }
}
