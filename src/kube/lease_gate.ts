/**
 * Whether this replica may write, by the time that has passed since its lease was renewed.
 *
 * Every question is answered from the clock at that moment, so a process that was stopped and wakes
 * up finds the gate shut before any timer has run. The monotonic clock decides; the wall clock only
 * makes it stricter, for a machine that slept as a whole and whose monotonic clock stood still: set
 * forward it shuts the gate until the next renewal, set back it changes nothing. Once shut it stays
 * shut until it is opened again.
 */

import type { Clock } from "../base/clock.ts";
import type { LeaderGate } from "./leader_gate.ts";

/** A moment on both clocks, milliseconds. */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** The moment that it is now. */
export function momentOf(clock: Clock): Moment {
  return { monotonicMs: clock.monotonicMs(), wallMs: clock.now() };
}

/** See the file's header. */
export class LeaseGate implements LeaderGate {
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #openedAt: Moment | undefined;
  #spanMs = 0;
  #cancelTimer: () => void = () => {};
  /** Openings of a shut gate and shuttings of an open one; those that listeners were told of. */
  #changeCount = 0;
  #toldCount = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isLeader(): boolean {
    return this.remainingMs() > 0;
  }

  /** Until the gate shuts unless it is opened anew, milliseconds; 0: it is shut. */
  remainingMs(): number {
    if (this.#openedAt === undefined) return 0;
    const remainingMs = this.#leftOf(this.#openedAt, this.#spanMs);
    if (remainingMs > 0) return remainingMs;
    this.#openedAt = undefined;
    this.#changeCount++;
    this.#cancelTimer();
    // Not at once: whoever asks is in the middle of something.
    this.#cancelTimer = this.#clock.after(0, () => this.#tell());
    return 0;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /**
   * Lets writers write for `spanMs` after `at`, and tells listeners if it was shut. False, and without
   * effect, when none of that time is left.
   */
  open(at: Moment, spanMs: number): boolean {
    const remainingMs = this.#leftOf(at, spanMs);
    if (remainingMs <= 0) return false;
    if (!this.isLeader()) this.#changeCount++;
    this.#openedAt = at;
    this.#spanMs = spanMs;
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.after(remainingMs, () => this.#tell());
    this.#tell();
    return true;
  }

  /** Lets nobody write, from now on, and tells listeners if it was open. */
  shut(): void {
    if (this.#openedAt !== undefined) this.#changeCount++;
    this.#openedAt = undefined;
    this.#cancelTimer();
    this.#tell();
  }

  #leftOf(at: Moment, spanMs: number): number {
    const monotonicMs = this.#clock.monotonicMs() - at.monotonicMs;
    return spanMs - Math.max(monotonicMs, this.#clock.now() - at.wallMs);
  }

  /** Tells listeners, also when what changed has changed back meanwhile. */
  #tell(): void {
    // The timer may be early by a fraction of a millisecond.
    const remainingMs = this.remainingMs();
    if (this.#changeCount === this.#toldCount) {
      if (remainingMs > 0) this.#cancelTimer = this.#clock.after(remainingMs, () => this.#tell());
      return;
    }
    this.#toldCount = this.#changeCount;
    for (const listener of [...this.#listeners]) listener();
  }
}
