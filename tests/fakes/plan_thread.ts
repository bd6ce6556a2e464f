/**
 * Threads for plans that compute in this one, and threads that a test plays by hand. What crosses is
 * copied as it is between threads, so a value that cannot cross fails here too.
 */

import type {
  PlanCommand,
  PlanJob,
  PlanPort,
  PlanReport,
  PlanThreadListener,
  StartPlanThread,
} from "../../src/app/plan_thread.ts";
import type { PlanSurroundings } from "../../src/app/plan_computation.ts";
import { servePlan } from "../../src/app/plan_worker.ts";

/** Threads that compute here, each message in a turn of its own. */
export function localPlanThreads(surroundings: PlanSurroundings): StartPlanThread {
  return (job, listener) => {
    let isOver = false;
    let onCommand: (command: PlanCommand) => void = () => {};
    const port: PlanPort = {
      report: (report) =>
        queueMicrotask(() => isOver || listener.onReport(structuredClone(report))),
      onCommand: (given) => onCommand = given,
    };
    void servePlan(port, structuredClone(job), surroundings);
    return {
      send: (command) => queueMicrotask(() => isOver || onCommand(structuredClone(command))),
      terminate: () => isOver = true,
    };
  };
}

/** A thread that does what the test says. */
export interface ScriptedThread {
  readonly job: PlanJob;
  readonly commands: readonly PlanCommand[];
  readonly isTerminated: boolean;
  report(report: PlanReport): void;
  fail: PlanThreadListener["onFailure"];
}

/** Threads that do nothing by themselves, in the order of their start. */
export function scriptedPlanThreads(): {
  readonly start: StartPlanThread;
  readonly threads: readonly ScriptedThread[];
} {
  const threads: ScriptedThread[] = [];
  return {
    threads,
    start(job, listener) {
      const commands: PlanCommand[] = [];
      let isTerminated = false;
      threads.push({
        job,
        commands,
        get isTerminated() {
          return isTerminated;
        },
        report: (report) => listener.onReport(report),
        fail: (failure) => listener.onFailure(failure),
      });
      return {
        send: (command) => commands.push(command),
        terminate: () => isTerminated = true,
      };
    },
  };
}
