/**
 * The thread that computes one plan: takes the objects that it asks for, computes, reports.
 *
 * {@linkcode runPlanWorker} is what the program does when it is started as such a thread.
 */

import { parentPort, workerData } from "node:worker_threads";
import { getHeapStatistics } from "node:v8";
import { type Clock, systemClock } from "../base/clock.ts";
import { invariant } from "../base/invariant.ts";
import { PlanComputation, type PlanSurroundings } from "./plan_computation.ts";
import type { PlanCommand, PlanJob, PlanPort, PlanReport } from "./plan_thread.ts";

/** Computes `job` and reports to `port`. Never rejects. */
export async function servePlan(
  port: PlanPort,
  job: PlanJob,
  surroundings: PlanSurroundings,
): Promise<void> {
  const stop = new AbortController();
  const seeded = Promise.withResolvers<void>();
  seeded.promise.catch(() => {
    // Told to whoever awaits it; a cancellation may come when nobody does any more.
  });
  let hasEnded = false;
  const end = (report: PlanReport): void => {
    if (!hasEnded) port.report(report);
    hasEnded = true;
  };
  try {
    const computation = new PlanComputation(job, surroundings);
    const take = (command: PlanCommand): void => {
      if (command.type === "cancel") {
        // What is under way is at a pause now, and ends with the thread.
        end({ type: "cancelled" });
        stop.abort();
        return seeded.reject(stop.signal.reason);
      }
      computation.seed(command.text);
      if (command.isLast) seeded.resolve();
      else port.report({ type: "next" });
    };
    port.onCommand((command) => {
      try {
        take(command);
      } catch (error) {
        seeded.reject(error);
      }
    });
    port.report({ type: "next" });
    await seeded.promise;
    const plan = await computation.compute(stop.signal);
    end({ type: "done", answer: new TextEncoder().encode(`${JSON.stringify(plan)}\n`) });
  } catch (error) {
    end({ type: "failed", message: textOf(error) });
  }
}

/** With the stack: the other side writes it to the log. */
function textOf(error: unknown): string {
  return error instanceof Error ? error.stack ?? error.message : String(error);
}

/** How often the heap is looked at. */
const heapLookMs = 250;

/**
 * Reports when the memory is used up. The runtime ends what is running then and lets the thread go
 * on, without a word; what gives it away is that the limit of the heap has been raised for the end.
 */
function watchHeap(port: PlanPort, clock: Clock): void {
  const limitOf = (): number => getHeapStatistics().heap_size_limit;
  const limit = limitOf();
  const look = (): void => {
    if (limitOf() > limit) port.report({ type: "outOfMemory" });
    else clock.after(heapLookMs, look);
  };
  look();
}

/** Serves the process that started this thread, with what it was started with. */
export async function runPlanWorker(): Promise<void> {
  const messages = parentPort;
  const job: PlanJob = workerData;
  invariant(messages !== null, "A plan is computed on a thread that somebody started");
  const port: PlanPort = {
    report: (report) =>
      messages.postMessage(report, report.type === "done" ? [report.answer.buffer] : []),
    onCommand: (listener) => messages.on("message", listener),
  };
  watchHeap(port, systemClock);
  await servePlan(port, job, { clock: systemClock, newUid: () => crypto.randomUUID() });
}
