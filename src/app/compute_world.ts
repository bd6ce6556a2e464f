/**
 * The same world and engine as in `weir serve`, run once, without traffic.
 *
 * A data plane is assumed that takes everything, so outputs say what they would say in service.
 */

import type { InputProblem } from "../api/translate.ts";
import { systemClock } from "../base/clock.ts";
import { noLog } from "../base/log.ts";
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
import { readInputs } from "./read_inputs.ts";

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
 * An empty world that reads `inputs`, files and folders or `-` for standard input.
 *
 * Rejects with an Error that names it when an input cannot be read at all.
 */
export async function openWorld(
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
  { cluster, loader, certificates }: LocalWorld,
  settings: TranslateSettings,
): Promise<ComputedWorld> {
  await loader.initialLoad();
  await certificates?.issueMissing();
  const refused: InputProblem[] = [];
  const { state, feed } = createEngine({
    settings,
    source: createLocalObjectSource(cluster),
    clock: systemClock,
    quietMs: 0,
    onProblem: (problem) => refused.push(toProblem(problem)),
  });
  const history = followConditions(state, systemClock);
  const stop = new AbortController();
  const running = [feed.run(stop.signal), state.run(stop.signal)];
  try {
    const outputs = await acknowledgeAll(state);
    const all = [...loader.problems(), ...refused];
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
