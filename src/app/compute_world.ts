/**
 * The same world and engine as in `weir serve`, run once, without traffic.
 *
 * A data plane is assumed that takes everything, so outputs say what they would say in service.
 */

import type { InputProblem } from "../api/translate.ts";
import { systemClock } from "../base/clock.ts";
import { invariant } from "../base/invariant.ts";
import { noLog } from "../base/log.ts";
import type { ClusterChoice } from "../cli/context.ts";
import type { TranslateSettings } from "../cli/translate_flags.ts";
import type { ConditionHistory } from "../gateway/explain/condition_history.ts";
import { followConditions } from "../gateway/explain/follow_conditions.ts";
import type { InputProblem as RefusedObject } from "../gateway/feed.ts";
import type { Outputs } from "../gateway/outputs.ts";
import type { State } from "../gateway/state.ts";
import { AssumedDataPlane } from "./assumed_data_plane.ts";
import { createEngine } from "./engine.ts";
import { createLocalObjectSource } from "./local_object_source.ts";
import { createLocalWorld, type LocalWorld } from "./local_world.ts";
import { keptAddresses } from "./kept_addresses.ts";
import type { ReadCluster } from "./read_cluster_once.ts";
import { readInputs } from "./read_inputs.ts";
import type { OnceWorld } from "./once_world.ts";
import { createSnapshotWorld } from "./snapshot_world.ts";

/** Where a command takes objects from. */
export interface OnceInputs {
  /** Files and folders; `-` is standard input. */
  readonly inputs: readonly string[];
  /** The cluster that is read instead of `inputs`. */
  readonly cluster?: ClusterChoice;
}

/** What was computed, and what of the input was refused. */
export interface ComputedWorld {
  readonly outputs: Outputs;
  /** As far as the computation reads them; valid as long as nothing is put in. */
  readonly inputs: State["inputs"];
  /** Has computed everything and is stopped. */
  readonly state: State;
  readonly history: ConditionHistory;
  readonly problems: readonly InputProblem[];
}

/**
 * The world that `from` names, to be computed with the settings that come with it: Gateways of a
 * cluster keep the addresses that their statuses name.
 *
 * Rejects with an Error that names it when an input or the cluster cannot be read at all.
 */
export async function openWorld<Settings extends TranslateSettings>(
  { inputs, cluster }: OnceInputs,
  settings: Settings,
  readCluster: ReadCluster | undefined,
): Promise<{ readonly world: OnceWorld; readonly settings: Settings }> {
  if (cluster === undefined) {
    return { world: manifestsWorld(await openManifests(inputs, settings)), settings };
  }
  invariant(readCluster !== undefined, "A cluster is chosen only where one can be read");
  const world = createSnapshotWorld(await readCluster(cluster, settings), cluster);
  return { world, settings: { ...settings, ...keptAddresses(settings, world.objects) } };
}

/** A local cluster that is filled from manifests. */
export function manifestsWorld({ cluster, loader, certificates }: LocalWorld): OnceWorld {
  return {
    objects: cluster,
    source: createLocalObjectSource(cluster),
    async load() {
      await loader.initialLoad();
      await certificates?.issueMissing();
    },
    unread: () => undefined,
    problems: () => loader.problems(),
  };
}

/**
 * An empty local cluster that reads `inputs`, files and folders or `-` for standard input.
 *
 * Rejects with an Error that names it when an input cannot be read at all.
 */
export async function openManifests(
  inputs: readonly string[],
  settings: TranslateSettings,
): Promise<LocalWorld> {
  const { standardInputText } = await readInputs(inputs, settings.maxManifestBytes);
  return createLocalWorld({
    settings,
    paths: inputs,
    ...(standardInputText === undefined ? {} : { standardInputText }),
    clock: systemClock,
    log: noLog,
    newUid: () => crypto.randomUUID(),
  });
}

/** Loads `world` and computes what would be served from it; the world is used up. */
export async function computeWorld(
  world: OnceWorld,
  settings: TranslateSettings,
): Promise<ComputedWorld> {
  await world.load();
  const refused: InputProblem[] = [];
  const { state, feed } = createEngine({
    settings,
    source: world.source,
    clock: systemClock,
    quietMs: 0,
    onProblem: (problem) => refused.push(toProblem(problem)),
  });
  const history = followConditions(state, systemClock);
  const stop = new AbortController();
  const running = [feed.run(stop.signal), state.run(stop.signal)];
  try {
    const outputs = await acknowledgeAll(state);
    const all = [...world.problems(), ...refused];
    return { outputs, inputs: state.inputs, state, history, problems: all };
  } finally {
    stop.abort();
    await Promise.all(running);
  }
}

/** The outputs after the assumed data plane took everything. */
async function acknowledgeAll(state: State): Promise<Outputs> {
  const { dataPlane } = await state.settled();
  for (const answer of await new AssumedDataPlane("none").apply(dataPlane)) {
    state.acknowledge(answer);
  }
  return await state.settled();
}

/** A refused object as problems are told. */
export function toProblem({ kind, key, reason }: RefusedObject): InputProblem {
  return { source: "", object: `${kind} ${key}`, field: "", message: reason };
}
