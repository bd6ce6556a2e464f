/**
 * One plan as the process sees it: a thread that is fed, and what becomes of it.
 *
 * The answer and the end of the thread are two things. Whoever asked is answered at once when the time
 * is over or nobody waits any more; the thread counts until it says that it has ended, so that
 * threads of plans that nobody wants cannot pile up. One that does not end is let go, and told.
 */

import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { PlanJob, PlanReport, PlanThread, StartPlanThread } from "./plan_thread.ts";
import type { SnapshotWriter } from "./seed_cluster.ts";

/** How long a thread may go on after it was told to end. */
export const planStopMs = 30_000;

/** What a run is made of. */
export interface PlanRunOptions {
  readonly startThread: StartPlanThread;
  readonly job: PlanJob;
  readonly objects: SnapshotWriter;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called once, when the thread is gone. */
  readonly onEnded: () => void;
}

/** The thread used up the memory that a plan may have. */
export class PlanMemoryError extends Error {
  override name = "PlanMemoryError";
}

/** See the file's header. */
export class PlanRun {
  readonly #options: PlanRunOptions;
  #answer: PromiseWithResolvers<Uint8Array<ArrayBuffer>> | undefined;
  #thread: PlanThread | undefined;
  #hasEnded = false;
  #cancelStop: (() => void) | undefined;

  constructor(options: PlanRunOptions) {
    this.#options = options;
  }

  /**
   * The plan as JSON. Rejects with the reason of {@linkcode PlanRun.cancel}, or why there is none.
   * Called once.
   */
  run(): Promise<Uint8Array<ArrayBuffer>> {
    const { startThread, job } = this.#options;
    this.#answer = Promise.withResolvers();
    try {
      this.#thread = startThread(job, {
        onReport: (report) => this.#onReport(report),
        onFailure: (error) => this.#fail(error),
      });
    } catch (error) {
      this.#fail(error);
    }
    return this.#answer.promise;
  }

  /** Gives up; nothing happens when it is over. */
  cancel(reason: unknown): void {
    if (this.#hasEnded || this.#cancelStop) return;
    this.#answer?.reject(reason);
    this.#cancelStop = this.#options.clock.after(planStopMs, () => {
      this.#options.log.error("A plan does not end, its thread is left to itself", {
        afterMs: planStopMs,
      });
      this.#end();
    });
    this.#thread?.send({ type: "cancel" });
  }

  #onReport(report: PlanReport): void {
    if (this.#hasEnded) return;
    switch (report.type) {
      case "next":
        if (this.#cancelStop) return;
        return this.#thread?.send({ type: "objects", ...this.#options.objects.writePart() });
      case "done":
        this.#answer?.resolve(report.answer);
        return this.#end();
      case "cancelled":
        return this.#end();
      case "failed":
        return this.#fail(report.message);
      case "outOfMemory":
        this.#answer?.reject(new PlanMemoryError("it needs more memory than a plan may have"));
        return this.#end();
    }
  }

  #fail(cause: unknown): void {
    if (this.#hasEnded) return;
    const why = cause instanceof Error ? cause.message : String(cause);
    this.#answer?.reject(new Error(`The thread of a plan failed: ${why}`, { cause }));
    this.#end();
  }

  #end(): void {
    this.#hasEnded = true;
    this.#cancelStop?.();
    this.#thread?.terminate();
    this.#options.onEnded();
  }
}
