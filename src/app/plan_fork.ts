/**
 * A fork of a world: the same objects in a cluster and an engine of its own, computed once as they
 * are and once with what is proposed.
 *
 * Both computations are made here, by the same engine with the same assumed data plane, so that
 * every difference comes from the proposal. Nothing outside is touched.
 */

import type { InputProblem } from "../api/translate.ts";
import type { Clock } from "../base/clock.ts";
import type { TranslateSettings } from "../cli/translate_flags.ts";
import { diagnose } from "../gateway/diagnostics/diagnose.ts";
import type { Diagnostic } from "../gateway/diagnostics/diagnostic_codes.ts";
import { diffOutputs, type OutputChanges } from "../gateway/diff.ts";
import type { Outputs } from "../gateway/outputs.ts";
import type { State } from "../gateway/state.ts";
import { kindNames } from "../kube/kinds.ts";
import { keyOf } from "../kube/object.ts";
import type { LocalCluster } from "../localkube/store_contract.ts";
import { AssumedDataPlane } from "./assumed_data_plane.ts";
import { toProblem } from "./compute_world.ts";
import { createEngine, type EngineSettings } from "./engine.ts";
import { type ForkBase, sourceOptionsOf } from "./fork_base.ts";
import { createLocalObjectSource } from "./local_object_source.ts";

/** What a fork is made from. */
export interface ForkOptions {
  /** Holds the objects of the base; its own, and used up. */
  readonly cluster: LocalCluster;
  /** What else is known of the base. */
  readonly base: ForkBase;
  readonly settings: EngineSettings & Pick<TranslateSettings, "certificateWarningDays">;
  readonly clock: Clock;
  /** Brings the proposal into `cluster`. */
  readonly propose: () => Promise<void>;
  /** Gives up; the fork then rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

/** The base and what the proposal makes of it. */
export interface ForkResult {
  readonly before: Outputs;
  readonly after: Outputs;
  readonly changes: OutputChanges;
  /** `Kind namespace/name` of the objects that the proposal itself creates, changes or deletes. */
  readonly proposed: ReadonlySet<string>;
  /** There only with the proposal. */
  readonly newDiagnostics: readonly Diagnostic[];
  /** Objects that the engine cannot read, there only with the proposal. */
  readonly problems: readonly InputProblem[];
}

/** Runs the fork. */
export async function runFork(options: ForkOptions): Promise<ForkResult> {
  const { cluster, base, settings, clock, propose, signal } = options;
  const refused: InputProblem[] = [];
  const { state, feed } = createEngine({
    settings,
    source: createLocalObjectSource(cluster, sourceOptionsOf(base)),
    clock,
    quietMs: 0,
    onProblem: (problem) => refused.push(toProblem(problem)),
  });
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const running = Promise.all([feed.run(either), state.run(either)]);
  // One time for both sides: what the clock brings in between is not of the proposal.
  const time = { nowMs: clock.now(), warningDays: settings.certificateWarningDays };
  const compute = async (): Promise<ForkResult> => {
    const dataPlane = new AssumedDataPlane("none");
    const before = await settleAll(state, dataPlane, either);
    const known = diagnose(state.inputs, before, time);
    refused.length = 0;
    const proposed = await watchProposal(cluster, propose);
    const after = await settleAll(state, dataPlane, either);
    const newDiagnostics = withoutKnown(diagnose(state.inputs, after, time), known);
    const changes = diffOutputs(before, after);
    return { before, after, changes, proposed, newDiagnostics, problems: [...refused] };
  };
  try {
    // The engine ends early only by failing, and nothing would settle then.
    return await Promise.race([compute(), running.then(never)]);
  } finally {
    stop.abort();
    await running;
  }
}

function never(): Promise<never> {
  return Promise.withResolvers<never>().promise;
}

/** The outputs once the assumed data plane has taken everything. */
async function settleAll(
  state: State,
  dataPlane: AssumedDataPlane,
  signal: AbortSignal,
): Promise<Outputs> {
  const { dataPlane: config } = await state.settled(signal);
  for (const answer of await dataPlane.apply(config)) state.acknowledge(answer);
  return await state.settled(signal);
}

/** The objects that `propose` changes in `cluster`. */
async function watchProposal(
  cluster: LocalCluster,
  propose: () => Promise<void>,
): Promise<ReadonlySet<string>> {
  const proposed = new Set<string>();
  const stops = kindNames.map((kind) => {
    const { resourceVersion } = cluster.list(kind);
    const watch = cluster.watch(kind, resourceVersion, ({ object }) => {
      proposed.add(`${kind} ${keyOf(object)}`);
    });
    // Nothing can happen between a list and a watch in one synchronous step.
    if (!watch.ok) throw new Error(`Watch ${kind}: ${watch.error.message}`);
    return watch.stop;
  });
  try {
    await propose();
  } finally {
    for (const stop of stops) stop();
  }
  return proposed;
}

function withoutKnown(
  found: readonly Diagnostic[],
  known: readonly Diagnostic[],
): readonly Diagnostic[] {
  const ids = new Set(known.map(idOf));
  return found.filter((diagnostic) => !ids.has(idOf(diagnostic)));
}

/** The message is left out: it may name somebody else without being new. */
function idOf({ code, kind, namespace, name, part }: Diagnostic): string {
  return JSON.stringify([code, kind, namespace, name, part]);
}
