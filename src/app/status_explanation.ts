/** The explanation of a status as the HTTP API and `weir explain` show it. Pure. */

import type {
  Because,
  ChainStep,
  ConditionExplanation,
  StatusExplanation,
} from "../api/explain_status.ts";
import type {
  ExplainedCondition,
  ExplainedGroup,
  ExplainedInput,
} from "../gateway/explain/explained_status.ts";
import { type ObjectKey, parseObjectKey } from "../kube/object.ts";

/** What revisions and times are shown with. */
export interface ShownAt {
  /** Random per start of the process. */
  readonly epoch: string;
  /** The revision of the outputs that are explained. */
  readonly revision: number;
  /** Of the first publication: for what has been so from the start. */
  readonly startMs: number;
}

/** The conditions about one thing as they are shown. */
export interface ShownGroup extends Omit<ExplainedGroup, "conditions"> {
  readonly conditions: readonly ConditionExplanation[];
}

/** One group as it is shown; a status may have many, so that each is a step of its own. */
export function showGroup(group: ExplainedGroup, at: ShownAt): ShownGroup {
  return {
    ...group,
    conditions: group.conditions.map((condition) => showCondition(condition, at)),
  };
}

/** The explanation of the object `key`; `groups` are those of its status. */
export function toStatusExplanation(
  kind: string,
  key: ObjectKey,
  groups: readonly ShownGroup[],
  notes: readonly string[],
  { epoch, revision }: ShownAt,
): StatusExplanation {
  const { namespace, name } = parseObjectKey(key);
  const listeners = groups.flatMap(({ listener, conditions }) =>
    listener === undefined ? [] : [{ name: listener, conditions }]
  );
  const parents = groups.flatMap(({ parentRef, conditions }) =>
    parentRef ? [{ parentRef, conditions }] : []
  );
  const ancestors = groups.flatMap(({ ancestorRef, conditions }) =>
    ancestorRef ? [{ ancestorRef, conditions }] : []
  );
  return {
    revision: `${epoch}.${revision}`,
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    conditions: groups.filter(({ id }) => id === "").flatMap(({ conditions }) => conditions),
    ...(listeners.length > 0 && { listeners }),
    ...(parents.length > 0 && { parents }),
    ...(ancestors.length > 0 && { ancestors }),
    notes,
  };
}

function showCondition(explained: ExplainedCondition, at: ShownAt): ConditionExplanation {
  const { condition, because, chain, lastChange } = explained;
  const { type, status, reason, message } = condition;
  const { input } = lastChange;
  return {
    type,
    status,
    reason,
    message,
    because: because.map((input) => showInput(input, at)),
    truncated: explained.isTruncated,
    superset: explained.isSuperset,
    chain: chain.map(({ step, what, concluded, ...when }): ChainStep => ({
      step,
      what,
      concluded,
      ...showWhen(when, at),
    })),
    lastChange: {
      ...showWhen(lastChange, at),
      sinceStart: lastChange.isSinceStart,
      ...(input && { input: showInput(input, at) }),
    },
  };
}

function showInput(input: ExplainedInput, at: ShownAt): Because {
  const { kind, namespace, name, field, source, lookedFor, count, isAbsent } = input;
  const changed = changedFields(input);
  return {
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    ...(field === undefined ? {} : { field }),
    ...showWhen(input, at),
    source,
    ...(isAbsent && { absent: true as const }),
    ...(lookedFor === undefined ? {} : { lookedFor }),
    ...(count === undefined ? {} : { count }),
    ...(changed.length > 0 && { changed }),
  };
}

/** Of an object that was read as a whole and did not just come or go. */
function changedFields({ field, source, changed }: ExplainedInput): readonly string[] {
  const isPart = field === undefined && source === "object" && !changed.includes("metadata.uid");
  return isPart ? changed.filter((name) => name !== "metadata.generation") : [];
}

function showWhen(
  { revision, timeMs }: { readonly revision: number; readonly timeMs: number },
  { epoch, startMs }: ShownAt,
): { readonly revision: string; readonly time: string } {
  return {
    revision: `${epoch}.${revision}`,
    time: new Date(timeMs === 0 ? startMs : timeMs).toISOString(),
  };
}
