/**
 * The part of `@std/testing/time` that the tests use, with the same names and semantics.
 *
 * `FakeTime` replaces the global `Date` and timers of the process until it is disposed; only one may
 * be active. Everything that takes a clock is tested with `tests/fakes/fake_clock.ts` instead: this
 * is for the few files that touch the globals themselves (`src/base/clock.ts`, `src/std/async.ts`).
 */

interface Timer {
  readonly id: number;
  readonly dueMs: number;
  readonly everyMs: number | undefined;
  readonly callback: () => void;
}

/** Another {@linkcode FakeTime} is active, or this one is already restored. */
export class TimeError extends Error {
  override name = "TimeError";
}

// deno-lint-ignore no-explicit-any -- The signature of the global timers.
type TimerCallback = (...args: any[]) => void;

const real = {
  Date: globalThis.Date,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
};

let active: FakeTime | undefined;

/** See the file's header for the promises. */
export class FakeTime implements Disposable {
  readonly #timers = new Map<number, Timer>();
  #nowMs: number;
  #nextId = 1;

  /** @param start wall time at the start; absent: the real one */
  constructor(start?: number | string | Date | null) {
    if (active) throw new TimeError("Cannot construct FakeTime: time is already faked");
    this.#nowMs = start === undefined || start === null
      ? real.Date.now()
      : new real.Date(start).getTime();
    active = this;
    this.#install();
  }

  /** The fake wall time in milliseconds; setting it forward runs what falls due. */
  get now(): number {
    return this.#nowMs;
  }
  set now(value: number) {
    if (value < this.#nowMs) throw new RangeError("Cannot set time in the past");
    this.tick(value - this.#nowMs);
  }

  /** Moves time on by `ms` and runs what falls due, in order. */
  tick(ms = 0): void {
    const targetMs = this.#nowMs + ms;
    while (this.#runNext(targetMs));
    this.#nowMs = targetMs;
  }

  /** As {@linkcode tick}; promises go on before each timer and at the end. */
  async tickAsync(ms = 0): Promise<void> {
    const targetMs = this.#nowMs + ms;
    await this.runMicrotasks();
    while (this.#runNext(targetMs)) await this.runMicrotasks();
    this.#nowMs = targetMs;
  }

  /** Lets promises that are ready go on, without moving time. */
  async runMicrotasks(): Promise<void> {
    await new Promise<void>((resolve) => real.setTimeout(resolve, 0));
  }

  /** Gives the globals back. */
  restore(): void {
    if (active !== this) throw new TimeError("Cannot restore time: it is not faked by this object");
    Object.assign(globalThis, real);
    active = undefined;
    this.#timers.clear();
  }

  [Symbol.dispose](): void {
    if (active === this) this.restore();
  }

  #runNext(targetMs: number): boolean {
    let next: Timer | undefined;
    for (const timer of this.#timers.values()) {
      // Ids grow, and a map keeps insertion order: the first of equal due times was set first.
      if (timer.dueMs <= targetMs && (!next || timer.dueMs < next.dueMs)) next = timer;
    }
    if (!next) return false;
    this.#timers.delete(next.id);
    this.#nowMs = Math.max(this.#nowMs, next.dueMs);
    if (next.everyMs !== undefined) {
      this.#timers.set(next.id, { ...next, dueMs: this.#nowMs + next.everyMs });
    }
    next.callback();
    return true;
  }

  #install(): void {
    const nowMs = (): number => this.#nowMs;
    const set =
      (repeat: boolean) => (callback: TimerCallback, ms = 0, ...args: unknown[]): number => {
        const id = this.#nextId++;
        const waitMs = Math.max(0, ms);
        this.#timers.set(id, {
          id,
          dueMs: this.#nowMs + waitMs,
          everyMs: repeat ? Math.max(1, waitMs) : undefined,
          callback: () => callback(...args),
        });
        return id;
      };
    const clear = (id?: number): void => {
      if (id !== undefined) this.#timers.delete(id);
    };
    class FakeDate extends real.Date {
      constructor(...args: unknown[]) {
        super(...(args.length === 0 ? [nowMs()] : args) as [number]);
      }
      static override now(): number {
        return nowMs();
      }
    }
    Object.assign(globalThis, {
      Date: FakeDate,
      setTimeout: set(false),
      setInterval: set(true),
      clearTimeout: clear,
      clearInterval: clear,
    });
  }
}
