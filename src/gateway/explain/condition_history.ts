/**
 * Since when each condition says what it says, and because of which change of an input.
 *
 * Told at each commit what changed. Kept for every status that there is, as far back as the first
 * publication of this process: a condition that has not changed since then has the stamp of that
 * publication. One stamp is shared by all that one cause changed at once.
 */

import type { DesiredCondition, DesiredStatus } from "../../kube/desired_status.ts";
import type { ObjectKey } from "../../kube/object.ts";
import type { InputChange } from "../../query/node.ts";
import type { OutputChanges } from "../diff.ts";
import { noOutputs, type Outputs, type StatusKind, statusKinds } from "../outputs.ts";
import { conditionGroups } from "./condition_groups.ts";

/** When a condition became what it is. */
export interface ConditionStamp {
  /** Of the commit. */
  readonly revision: number;
  /** The revision of the commit before: causes are newer. 0: there was none. */
  readonly after: number;
  /** Wall time of the commit, milliseconds since the epoch. */
  readonly timeMs: number;
  /** The newest change that the whole status followed from; absent for what was so from the start. */
  readonly cause?: InputChange;
}

/** The stamps of one status. */
interface StatusStamps {
  /** Of the conditions that are not listed. */
  readonly base: ConditionStamp;
  readonly others: readonly { readonly id: string; readonly stamp: ConditionStamp }[];
}

/** See the file's header. */
export class ConditionHistory {
  readonly #causeOf: (kind: StatusKind, key: ObjectKey) => InputChange | undefined;
  readonly #now: () => number;
  readonly #stamps = new Map<StatusKind, Map<ObjectKey, StatusStamps>>(
    statusKinds.map((kind) => [kind, new Map()]),
  );
  #outputs: Outputs = noOutputs;
  #start: ConditionStamp | undefined;

  /** @param causeOf the change that last altered the status, asked for at its commit */
  constructor(
    causeOf: (kind: StatusKind, key: ObjectKey) => InputChange | undefined,
    now: () => number,
  ) {
    this.#causeOf = causeOf;
    this.#now = now;
  }

  /** When this process published for the first time; undefined before. */
  get start(): ConditionStamp | undefined {
    return this.#start;
  }

  /** How many statuses have changed since the start. */
  get size(): number {
    return [...this.#stamps.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Notes a commit. Costs what it changed. */
  record(changes: OutputChanges, outputs: Outputs): void {
    const before = this.#outputs;
    this.#outputs = outputs;
    const commit = { revision: outputs.revision, after: before.revision, timeMs: this.#now() };
    if (this.#start === undefined) {
      this.#start = commit;
      return;
    }
    const shared = new Map<InputChange | undefined, ConditionStamp>();
    for (const kind of statusKinds) {
      for (const key of changes.statuses[kind]) {
        const after = outputs.statuses[kind].get(key);
        if (!after) {
          this.#stamps.get(kind)?.delete(key);
          continue;
        }
        const cause = this.#causeOf(kind, key);
        let stamp = shared.get(cause);
        if (!stamp) shared.set(cause, stamp = { ...commit, ...(cause && { cause }) });
        this.#note(kind, before.statuses[kind].get(key), after, stamp);
      }
    }
  }

  /** The stamp of a condition of a published status; undefined before the first publication. */
  stampOf(
    kind: StatusKind,
    key: ObjectKey,
    group: string,
    type: string,
  ): ConditionStamp | undefined {
    const stamps = this.#stamps.get(kind)?.get(key);
    if (!stamps) return this.#start;
    const id = idOf(group, type);
    return stamps.others.find((other) => other.id === id)?.stamp ?? stamps.base;
  }

  #note(
    kind: StatusKind,
    before: DesiredStatus | undefined,
    after: DesiredStatus,
    stamp: ConditionStamp,
  ): void {
    const byKey = this.#stamps.get(kind);
    const { key } = after;
    const base = before ? byKey?.get(key)?.base ?? this.#start ?? stamp : stamp;
    const known = before ? byKey?.get(key)?.others ?? [] : [];
    const old = before ? conditionsById(before) : undefined;
    const others: { readonly id: string; readonly stamp: ConditionStamp }[] = [];
    for (const [id, condition] of conditionsById(after)) {
      const isSame = old === undefined || isSameCondition(old.get(id), condition);
      const earlier = known.find((other) => other.id === id);
      if (!isSame) others.push({ id, stamp });
      else if (earlier) others.push(earlier);
    }
    if (base === this.#start && others.length === 0) byKey?.delete(key);
    else byKey?.set(key, { base, others });
  }
}

function conditionsById(status: DesiredStatus): ReadonlyMap<string, DesiredCondition> {
  const byId = new Map<string, DesiredCondition>();
  for (const { id: group, conditions } of conditionGroups(status)) {
    for (const condition of conditions) byId.set(idOf(group, condition.type), condition);
  }
  return byId;
}

function idOf(group: string, type: string): string {
  return `${group} ${type}`;
}

function isSameCondition(a: DesiredCondition | undefined, b: DesiredCondition): boolean {
  return a === b ||
    a?.status === b.status && a.reason === b.reason && a.message === b.message;
}
