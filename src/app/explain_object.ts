/**
 * Explains the status of one object, in slices of the event loop.
 *
 * What the status was computed from is taken in one step, when the outputs are up to date; the
 * conditions are explained from that, with room for others in between.
 */

import type { Clock } from "../base/clock.ts";
import type { ConditionHistory } from "../gateway/explain/condition_history.ts";
import { StatusExplainer } from "../gateway/explain/explain_status.ts";
import { isStatusKind, statusKinds } from "../gateway/outputs.ts";
import type { State } from "../gateway/state.ts";
import type { StatusAnswer } from "../http/views.ts";
import { isKind, type Kind } from "../kube/kinds.ts";
import type { ObjectKey } from "../kube/object.ts";
import {
  showGroup,
  type ShownAt,
  type ShownGroup,
  toStatusExplanation,
} from "./status_explanation.ts";
import { unmanagedNote } from "./unmanaged_note.ts";
import type { UnreadNote } from "./unread_note.ts";
import type { ServedSettings } from "./unserved.ts";
import type { ClusterObjects } from "./world.ts";

/** About as long as the event loop is held at a time. */
const sliceMs = 4;
/** How long a computation that is under way is waited for. */
const computedTimeoutMs = 2000;

/** What statuses are explained from. */
export interface ExplainObjectOptions {
  readonly state: Pick<
    State,
    "hasPublished" | "outputs" | "outputsAtLeast" | "inputs" | "view" | "revision"
  >;
  /** Told of every commit of `state`. */
  readonly history: Pick<ConditionHistory, "stampOf" | "start">;
  readonly cluster: Pick<ClusterObjects, "get">;
  readonly unread: UnreadNote;
  readonly settings: ServedSettings;
  readonly clock: Clock;
  /** Random per start of the process. */
  readonly epoch: string;
}

/** Explains the object `key`, or says why it cannot. */
export async function explainObject(
  options: ExplainObjectOptions,
  kind: Kind,
  key: ObjectKey,
): Promise<StatusAnswer> {
  const { state, cluster, clock, history } = options;
  if (!isStatusKind(kind)) {
    const wanted = `wanted one of ${statusKinds.join(", ")}`;
    return refusal("NoStatus", `weir writes no status of a ${kind}, ${wanted}`);
  }
  const object = cluster.get(kind, key);
  if (!object) return refusal("NotFound", `there is no such ${kind}`);
  if (!state.hasPublished) return refusal("NotReady", "nothing is computed yet");
  if (!await isComputed(options)) return refusal("NotReady", "a computation is under way");
  const { view, inputs, outputs } = state;
  const at = {
    epoch: options.epoch,
    revision: outputs.revision,
    startMs: history.start?.timeMs ?? 0,
  };
  if (!outputs.statuses[kind].has(key)) {
    const note = unmanagedNote(object, cluster, options.settings);
    return { ok: true, explanation: toStatusExplanation(kind, key, [], [note], at) };
  }
  const explainer = StatusExplainer.open({ view, inputs, outputs, history }, kind, key);
  if (!explainer) return refusal("NotReady", "a computation is under way");
  const groups = await explainAll(explainer, at, clock);
  const notes = unreadNotes(groups, options.unread);
  return { ok: true, explanation: toStatusExplanation(kind, key, groups, notes, at) };
}

/** About what counts as absent and may be there, each once. */
function unreadNotes(groups: readonly ShownGroup[], unread: UnreadNote): readonly string[] {
  const absent = groups.flatMap(({ conditions }) => conditions)
    .flatMap(({ because }) => because)
    .filter(({ absent }) => absent === true);
  const notes = absent.flatMap(({ kind, namespace }) =>
    isKind(kind) ? [unread(kind, namespace)] : []
  );
  return [...new Set(notes)].filter((note) => note !== undefined);
}

/** In slices, from reads that stand still. */
async function explainAll(
  explainer: StatusExplainer,
  at: ShownAt,
  clock: Clock,
): Promise<readonly ShownGroup[]> {
  let isOver = sliceOf(clock);
  const pause = async (): Promise<void> => {
    await clock.sleep(0);
    isOver = sliceOf(clock);
  };
  let groups = explainer.step(isOver);
  for (; !groups; groups = explainer.step(isOver)) await pause();
  const shown: ShownGroup[] = [];
  for (const group of groups) {
    if (isOver()) await pause();
    shown.push(showGroup(group, at));
  }
  return shown;
}

/** Whether the outputs are those of the inputs as they are; waits for that, with a limit. */
async function isComputed({ state, clock }: ExplainObjectOptions): Promise<boolean> {
  if (state.outputs.revision === state.revision) return true;
  const controller = new AbortController();
  const timeout = new Error("the time is over");
  const cancel = clock.after(computedTimeoutMs, () => controller.abort(timeout));
  try {
    await state.outputsAtLeast(state.revision, controller.signal);
    return true;
  } catch (error) {
    if (error !== timeout) throw error;
    return false;
  } finally {
    cancel();
  }
}

function sliceOf(clock: Clock): () => boolean {
  const endMs = clock.monotonicMs() + sliceMs;
  return () => clock.monotonicMs() >= endMs;
}

function refusal(
  reason: Extract<StatusAnswer, { readonly ok: false }>["reason"],
  detail: string,
): StatusAnswer {
  return { ok: false, reason, detail };
}
