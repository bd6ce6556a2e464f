/**
 * `weir plan`: a plan over the world that some manifests make, a cluster or a running weir has, for the
 * changes of others.
 */

import { systemClock } from "../base/clock.ts";
import { invariant } from "../base/invariant.ts";
import { noLog } from "../base/log.ts";
import type { ClusterChoice, PlanRequest, PlanResult } from "../cli/context.ts";
import { keyOf } from "../kube/object.ts";
import { compareStrings } from "../kube/json_value.ts";
import { SchemaAdmission } from "../localkube/admission/schema_admission.ts";
import type { LocalCluster, Problem } from "../localkube/store_contract.ts";
import { openManifests } from "./compute_world.ts";
import { type ForkBase, localBase, proposalTarget } from "./fork_base.ts";
import { keptAddresses } from "./kept_addresses.ts";
import { createLoader, createLocalWorld, type LocalWorld } from "./local_world.ts";
import { deleteNamed } from "./plan_deletions.ts";
import { planRunning } from "./plan_running.ts";
import { runFork } from "./plan_fork.ts";
import { toPlan } from "./plan_view.ts";
import type { ReadCluster } from "./read_cluster_once.ts";
import { openRunningApi } from "./running_api.ts";
import { readInputs } from "./read_inputs.ts";
import { recordApplied } from "./recording_cluster.ts";
import { seedAll, SeedingAdmission, takeSnapshot } from "./seed_cluster.ts";
import { baseOf, createSnapshotWorld } from "./snapshot_world.ts";

/**
 * Computes what would change. Problems of what there is are only counted: a plan is about the change.
 *
 * Rejects with an Error that names it when an input cannot be read at all.
 */
export async function planManifests(
  request: PlanRequest,
  readCluster?: ReadCluster,
): Promise<PlanResult> {
  const { inputs } = request;
  const running = await openRunningApi(request);
  if (running) return { plan: await planRunning(running, request), baseProblemCount: 0 };
  const { standardInputText } = await readInputs(inputs, request.settings.maxManifestBytes);
  const base = request.cluster === undefined
    ? await baseOfManifests(request)
    : await baseOfCluster(request.cluster, request, readCluster);
  const { world, knowledge, settings, baseProblemCount } = base;
  const problems: Problem[] = [];
  const fork = await runFork({
    cluster: world.cluster,
    base: knowledge,
    settings,
    clock: systemClock,
    // Not limited in time: a person or a pipeline waits for it and can end it.
    signal: new AbortController().signal,
    propose: async () => {
      problems.push(...await propose(base, request, standardInputText));
    },
  });
  return { plan: toPlan(fork, `0.${fork.before.revision}`, problems), baseProblemCount };
}

/** What there is. */
interface PlanBase {
  readonly world: LocalWorld;
  readonly knowledge: ForkBase;
  /** `Kind/namespace/name` of what a proposal may prune. */
  readonly objects: readonly string[];
  readonly settings: PlanRequest["settings"];
  readonly baseProblemCount: number;
}

async function baseOfManifests({ against, settings }: PlanRequest): Promise<PlanBase> {
  const world = await openManifests(against, settings);
  await world.loader.initialLoad();
  const objects = objectNames(world.cluster);
  await world.certificates?.issueMissing();
  const baseProblemCount = world.loader.problemCount;
  return { world, knowledge: localBase, objects, settings, baseProblemCount };
}

/** A copy of a cluster; nothing of it is pruned. */
async function baseOfCluster(
  choice: ClusterChoice,
  { settings: given }: PlanRequest,
  readCluster: ReadCluster | undefined,
): Promise<PlanBase> {
  invariant(readCluster !== undefined, "A cluster is chosen only where one can be read");
  const reading = await readCluster(choice, given);
  const { objects } = createSnapshotWorld(reading, choice);
  const settings = { ...given, ...keptAddresses(given, objects), devCertificates: false };
  const admission = new SeedingAdmission(new SchemaAdmission());
  const world = createLocalWorld({
    settings,
    paths: [],
    clock: systemClock,
    log: noLog,
    newUid: () => crypto.randomUUID(),
    admission,
  });
  seedAll(world.cluster, takeSnapshot(objects), systemClock);
  admission.endSeeding();
  return { world, knowledge: baseOf(reading), objects: [], settings, baseProblemCount: 0 };
}

/** Applies and deletes; what was refused. */
async function propose(
  { world: { cluster, certificates }, knowledge, objects, settings }: PlanBase,
  { inputs, deletions, prunes }: PlanRequest,
  standardInputText: string | undefined,
): Promise<readonly Problem[]> {
  const source = {
    settings,
    paths: inputs,
    ...(standardInputText === undefined ? {} : { standardInputText }),
    clock: systemClock,
    log: noLog,
    newUid: () => crypto.randomUUID(),
  };
  const target = proposalTarget(cluster, knowledge, systemClock);
  const kept = new Set<string>();
  const loader = createLoader(recordApplied(target, kept), source);
  await loader.initialLoad();
  const problems = [...loader.problems(), ...deleteNamed(target, deletions)];
  if (prunes) {
    // What the cluster has no more is what was wanted.
    deleteNamed(cluster, objects.filter((name) => !kept.has(name)));
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
