/**
 * One timer for everything that has a deadline: no timer is set or cleared for a request.
 *
 * Members are checked once a period while there are any; an idle proxy has no timer at all. A member
 * may leave, and others may join, while the members are checked.
 */

import type { Clock } from "../base/clock.ts";

/** Something with deadlines. */
export interface Timed {
  /** Belongs to the timer; {@linkcode NOT_TIMED} at first. */
  timerSlot: number;
  /** Called about once a period with the clock's monotonic time. Must not throw. */
  check(nowMs: number): void;
}

/** The slot of what is in no timer. */
export const NOT_TIMED = -1;

/** See the file's header for the promises. */
export class CoarseTimer {
  readonly #clock: Clock;
  readonly #periodMs: number;
  /**
   * Dense; each member knows its place. A Set would do but for its garbage: every few dozen
   * requests it grows into a new table, and the old tables keep requests alive that are over. That
   * was a quarter of the time that the proxy spent.
   */
  readonly #members: Timed[] = [];
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

  /** The number of members. */
  get size(): number {
    return this.#members.length;
  }

  /** The monotonic time, and the new {@linkcode recentMs}. */
  now(): number {
    return this.#nowMs = this.#clock.monotonicMs();
  }

  /** Checks `member` from now on; again is harmless. */
  add(member: Timed): void {
    if (member.timerSlot !== NOT_TIMED) return;
    member.timerSlot = this.#members.length;
    this.#members.push(member);
    this.#cancel ??= this.#clock.after(this.#periodMs, this.#tick);
  }

  /** Forgets `member`; again is harmless. The last one takes the timer with it at its next turn. */
  delete(member: Timed): void {
    const slot = member.timerSlot;
    if (slot === NOT_TIMED) return;
    member.timerSlot = NOT_TIMED;
    const last = this.#members.pop();
    if (last === undefined || last === member) return;
    last.timerSlot = slot;
    this.#members[slot] = last;
  }

  /** Forgets all members and stops the timer. */
  clear(): void {
    for (const member of this.#members.splice(0)) member.timerSlot = NOT_TIMED;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  readonly #tick = (): void => {
    this.#cancel = undefined;
    const nowMs = this.now();
    // Backwards, so that a member that leaves is replaced by one that was checked.
    for (let slot = this.#members.length - 1; slot >= 0; slot--) {
      this.#members[slot]?.check(nowMs);
    }
    if (this.#members.length > 0) this.#cancel ??= this.#clock.after(this.#periodMs, this.#tick);
  };
}
