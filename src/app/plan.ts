/**
 * `weir plan`: a plan over the world that some manifests make, or a running weir has, for the changes
 * of others.
 */

import { systemClock } from "../base/clock.ts";
import { noLog } from "../base/log.ts";
import type { PlanRequest, PlanResult } from "../cli/context.ts";
import { keyOf } from "../kube/object.ts";
import { compareStrings } from "../kube/json_value.ts";
import type { LocalCluster, Problem } from "../localkube/store_contract.ts";
import { openWorld } from "./compute_world.ts";
import { createLoader, type LocalWorld } from "./local_world.ts";
import { deleteNamed } from "./plan_deletions.ts";
import { planRunning } from "./plan_running.ts";
import { runFork } from "./plan_fork.ts";
import { toPlan } from "./plan_view.ts";
import { readInputs } from "./read_inputs.ts";
import { recordApplied } from "./recording_cluster.ts";
import { takeSnapshot } from "./seed_cluster.ts";

/**
 * Computes what would change. Problems of what there is are only counted: a plan is about the change.
 *
 * Rejects with an Error that names it when an input cannot be read at all.
 */
export async function planManifests(request: PlanRequest): Promise<PlanResult> {
  const { inputs, against, settings, api } = request;
  if (api !== undefined) return { plan: await planRunning(api, request), baseProblemCount: 0 };
  const base = await openWorld(against, settings);
  await base.loader.initialLoad();
  const baseObjects = objectNames(base.cluster);
  await base.certificates?.issueMissing();
  const { standardInputText } = await readInputs(inputs, settings.maxManifestBytes);
  const problems: Problem[] = [];
  const fork = await runFork({
    cluster: base.cluster,
    settings,
    clock: systemClock,
    // Not limited in time: a person or a pipeline waits for it and can end it.
    signal: new AbortController().signal,
    propose: async () => {
      problems.push(...await propose(base, request, standardInputText, baseObjects));
    },
  });
  return {
    plan: toPlan(fork, `0.${fork.before.revision}`, problems),
    baseProblemCount: base.loader.problemCount,
  };
}

/** Applies and deletes; what was refused. */
async function propose(
  { cluster, certificates }: LocalWorld,
  { inputs, deletions, prunes, settings }: PlanRequest,
  standardInputText: string | undefined,
  baseObjects: readonly string[],
): Promise<readonly Problem[]> {
  const source = {
    settings,
    paths: inputs,
    ...(standardInputText === undefined ? {} : { standardInputText }),
    clock: systemClock,
    log: noLog,
    newUid: () => crypto.randomUUID(),
  };
  const kept = new Set<string>();
  const loader = createLoader(recordApplied(cluster, kept), source);
  await loader.initialLoad();
  const problems = [...loader.problems(), ...deleteNamed(cluster, deletions)];
  if (prunes) {
    // What the cluster has no more is what was wanted.
    deleteNamed(cluster, baseObjects.filter((name) => !kept.has(name)));
  }
  await certificates?.issueMissing();
  return problems;
}

/** `Kind/namespace/name` of every object, sorted. */
function objectNames(cluster: LocalCluster): readonly string[] {
  return takeSnapshot(cluster).flatMap(([kind, objects]) =>
    objects.map((object) => `${kind}/${keyOf(object)}`)
  ).sort(compareStrings);
}
