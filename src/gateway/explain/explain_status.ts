/**
 * Why an object's status says what it says, from what the engine recorded anyway.
 *
 * The reads of the status are taken in one step, at one revision, and bounded; the conditions are
 * explained from these one after another, so that the caller can let others run in between.
 */

import type { DesiredCondition, DesiredStatus } from "../../kube/desired_status.ts";
import type { ObjectKey } from "../../kube/object.ts";
import { type ReadLimits, type ReadNode, takeReads } from "../../query/explain.ts";
import type { MemoTable } from "../../query/memo_table.ts";
import type { InputReader } from "../input_reader.ts";
import type { Outputs, StatusKind } from "../outputs.ts";
import { type ConditionGroup, conditionGroups } from "./condition_groups.ts";
import type { ConditionHistory, ConditionStamp } from "./condition_history.ts";
import type { ConditionPlace } from "./condition_scope.ts";
import {
  type OtherParents,
  otherParentsOf,
  referencesOf,
  type Siblings,
} from "./condition_subjects.ts";
import { becauseMaxOf, explainCondition } from "./explain_condition.ts";
import type { ExplainedCondition, ExplainedGroup } from "./explained_status.ts";

/** Parts of the computation that are looked at for one status. */
const limits: ReadLimits = {
  nodesMax: 2000,
  readsMax: 500,
  // The routes of a Gateway are many, and no condition depends on how many.
  follows: (reader) => reader !== "attached routes" && !reader.endsWith(" of parent"),
};

/** What is explained from. */
export interface ExplainSources {
  readonly outputs: Outputs;
  readonly inputs: Pick<InputReader, "get">;
  readonly view: {
    readonly statuses: { readonly [K in StatusKind]: MemoTable<ObjectKey, unknown> };
  };
  readonly history: Pick<ConditionHistory, "stampOf" | "start">;
}

/** One status, explained condition by condition. */
export class StatusExplainer {
  readonly #kind: StatusKind;
  readonly #status: DesiredStatus;
  readonly #reads: ReadNode;
  readonly #sources: ExplainSources;
  readonly #groups: readonly ConditionGroup[];
  readonly #siblings: ReadonlyMap<ConditionGroup, Siblings>;
  readonly #sharesAddress: boolean;
  readonly #becauseMax: number;
  readonly #done: ExplainedGroup[] = [];
  #conditions: ExplainedCondition[] = [];

  private constructor(
    kind: StatusKind,
    status: DesiredStatus,
    reads: ReadNode,
    sources: ExplainSources,
  ) {
    this.#kind = kind;
    this.#status = status;
    this.#reads = reads;
    this.#sources = sources;
    this.#groups = conditionGroups(status);
    this.#siblings = otherParentsOf(sources.inputs, status.key, this.#groups);
    this.#sharesAddress = hasSharedAddress(reads);
    this.#becauseMax = becauseMaxOf(this.#groups.flatMap(({ conditions }) => conditions).length);
  }

  /** Takes what the status of the object was computed from; undefined when it has none. */
  static open(
    sources: ExplainSources,
    kind: StatusKind,
    key: ObjectKey,
  ): StatusExplainer | undefined {
    const status = sources.outputs.statuses[kind].get(key);
    const reads = takeReads(sources.view.statuses[kind], key, limits);
    return status && reads && new StatusExplainer(kind, status, reads, sources);
  }

  /** Explains until all is done, or `isOver` says so, which is asked after each condition. */
  step(isOver: () => boolean = never): readonly ExplainedGroup[] | undefined {
    for (;;) {
      const group = this.#groups[this.#done.length];
      if (!group) return this.#done;
      const condition = group.conditions[this.#conditions.length];
      if (condition) {
        this.#conditions.push(this.#explain(group, condition));
        if (isOver()) return undefined;
      } else {
        this.#done.push({ ...group, conditions: this.#conditions });
        this.#conditions = [];
      }
    }
  }

  #explain(group: ConditionGroup, condition: DesiredCondition): ExplainedCondition {
    const { history } = this.#sources;
    const stamp = history.stampOf(this.#kind, this.#status.key, group.id, condition.type) ??
      history.start ?? unknownStamp;
    const place = this.#placeOf(group, condition);
    return explainCondition(condition, place, this.#reads, stamp, this.#becauseMax);
  }

  #placeOf(group: ConditionGroup, { type, reason }: DesiredCondition): ConditionPlace {
    const { inputs } = this.#sources;
    const { key } = this.#status;
    const { listener } = group;
    const references = listener === undefined
      ? undefined
      : referencesOf(inputs, this.#kind, key, listener);
    const siblings = this.#siblings.get(group);
    const isServed = type === "weir.dev/Programmed" && reason !== "NotAccepted";
    return {
      kind: this.#kind,
      key,
      group,
      type,
      reason,
      others: (isServed ? siblings?.elsewhere : siblings?.all) ?? noOtherParents,
      ...(references && { references }),
      sharesAddress: this.#sharesAddress,
    };
  }
}

const noOtherParents: OtherParents = {
  gateways: new Set(),
  sets: new Set(),
  parents: new Set(),
};

/** Of a status that the history was not told of. */
const unknownStamp: ConditionStamp = { revision: 0, after: 0, timeMs: 0 };

function never(): boolean {
  return false;
}

function hasSharedAddress(reads: ReadNode): boolean {
  const seen = new Set([reads]);
  for (const { name, input, reads: inner } of seen) {
    if (name === "Gateways at" && (input?.count ?? 0) > 1) return true;
    for (const read of inner) seen.add(read);
  }
  return false;
}
