/**
 * One subsystem while the process lives: run, run again after a failure where that is allowed, stop.
 *
 * A subsystem that returns without being told to has failed. A broken invariant is never restarted:
 * going on would hide it. This decides nothing about other subsystems.
 */

import type { Backoff } from "../base/backoff.ts";
import type { Clock } from "../base/clock.ts";
import { InvariantError } from "../base/invariant.ts";
import type { Logger } from "../base/log.ts";
import type { Readiness, Subsystem } from "./subsystem.ts";

/** What a task is built from. */
export interface SubsystemTaskOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Of this task alone. */
  readonly backoff: Backoff;
  /** A run that lasted so long counts as healthy: the next failure waits as the first one did. */
  readonly healthyAfterMs: number;
}

/** A subsystem whose failure ends the process. */
export class SubsystemFailure extends Error {
  override name = "SubsystemFailure";
  readonly subsystem: string;

  constructor(subsystem: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`Subsystem "${subsystem}" failed: ${reason}`, { cause });
    this.subsystem = subsystem;
  }
}

/** See the file's header for the promises. */
export class SubsystemTask {
  readonly #subsystem: Subsystem;
  readonly #options: SubsystemTaskOptions;
  readonly #controller = new AbortController();
  #state: "new" | "running" | "waiting" | "ended" = "new";
  #lastFailure = "";

  constructor(subsystem: Subsystem, options: SubsystemTaskOptions) {
    this.#subsystem = subsystem;
    this.#options = options;
  }

  /** The name of the subsystem. */
  get name(): string {
    return this.#subsystem.name;
  }

  /**
   * Works until {@linkcode SubsystemTask.stop}; rejects with {@linkcode SubsystemFailure} when the
   * failure ends the process. Called once.
   */
  async run(): Promise<void> {
    const { signal } = this.#controller;
    try {
      while (!signal.aborted) {
        const failure = await this.#runOnce(signal);
        if (!failure) return;
        await this.#handleFailure(failure.error, signal);
      }
    } finally {
      this.#state = "ended";
    }
  }

  /** Tells the subsystem to stop; may be called again. */
  stop(): void {
    this.#controller.abort(new Error(`Subsystem "${this.name}" is told to stop`));
  }

  /**
   * Lets the subsystem finish what is in flight, until `signal` aborts. Does nothing while it does
   * not run. Rejects when the subsystem does.
   */
  async drain(signal: AbortSignal): Promise<void> {
    if (this.#state === "running") await this.#subsystem.drain?.(signal);
  }

  /** Whether the subsystem works now, and why not. */
  readiness(): Readiness {
    switch (this.#state) {
      case "new":
        return { ready: false, reason: "is not started yet" };
      case "running":
        return this.#subsystem.ready();
      case "waiting":
        return {
          ready: false,
          reason: `is started again soon after it failed: ${this.#lastFailure}`,
        };
      case "ended":
        return { ready: false, reason: "has ended" };
    }
  }

  /** The failure of one run; undefined when it was told to stop. */
  async #runOnce(signal: AbortSignal): Promise<{ readonly error: unknown } | undefined> {
    const { clock, backoff, healthyAfterMs } = this.#options;
    const startMs = clock.monotonicMs();
    this.#state = "running";
    let error: unknown;
    try {
      await this.#subsystem.run(signal);
      if (signal.aborted) return undefined;
      error = new Error("it returned before it was told to stop");
    } catch (thrown) {
      if (signal.aborted) return this.#handleLateError(thrown, signal);
      error = thrown;
    }
    if (clock.monotonicMs() - startMs >= healthyAfterMs) backoff.reset();
    return { error };
  }

  /** The error of a run that was told to stop changes nothing, unless it is a fault of our own. */
  #handleLateError(error: unknown, signal: AbortSignal): undefined {
    if (error instanceof InvariantError) throw new SubsystemFailure(this.name, error);
    const isAnswerToAbort = error === signal.reason ||
      (error instanceof Error && error.name === "AbortError");
    if (isAnswerToAbort) return;
    this.#options.log.warn("Subsystem failed while it stopped", { subsystem: this.name, error });
  }

  async #handleFailure(error: unknown, signal: AbortSignal): Promise<void> {
    const isFatal = this.#subsystem.onFailure === "core" || error instanceof InvariantError;
    if (isFatal) throw new SubsystemFailure(this.name, error);
    const { clock, log, backoff } = this.#options;
    const waitMs = backoff.next();
    this.#lastFailure = error instanceof Error ? error.message : String(error);
    this.#state = "waiting";
    log.error("Subsystem failed and is started again", {
      subsystem: this.name,
      error,
      failureCount: backoff.failureCount,
      waitMs,
    });
    await sleepUnlessAborted(clock, waitMs, signal);
  }
}

async function sleepUnlessAborted(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
