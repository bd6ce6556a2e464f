/**
 * Lets writes to the cluster through: so many at a time, so many a second, none while the server asks
 * for peace, and none that this replica may not make. One for all kinds of a process.
 *
 * Ten thousand statuses at a start would fill the server's queues, and then everybody waits for weir.
 * Who waits here is served in order, and holds one key: the callers' queues keep the others, so that
 * nothing is dropped and no kind keeps out another. A write is worth nothing when its author no longer
 * leads at the time it is stored; so each request gets less time than the lease has left.
 */

import type { Clock } from "../base/clock.ts";
import type { LeaderGate } from "./leader_gate.ts";
import { RequestPace } from "./request_pace.ts";

/** How much may be written. */
export interface WriteLimits {
  /** Requests in a second, on average; `Infinity`: as many as can be. */
  readonly perSecond: number;
  /** Requests at once after a quiet time. */
  readonly burst: number;
  /** Requests in flight. */
  readonly parallel: number;
  /** Between writes of one object that changes all the time, milliseconds; 0: none. */
  readonly distanceMs: number;
}

/** For a cluster in memory, which answers at once. */
export const unlimitedWrites: WriteLimits = {
  perSecond: Infinity,
  burst: Infinity,
  parallel: Infinity,
  distanceMs: 0,
};

/** The longest that a write may take, milliseconds. The server itself ends it at 34 s. */
const writeMaxMs = 15_000;
/** What is left of the lease beyond the end of a request: for the way there and for slow clocks. */
const leaseMarginMs = 500;
/** Less time than this is not worth a request: it would be cut off in the middle. */
const writeMinMs = 500;
/** How long who has too little of the lease left waits for its renewal. */
const renewalWaitMs = 250;

/** Room for one write, until it is given back. */
export interface WritePermit {
  /** Whether there was no room at once: what was read before may be old. */
  readonly hasWaited: boolean;
  /**
   * How long the next request may take, milliseconds; undefined when it must not be sent. True for
   * this moment only: ask immediately before each request.
   */
  timeoutMs(): number | undefined;
  /** Gives the room to the next in line. Once. */
  release(): void;
}

/** See the file's header. */
export class WritePermits {
  readonly #gate: LeaderGate;
  readonly #clock: Clock;
  readonly #pace: RequestPace | undefined;
  readonly #parallelMax: number;
  /** See {@linkcode WriteLimits}. */
  readonly distanceMs: number;
  readonly #waiting = new Set<() => void>();
  #inFlight = 0;
  #pausedUntilMs = -Infinity;

  constructor(gate: LeaderGate, clock: Clock, limits: WriteLimits) {
    this.#gate = gate;
    this.#clock = clock;
    this.#pace = limits.perSecond === Infinity ? undefined : new RequestPace(limits, clock);
    this.#parallelMax = limits.parallel;
    this.distanceMs = limits.distanceMs;
  }

  /** How many wait for room. */
  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** The server asked for peace: nothing is sent for `ms` from now on, by nobody. */
  pause(ms: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#clock.monotonicMs() + ms);
  }

  /** How long nothing is sent, milliseconds; 0 when the server did not ask for peace. */
  pausedForMs(): number {
    return Math.max(0, this.#pausedUntilMs - this.#clock.monotonicMs());
  }

  /**
   * How long a write waits for the lease: 0 when it may be sent, a short time when the lease is about
   * to be renewed, undefined when another replica leads.
   */
  heldForMs(): number | undefined {
    if (!this.#gate.isLeader()) return undefined;
    return this.#timeoutMs() === undefined ? renewalWaitMs : 0;
  }

  /** Waits for room. Rejects with the signal's reason. */
  async acquire(signal: AbortSignal): Promise<WritePermit> {
    signal.throwIfAborted();
    const askedMs = this.#clock.monotonicMs();
    const hasRoom = this.#inFlight < this.#parallelMax;
    if (hasRoom) this.#inFlight++;
    else await this.#wait(signal);
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      this.#passOn();
    };
    try {
      await this.#pace?.acquire(signal);
    } catch (error) {
      release();
      throw error;
    }
    const hasWaited = !hasRoom || this.#clock.monotonicMs() > askedMs;
    return { hasWaited, timeoutMs: () => this.#timeoutMs(), release };
  }

  #timeoutMs(): number | undefined {
    if (!this.#gate.isLeader()) return undefined;
    const timeoutMs = Math.min(writeMaxMs, this.#gate.remainingMs() - leaseMarginMs);
    return timeoutMs < writeMinMs ? undefined : Math.floor(timeoutMs);
  }

  /** The room goes to who waited longest, so that nobody who comes just now is faster. */
  #passOn(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#inFlight--;
    else next();
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(enter);
        signal.removeEventListener("abort", abort);
      };
      const abort = (): void => {
        leave();
        reject(signal.reason);
      };
      const enter = (): void => {
        leave();
        resolve();
      };
      this.#waiting.add(enter);
      signal.addEventListener("abort", abort);
    });
  }
}
