/**
 * Plans of a running process: a fork of what it works with, and the manifests of a request.
 *
 * One plan at a time, of a bounded number of objects, in bounded time. The process's own cluster,
 * engine and data plane are read and never written.
 */

import { noLog } from "../base/log.ts";
import type { Clock } from "../base/clock.ts";
import type { Config } from "../config/flags.ts";
import type { State } from "../gateway/state.ts";
import type { PlanAnswer, PlanQuestion, PlanView } from "../http/views.ts";
import { SchemaAdmission } from "../localkube/admission/schema_admission.ts";
import type { LocalCluster } from "../localkube/store_contract.ts";
import { createLocalWorld } from "./local_world.ts";
import { deleteNamed } from "./plan_deletions.ts";
import { runFork } from "./plan_fork.ts";
import { toPlan } from "./plan_view.ts";
import { seedCluster, SeedingAdmission, type Snapshot, takeSnapshot } from "./seed_cluster.ts";

/** Objects that a process may have to be forked. */
const planObjectsMax = 50_000;
/** How long one plan may take. */
export const planTimeoutMs = 20_000;

/** What plans are made from. */
export interface PlanViewOptions {
  readonly cluster: Pick<LocalCluster, "list">;
  readonly state: Pick<State, "hasPublished" | "revision">;
  readonly config: Config;
  readonly clock: Clock;
  readonly newUid: () => string;
  readonly epoch: string;
  /** {@linkcode planObjectsMax} when left out. */
  readonly objectsMax?: number;
}

/** Makes the view. */
export function createPlanView(options: PlanViewOptions): PlanView {
  const { cluster, state, clock, objectsMax = planObjectsMax } = options;
  let isBusy = false;
  return {
    async plan(question) {
      if (!state.hasPublished) return refusal("NotReady", "nothing is computed yet");
      if (isBusy) return refusal("PlanInProgress", "another plan is being computed");
      const snapshot = takeSnapshot(cluster);
      const count = snapshot.reduce((sum, [, objects]) => sum + objects.length, 0);
      if (count > objectsMax) {
        return refusal("TooManyObjects", `${count} objects, wanted at most ${objectsMax}`);
      }
      const stop = new AbortController();
      const timeout = new Error("the time of a plan is over");
      const cancel = clock.after(planTimeoutMs, () => stop.abort(timeout));
      isBusy = true;
      try {
        return await computePlan(options, question, snapshot, stop.signal);
      } catch (error) {
        if (error !== timeout) throw error;
        return refusal("PlanTimeout", `it took longer than ${planTimeoutMs} ms`);
      } finally {
        isBusy = false;
        cancel();
      }
    },
  };
}

async function computePlan(
  { state, config, clock, newUid, epoch }: PlanViewOptions,
  { manifests, deletions }: PlanQuestion,
  snapshot: Snapshot,
  signal: AbortSignal,
): Promise<PlanAnswer> {
  const baseRevision = `${epoch}.${state.revision}`;
  const admission = new SeedingAdmission(new SchemaAdmission());
  const { cluster, loader, certificates } = createLocalWorld({
    settings: config,
    paths: ["-"],
    standardInputText: manifests,
    clock,
    log: noLog,
    newUid,
    admission,
  });
  await seedCluster(cluster, snapshot, clock, signal);
  admission.endSeeding();
  const problems: ReturnType<typeof deleteNamed>[number][] = [];
  const fork = await runFork({
    cluster,
    settings: config,
    clock,
    signal,
    propose: async () => {
      await loader.initialLoad();
      problems.push(...loader.problems(), ...deleteNamed(cluster, deletions));
      await certificates?.issueMissing();
    },
  });
  return { ok: true, plan: toPlan(fork, baseRevision, problems) };
}

function refusal(
  reason: Extract<PlanAnswer, { readonly ok: false }>["reason"],
  detail: string,
): PlanAnswer {
  return { ok: false, reason, detail };
}
