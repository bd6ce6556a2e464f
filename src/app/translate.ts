/**
 * `weir translate`: the same world and engine as `weir serve`, run once, without traffic.
 *
 * A data plane is assumed that takes everything, so statuses say what they would say in service.
 */

import type { InputProblem as TranslateProblem, TranslateResult } from "../api/translate.ts";
import type { TranslatedStatus } from "../api/translate.ts";
import { systemClock } from "../base/clock.ts";
import { noLog } from "../base/log.ts";
import type { TranslateRequest } from "../cli/context.ts";
import type { InputProblem } from "../gateway/feed.ts";
import { type Outputs, statusKinds } from "../gateway/outputs.ts";
import type { State } from "../gateway/state.ts";
import type { DesiredStatus } from "../kube/desired_status.ts";
import { apiVersionOf, kinds } from "../kube/kinds.ts";
import { parseObjectKey } from "../kube/object.ts";
import { renderStatus } from "../kube/render_status.ts";
import { AssumedDataPlane } from "./assumed_data_plane.ts";
import { createEngine } from "./engine.ts";
import { createLocalObjectSource } from "./local_object_source.ts";
import { createLocalWorld, type LocalWorld } from "./local_world.ts";
import { readInputs } from "./read_inputs.ts";
import { renderDataPlane } from "./render_data_plane.ts";
import { findUnserved } from "./unserved.ts";

/**
 * Computes what would be served from the inputs of `request`.
 *
 * Rejects with an Error that names it when an input cannot be read at all; anything wrong inside the
 * inputs is among the problems of the result.
 */
export async function translateManifests(request: TranslateRequest): Promise<TranslateResult> {
  const { inputs, settings } = request;
  const { standardInputText } = await readInputs(inputs, settings.maxManifestBytes);
  const world = createLocalWorld({
    settings,
    paths: inputs,
    ...(standardInputText === undefined ? {} : { standardInputText }),
    clock: systemClock,
    log: noLog,
    newUid: () => crypto.randomUUID(),
  });
  return await translateWorld(world, settings);
}

/** Loads `world` and computes what would be served from it; the world is used up. */
export async function translateWorld(
  world: LocalWorld,
  settings: TranslateRequest["settings"],
): Promise<TranslateResult> {
  const { cluster, loader, certificates } = world;
  await loader.initialLoad();
  await certificates?.issueMissing();
  const refused: InputProblem[] = [];
  const { state, feed } = createEngine({
    settings,
    source: createLocalObjectSource(cluster),
    clock: systemClock,
    quietMs: 0,
    onProblem: (problem) => refused.push(problem),
  });
  const stop = new AbortController();
  const running = [feed.run(stop.signal), state.run(stop.signal)];
  try {
    const outputs = await acknowledgeAll(state);
    const problems = [...loader.problems(), ...refused.map(toProblem)];
    return { ...toResult(outputs, problems), unserved: findUnserved(cluster, settings) };
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

function toResult(
  outputs: Outputs,
  problems: readonly TranslateProblem[],
): Omit<TranslateResult, "unserved"> {
  const { gateways, clusters } = renderDataPlane(outputs.dataPlane);
  const served = new Map(
    gateways.map((gateway) => [`${gateway.namespace}/${gateway.name}`, gateway]),
  );
  return {
    revision: outputs.revision,
    statuses: statusKinds.flatMap((kind) => [...outputs.statuses[kind].values()].map(toStatus)),
    gateways: [...outputs.gateways.entries()].map(([key, { namespace, name, addresses }]) => ({
      namespace,
      name,
      addresses,
      listeners: served.get(key)?.listeners.map((listener) => ({ ...listener })) ?? [],
    })),
    proxy: { gateways, clusters },
    problems,
  };
}

function toStatus(desired: DesiredStatus): TranslatedStatus {
  const { namespace, name } = parseObjectKey(desired.key);
  return {
    apiVersion: apiVersionOf(kinds[desired.kind]),
    kind: desired.kind,
    metadata: { ...(namespace === undefined ? {} : { namespace }), name },
    status: renderStatus(desired),
  };
}

function toProblem({ kind, key, reason }: InputProblem): TranslateProblem {
  return { source: "", object: `${kind} ${key}`, field: "", message: reason };
}
