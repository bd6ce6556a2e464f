/**
 * One condition: which of the recorded reads bear on it, the way down to the one that altered it.
 *
 * Reads are walked breadth first, so the nearest are found first. Pure; costs are those of a walk
 * over the reads that were taken.
 */

import type { DesiredCondition } from "../../kube/desired_status.ts";
import type { ReadNode } from "../../query/explain.ts";
import type { InputChange } from "../../query/node.ts";
import type { ConditionStamp } from "./condition_history.ts";
import { type ConditionPlace, type ConditionScope, conditionScope } from "./condition_scope.ts";
import type {
  ExplainedChange,
  ExplainedCondition,
  ExplainedInput,
  ExplainedStep,
} from "./explained_status.ts";
import { placeOfChange, placeOfRead, splitKey } from "./input_words.ts";
import { describeQuery, describeResult } from "./query_words.ts";

/** Inputs that are told of one condition at most, and whatever else there is at least. */
const becauseMost = 32;
const becauseLeast = 8;
/** Inputs that are told of a whole status. */
const becauseOfAll = 4000;

/** How many inputs are told of each condition of a status that has `conditionCount` of them. */
export function becauseMaxOf(conditionCount: number): number {
  const share = Math.floor(becauseOfAll / Math.max(1, conditionCount));
  return Math.min(becauseMost, Math.max(becauseLeast, share));
}

/** What was found for one condition. */
interface Found {
  /** The nearest first. */
  readonly inputs: readonly ReadNode[];
  readonly readers: ReadonlyMap<ReadNode, ReadNode>;
  readonly isCut: boolean;
}

/** Explains `condition`, which is about `place`, of the status that read `root`. */
export function explainCondition(
  condition: DesiredCondition,
  place: ConditionPlace,
  root: ReadNode,
  stamp: ConditionStamp,
  becauseMax: number,
): ExplainedCondition {
  const isSinceStart = stamp.after === 0;
  const scope = conditionScope(place, root);
  const found = findInputs(root, scope);
  const altering = findAltering(found.inputs, stamp);
  const ranked = rank(found.inputs, condition, altering);
  const target = altering ?? ranked.find((input) => weightOf(input, condition) > 0) ??
    newestOf(found.inputs);
  const because = takeFirst(ranked, becauseMax, target).flatMap(explainRead);
  return {
    condition,
    because,
    isTruncated: found.isCut || found.inputs.length > becauseMax,
    isSuperset: scope.isSuperset,
    chain: target ? chainTo(target, found, condition, place) : [],
    lastChange: explainChange(stamp, isSinceStart, altering, scope),
  };
}

/** The first ones; the last place is that of `target` if it is not among them. */
function takeFirst(
  inputs: readonly ReadNode[],
  becauseMax: number,
  target: ReadNode | undefined,
): readonly ReadNode[] {
  if (inputs.length <= becauseMax) return inputs;
  const first = inputs.slice(0, becauseMax);
  return target === undefined || first.includes(target)
    ? first
    : [...first.slice(0, becauseMax - 1), target];
}

function findInputs(root: ReadNode, scope: ConditionScope): Found {
  const inputs: ReadNode[] = [];
  const readers = new Map<ReadNode, ReadNode>();
  const queue = [root];
  let isCut = false;
  for (const reader of queue) {
    isCut ||= reader.isCut;
    for (const read of reader.reads) {
      if (readers.has(read) || !scope.follows(reader, read)) continue;
      readers.set(read, reader);
      if (read.input) inputs.push(read);
      else queue.push(read);
    }
  }
  return { inputs, readers, isCut };
}

/** The newest input that changed between the commit before and the one that altered the condition. */
function findAltering(
  inputs: readonly ReadNode[],
  { after, revision }: ConditionStamp,
): ReadNode | undefined {
  if (after === 0) return undefined;
  return newestOf(inputs.filter(({ changedAt }) => changedAt > after && changedAt <= revision));
}

function newestOf(inputs: readonly ReadNode[]): ReadNode | undefined {
  let newest: ReadNode | undefined;
  for (const input of inputs) {
    if (newest === undefined || input.changedAt > newest.changedAt) newest = input;
  }
  return newest;
}

/** What altered it, what its message names, what is missing; then the nearest. */
function rank(
  inputs: readonly ReadNode[],
  condition: DesiredCondition,
  altering: ReadNode | undefined,
): readonly ReadNode[] {
  const weights = new Map(inputs.map((input) => [
    input,
    input === altering ? Infinity : weightOf(input, condition),
  ]));
  return [...inputs].sort((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0) || 0);
}

function weightOf(input: ReadNode, { message }: DesiredCondition): number {
  // That nothing is in a set is mostly as it should be.
  const isMissing = isAbsent(input) && placeOfRead(input).lookedFor === undefined;
  return (message.includes(`"${input.key}"`) ? 2 : 0) + (isMissing ? 1 : 0);
}

function isAbsent({ input }: ReadNode): boolean {
  return input?.count === 0;
}

/** What was read; of a set that lost a member last, that member as well. */
function explainRead(read: ReadNode): readonly ExplainedInput[] {
  const { cause, changedAt } = read;
  const { lookedFor, ...place } = placeOfRead(read);
  const isSet = lookedFor !== undefined;
  const input: ExplainedInput = {
    ...place,
    ...(isSet && { lookedFor, count: read.input?.count ?? 0 }),
    revision: changedAt,
    timeMs: cause.atMs,
    isAbsent: isAbsent(read),
    changed: isSet ? [] : cause.slices,
  };
  const member = explainMember(cause);
  return member?.isAbsent ? [input, member] : [input];
}

/** The object that came into a set, or left it, with `change`. */
function explainMember(change: InputChange): ExplainedInput | undefined {
  const { member, revision, atMs } = change;
  if (!member) return undefined;
  return {
    kind: placeOfChange(change).kind,
    ...splitKey(member.key),
    source: "object",
    revision,
    timeMs: atMs,
    isAbsent: !member.hasEntered,
    changed: [],
  };
}

function explainChange(
  stamp: ConditionStamp,
  isSinceStart: boolean,
  altering: ReadNode | undefined,
  scope: ConditionScope,
): ExplainedChange {
  const { revision, timeMs } = stamp;
  const input = isSinceStart ? undefined : alteringInput(stamp, altering, scope);
  return { revision, timeMs, isSinceStart, ...(input && { input }) };
}

function alteringInput(
  { cause, after }: ConditionStamp,
  altering: ReadNode | undefined,
  scope: ConditionScope,
): ExplainedInput | undefined {
  if (altering) return explainMember(altering.cause) ?? explainRead(altering)[0];
  // It has changed once more since, or is not read any more: what the whole status followed from.
  if (!cause || cause.revision <= after || !scope.allows(cause.input, cause.slices)) {
    return undefined;
  }
  const { revision, atMs, slices } = cause;
  const { lookedFor: _, ...place } = placeOfChange(cause);
  return explainMember(cause) ??
    { ...place, revision, timeMs: atMs, isAbsent: false, changed: slices };
}

function chainTo(
  target: ReadNode,
  { readers }: Found,
  { type, status, reason, message }: DesiredCondition,
  { group: { listener } }: ConditionPlace,
): readonly ExplainedStep[] {
  const about = { type, ...(listener === undefined ? {} : { listener }) };
  const path: ReadNode[] = [];
  for (let node: ReadNode | undefined = target; node; node = readers.get(node)) path.push(node);
  return path.reverse().map((node, index): ExplainedStep => {
    const at = { revision: node.changedAt, timeMs: node.cause.atMs };
    if (index === 0) {
      const concluded = `${type} ${status}: ${reason}: ${message}`;
      return { step: node.name, what: describeQuery(node), concluded, ...at };
    }
    if (!node.input) {
      const what = describeQuery(node);
      return { step: node.name, what, concluded: describeResult(node, about), ...at };
    }
    return { step: "input", what: describeInput(node), concluded: stateOf(node), ...at };
  });
}

function describeInput(node: ReadNode): string {
  const { kind, field, source, lookedFor } = placeOfRead(node);
  if (lookedFor !== undefined) return lookedFor;
  const [key = ""] = source === "acknowledgement" ? node.key.split(" ") : [node.key];
  const what = source === "object"
    ? ""
    : source === "addresses"
    ? "addresses assigned to "
    : "answer of the data plane for ";
  return `${what}${kind} "${key}"${field === undefined ? "" : ` ${field}`}`;
}

function stateOf({ input, cause: { member, slices, revision } }: ReadNode): string {
  if (member) return input?.count === 0 ? "none is left" : `${input?.count} there`;
  if (input?.count === 0) return revision === 0 ? "does not exist" : "was removed";
  return slices.includes("metadata.uid") ? "came" : "changed";
}
