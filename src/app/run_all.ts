/**
 * Runs the subsystems of a process together: start in order, stop in reverse, fail as decided.
 *
 * Stopping is: unready, drain all at once within one time limit, then one after the other from the
 * last to the first, each awaited before the one before it, because later ones use earlier ones. The
 * failure of a core subsystem stops everything in the same way and is the outcome. Every wait of the
 * stop has a limit; what does not stop in time is named and left behind.
 */

import type { Check, Readiness as ReadinessReport } from "../api/readiness.ts";
import { Backoff, type BackoffOptions } from "../base/backoff.ts";
import type { Clock } from "../base/clock.ts";
import { invariant } from "../base/invariant.ts";
import type { Logger } from "../base/log.ts";
import type { Subsystem } from "./subsystem.ts";
import { SubsystemFailure, SubsystemTask } from "./subsystem_task.ts";

/** What a runner is built from. */
export interface SubsystemRunnerOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Uniform in [0, 1), for jitter. */
  readonly random: () => number;
  /** For all subsystems together; 0: no draining. */
  readonly drainTimeoutMs: number;
  /** For each subsystem; 5 s when absent. */
  readonly stopTimeoutMs?: number;
  /** Between a failure and the next start; 200 ms growing to 30 s when absent. */
  readonly restartBackoff?: BackoffOptions;
  /** See {@linkcode SubsystemTask}; a minute when absent. */
  readonly healthyAfterMs?: number;
  /** Features that are off, which readiness lists. */
  readonly off?: readonly string[];
}

/** How a run ended: because it was told to, or for a reason. */
export type RunOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly failure: SubsystemFailure };

const readyPollMs = 5;

/** See the file's header for the promises. */
export class SubsystemRunner {
  readonly #options: SubsystemRunnerOptions;
  #state: "starting" | "running" | "stopping" = "starting";
  #tasks: readonly SubsystemTask[] = [];
  #failure: SubsystemFailure | undefined;

  constructor(options: SubsystemRunnerOptions) {
    this.#options = options;
  }

  /**
   * Runs `subsystems` until `signal` aborts or a core subsystem fails; resolves when all have
   * stopped. Called once.
   */
  async run(subsystems: readonly Subsystem[], signal: AbortSignal): Promise<RunOutcome> {
    invariant(this.#state === "starting" && this.#tasks.length === 0, "A runner runs once");
    if (signal.aborted) return { ok: true };
    this.#tasks = subsystems.map((subsystem) => this.#newTask(subsystem));
    const end = Promise.withResolvers<void>();
    const wake = (): void => end.resolve();
    signal.addEventListener("abort", wake, { once: true });
    const runs = this.#tasks.map((task) => this.#runTask(task, wake));
    this.#state = "running";
    await end.promise;
    signal.removeEventListener("abort", wake);
    this.#state = "stopping";
    if (this.#failure) this.#logFailure(this.#failure);
    await this.#drain();
    await this.#stop(runs);
    return this.#failure ? { ok: false, failure: this.#failure } : { ok: true };
  }

  /** Every subsystem and every feature that is off; ready when every subsystem is. */
  readiness(): ReadinessReport {
    const checks: Check[] = this.#tasks.map((task) => {
      const { ready, reason } = task.readiness();
      return { name: task.name, state: ready ? "ok" : "failed", reason };
    });
    if (this.#state !== "running") {
      checks.unshift({ name: "process", state: "failed", reason: `is ${this.#state}` });
    }
    for (const name of this.#options.off ?? []) {
      checks.push({ name, state: "off", reason: "is switched off" });
    }
    return { status: checks.some(({ state }) => state === "failed") ? "failed" : "ok", checks };
  }

  /** Resolves as soon as everything is ready; rejects with the signal's reason when that aborts. */
  async untilReady(signal: AbortSignal): Promise<void> {
    while (this.readiness().status !== "ok") await this.#options.clock.sleep(readyPollMs, signal);
  }

  #newTask(subsystem: Subsystem): SubsystemTask {
    const { clock, log, random, restartBackoff, healthyAfterMs = 60_000 } = this.#options;
    const backoff = new Backoff(restartBackoff ?? { initialMs: 200, maxMs: 30_000 }, random);
    return new SubsystemTask(subsystem, { clock, log, backoff, healthyAfterMs });
  }

  async #runTask(task: SubsystemTask, wake: () => void): Promise<void> {
    try {
      await task.run();
    } catch (error) {
      this.#failure ??= error instanceof SubsystemFailure
        ? error
        : new SubsystemFailure(task.name, error);
      wake();
    }
  }

  #logFailure(failure: SubsystemFailure): void {
    this.#options.log.error("Core subsystem failed, the process ends", {
      subsystem: failure.subsystem,
      error: failure.cause,
    });
  }

  async #drain(): Promise<void> {
    const { log, drainTimeoutMs } = this.#options;
    if (drainTimeoutMs <= 0) return;
    const controller = new AbortController();
    const drains = this.#tasks.toReversed().map(async (task) => {
      try {
        await task.drain(controller.signal);
      } catch (error) {
        if (controller.signal.aborted) return;
        log.warn("Draining failed, the subsystem is stopped", { subsystem: task.name, error });
      }
    });
    if (await this.#within(drainTimeoutMs, Promise.all(drains))) return;
    log.warn("Draining took too long, what is in flight is cut", { drainTimeoutMs });
    controller.abort(new Error("Draining took too long"));
  }

  async #stop(runs: readonly Promise<void>[]): Promise<void> {
    const { log, stopTimeoutMs = 5000 } = this.#options;
    for (const [index, task] of [...this.#tasks.entries()].toReversed()) {
      task.stop();
      if (await this.#within(stopTimeoutMs, runs[index])) continue;
      const error = new Error(`it did not stop within ${stopTimeoutMs} ms`);
      log.error("Subsystem does not stop, it is left behind", { subsystem: task.name, error });
      this.#failure ??= new SubsystemFailure(task.name, error);
    }
  }

  /** Whether `work` settled before `ms` had passed. */
  async #within(ms: number, work: Promise<unknown> | undefined): Promise<boolean> {
    const timeout = Promise.withResolvers<boolean>();
    const cancel = this.#options.clock.after(ms, () => timeout.resolve(false));
    try {
      return await Promise.race([timeout.promise, Promise.resolve(work).then(() => true)]);
    } finally {
      cancel();
    }
  }
}
