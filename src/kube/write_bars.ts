/**
 * Where this process may not write: one key of a namespace is tried, the others wait for it.
 *
 * Rights are given for a kind in a namespace or in all, so what was refused for one object would be
 * refused for its neighbours. One try soon, and rarer the longer it lasts, costs the server nothing;
 * and when rights are given back, or an API server that starts has read its rules, all are written at
 * once and not after a minute.
 */

import { Backoff } from "../base/backoff.ts";
import { type ObjectKey, parseObjectKey } from "./object.ts";

/** Growth of the wait between tries. */
const barBackoff = { initialMs: 1_000, maxMs: 60_000 } as const;

interface Bar {
  readonly backoff: Backoff;
  /** Monotonic milliseconds. */
  untilMs: number;
  /** The key that was let through. */
  tried: ObjectKey;
  readonly waiting: Set<ObjectKey>;
}

/** See the file's header. */
export class WriteBars {
  readonly #random: () => number;
  /** By namespace; the empty text for objects without one. */
  readonly #bars = new Map<string, Bar>();

  /** @param random uniform in [0, 1) */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** `key` was refused; milliseconds until it may be tried again. */
  refuse(key: ObjectKey, nowMs: number): number {
    const { namespace = "" } = parseObjectKey(key);
    let bar = this.#bars.get(namespace);
    if (bar === undefined) {
      const backoff = new Backoff(barBackoff, this.#random);
      bar = { backoff, untilMs: nowMs, tried: key, waiting: new Set() };
      this.#bars.set(namespace, bar);
    }
    // Those that were under way beside it are no refusals of their own.
    if (bar.tried === key) bar.untilMs = nowMs + bar.backoff.next();
    bar.waiting.add(key);
    return Math.max(0, bar.untilMs - nowMs);
  }

  /**
   * Milliseconds until `key` may be tried; 0: now. Whoever is let through keeps the others waiting for
   * what becomes of it.
   */
  waitMs(key: ObjectKey, nowMs: number): number {
    const bar = this.#bars.get(parseObjectKey(key).namespace ?? "");
    if (bar === undefined) return 0;
    if (bar.untilMs > nowMs) {
      bar.waiting.add(key);
      return bar.untilMs - nowMs;
    }
    // The others wait for the answer; if there was nothing to write, the next one tries.
    bar.tried = key;
    bar.untilMs = nowMs + barBackoff.initialMs;
    return 0;
  }

  /** `key` was written: those that waited for it, which may be written as well. */
  lift(key: ObjectKey): Iterable<ObjectKey> {
    const { namespace = "" } = parseObjectKey(key);
    const waiting = this.#bars.get(namespace)?.waiting;
    this.#bars.delete(namespace);
    waiting?.delete(key);
    return waiting ?? [];
  }
}
