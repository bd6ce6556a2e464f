/**
 * Plans of a running process: a fork of what it works with, and the manifests of a request.
 *
 * Computed on a thread of its own; the event loop only writes out the objects, in parts, and passes
 * the answer on. One plan at a time, of a bounded number of objects, in bounded time and memory. The
 * process's own cluster, engine and data plane are read and never written.
 */

import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { State } from "../gateway/state.ts";
import type { PlanAnswer, PlanQuestion, PlanView } from "../http/views.ts";
import { type ForkBase, localBase } from "./fork_base.ts";
import { PlanMemoryError, PlanRun } from "./plan_run.ts";
import type { PlanJob, PlanSettings, StartPlanThread } from "./plan_thread.ts";
import { SnapshotWriter, takeSnapshot } from "./seed_cluster.ts";
import type { ClusterObjects } from "./world.ts";

/** Objects that a process may have to be forked. */
const planObjectsMax = 50_000;
/** How long one plan may take. */
export const planTimeoutMs = 20_000;

/** What plans are made from. */
export interface PlanViewOptions {
  readonly cluster: Pick<ClusterObjects, "list">;
  readonly state: Pick<State, "hasPublished" | "revision">;
  /** What is known of the cluster besides its objects; absent: it is the local one. */
  readonly base?: () => ForkBase;
  readonly settings: PlanSettings;
  readonly startThread: StartPlanThread;
  readonly clock: Clock;
  readonly log: Logger;
  readonly epoch: string;
  /** {@linkcode planObjectsMax} when left out. */
  readonly objectsMax?: number;
}

/** Makes the view. */
export function createPlanView(options: PlanViewOptions): PlanView {
  const { cluster, state, clock, objectsMax = planObjectsMax } = options;
  let isBusy = false;
  return {
    async plan(question, signal) {
      signal.throwIfAborted();
      if (!state.hasPublished) return refusal("NotReady", "nothing is computed yet");
      if (isBusy) return refusal("PlanInProgress", "another plan is being computed");
      const snapshot = takeSnapshot(cluster);
      const count = snapshot.reduce((sum, [, objects]) => sum + objects.length, 0);
      if (count > objectsMax) {
        return refusal("TooManyObjects", `${count} objects, wanted at most ${objectsMax}`);
      }
      isBusy = true;
      const run = new PlanRun({
        ...options,
        job: toJob(options, question),
        objects: new SnapshotWriter(snapshot, clock),
        onEnded: () => isBusy = false,
      });
      return await answerOf(run, clock, signal);
    },
  };
}

function toJob(
  { settings, state, epoch, base = () => localBase }: PlanViewOptions,
  { manifests, deletions }: PlanQuestion,
): PlanJob {
  return {
    settings,
    base: base(),
    baseRevision: `${epoch}.${state.revision}`,
    manifests,
    deletions,
  };
}

async function answerOf(run: PlanRun, clock: Clock, signal: AbortSignal): Promise<PlanAnswer> {
  const timeout = new Error("the time of a plan is over");
  const stopTimer = clock.after(planTimeoutMs, () => run.cancel(timeout));
  const cancel = (): void => run.cancel(new Error("Compute plan: nobody waits for it any more"));
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return { ok: true, plan: await run.run() };
  } catch (error) {
    if (error === timeout) {
      return refusal("PlanTimeout", `it took longer than ${planTimeoutMs} ms`);
    }
    if (error instanceof PlanMemoryError) return refusal("PlanTooLarge", error.message);
    throw error;
  } finally {
    signal.removeEventListener("abort", cancel);
    stopTimer();
  }
}

function refusal(
  reason: Extract<PlanAnswer, { readonly ok: false }>["reason"],
  detail: string,
): PlanAnswer {
  return { ok: false, reason, detail };
}
