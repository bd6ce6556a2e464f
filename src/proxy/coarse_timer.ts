/**
 * One timer for everything that has a deadline: no timer is set or cleared for a request.
 *
 * Members are checked once a period while there are any; an idle proxy has no timer at all. A member
 * may leave, and others may join, while the members are checked.
 */

import type { Clock } from "../base/clock.ts";

/** Something with deadlines. */
export interface Timed {
  /** Called about once a period with the clock's monotonic time. Must not throw. */
  check(nowMs: number): void;
}

/** See the file's header for the promises. */
export class CoarseTimer {
  readonly #clock: Clock;
  readonly #periodMs: number;
  readonly #members = new Set<Timed>();
  #cancel: (() => void) | undefined;
  #nowMs: number;

  constructor(clock: Clock, periodMs = 50) {
    this.#clock = clock;
    this.#periodMs = periodMs;
    this.#nowMs = clock.monotonicMs();
  }

  /** The monotonic time of the last check or {@linkcode now}: behind by up to a period. */
  get recentMs(): number {
    return this.#nowMs;
  }

  /** The monotonic time, and the new {@linkcode recentMs}. */
  now(): number {
    return this.#nowMs = this.#clock.monotonicMs();
  }

  /** Checks `member` from now on. */
  add(member: Timed): void {
    this.#members.add(member);
    this.#cancel ??= this.#clock.after(this.#periodMs, this.#tick);
  }

  /** Forgets `member`; again is harmless. The last one takes the timer with it at its next turn. */
  delete(member: Timed): void {
    this.#members.delete(member);
  }

  /** Forgets all members and stops the timer. */
  clear(): void {
    this.#members.clear();
    this.#cancel?.();
    this.#cancel = undefined;
  }

  readonly #tick = (): void => {
    this.#cancel = undefined;
    const nowMs = this.now();
    for (const member of this.#members) member.check(nowMs);
    if (this.#members.size > 0) {
      this.#cancel ??= this.#clock.after(this.#periodMs, this.#tick);
    }
  };
}
