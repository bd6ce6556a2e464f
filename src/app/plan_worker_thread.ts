/**
 * Threads for plans: the same program once more, told by `isMainThread` what it is.
 *
 * The program's own entry is started, because that file exists in every form of the program: in the
 * source tree, in the executable and in a bundle, which is a single file. The heap of a thread is
 * bounded; a thread that wants more ends and the process goes on.
 */

import { Worker } from "node:worker_threads";
import type { PlanJob, PlanReport, PlanThreadListener, StartPlanThread } from "./plan_thread.ts";

/** Megabytes of heap that a plan may use, besides young objects. */
const heapMaxMb = 512;

/** How threads are started. */
export interface PlanThreadOptions {
  /** The program's entry, which calls `runPlanWorker` when it is not the main thread. */
  readonly entry: URL;
  /** {@linkcode heapMaxMb} when left out. */
  readonly heapMaxMb?: number;
}

/** Makes the starter. */
export function createPlanThreads(options: PlanThreadOptions): StartPlanThread {
  return (job: PlanJob, listener: PlanThreadListener) => {
    const worker = new Worker(options.entry, {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: options.heapMaxMb ?? heapMaxMb },
    });
    worker.on("message", (report: PlanReport) => listener.onReport(report));
    worker.on("error", (error) => {
      const isMemory = "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
      if (isMemory) listener.onReport({ type: "outOfMemory" });
      else listener.onFailure(error);
    });
    return {
      send: (command) => worker.postMessage(command),
      terminate: () => void worker.terminate(),
    };
  };
}
