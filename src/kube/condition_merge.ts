/**
 * Merges one list of conditions: ours into what is stored (Gateway API, shared status rules).
 *
 * Invariants: a condition of a type that weir does not own is never removed, changed or reordered; a
 * condition that was observed at a newer generation is left alone; `Unknown`/`Pending` never replaces
 * a stored True or False, unless nobody answers for the object any more; a condition keeps its
 * transition time until its status flips. When nothing of ours differs, the stored list itself is
 * returned, whatever its order.
 *
 * This file decides about one list. Which lists an object has is the business of status_merge.ts.
 */

import { type DesiredCondition, ownedConditionTypes } from "./desired_status.ts";
import {
  asList,
  asNumber,
  asString,
  compareStrings,
  isRecord,
  type JsonRecord,
} from "./json_value.ts";

/** The most conditions that the API takes in one list. */
export const conditionsMax = 8;

/** The most characters (code points) that the API takes in a condition's message. */
export const messageLengthMax = 32_768;

/** The time that CRD defaults carry: nobody has written the condition yet. */
const neverWritten = "1970-01-01T00:00:00Z";

/** What every merge of one object shares. */
export interface MergeStamp {
  /** The generation that the desired status was computed from. */
  readonly generation: number;
  /**
   * The generation of the object that is merged with. What claims to have observed a later one was
   * written for another object: a predecessor of this name, or one from before a restored backup.
   */
  readonly liveGeneration: number;
  /** RFC 3339; the transition time of conditions that flip now. */
  readonly nowTimestamp: string;
  /** Nobody answers for the object any more: `Unknown`/`Pending` is knowledge, not ignorance. */
  readonly isWithdrawal?: boolean;
}

/** The outcome for one list. */
export interface ConditionMerge {
  /** The list to store; the stored one itself when `changed` is false. */
  readonly conditions: readonly unknown[];
  readonly changed: boolean;
  /** What is in the list by our will: it without what is other controllers'. */
  readonly own: readonly unknown[];
  /** Types of ours for which the list has no room, because others fill it. */
  readonly dropped: readonly string[];
  /** Something stored was observed at a newer generation and was therefore left alone. */
  readonly newer: boolean;
}

/** The message as the API takes it: cut at its limit, by code points. */
export function limitMessage(message: string): string {
  if (message.length <= messageLengthMax) return message;
  const points = [...message];
  if (points.length <= messageLengthMax) return message;
  return `${points.slice(0, messageLengthMax - 1).join("")}…`;
}

/** Whether `stored` holds a condition of ours that was observed at a newer generation. */
export function hasNewerCondition(stored: unknown, stamp: MergeStamp): boolean {
  return ownConditions(stored).some((entry) => isNewer(entry, stamp));
}

/** The conditions of `stored` whose types weir owns. */
export function ownConditions(stored: unknown): readonly unknown[] {
  return asList(stored).filter((entry) => ownedConditionTypes.has(conditionType(entry) ?? ""));
}

/** Whether `stored` holds a condition of a type of ours that somebody has written. */
export function hasAnswer(stored: unknown): boolean {
  return ownConditions(stored).some((entry) => isRecord(entry) && !isPlaceholder(entry));
}

/** Merges `desired` into `stored`; see the file's header for what is promised. */
export function mergeConditions(
  desired: readonly DesiredCondition[],
  stored: unknown,
  stamp: MergeStamp,
): ConditionMerge {
  const wantedTypes = new Set(desired.map((condition) => condition.type));
  const storedList = asList(stored);
  const { own, foreign } = split(storedList, wantedTypes);
  const merged = new Map<string, unknown>();
  const newer = new Set<string>();
  for (const [type, before] of own) {
    if (!isNewer(before, stamp)) continue;
    newer.add(type);
    merged.set(type, before);
  }
  for (const condition of desired) {
    if (newer.has(condition.type)) continue;
    merged.set(condition.type, mergeCondition(condition, own.get(condition.type), stamp));
  }
  // What must not be touched has the first claim on the room, then the order of the types.
  const types = [...merged.keys()].sort(compareStrings);
  const claims = [...newer, ...types.filter((type) => !newer.has(type))];
  const room = Math.max(0, conditionsMax - foreign.length);
  const dropped = new Set(claims.slice(room));
  const kept = types.filter((type) => !dropped.has(type)).map((type) => merged.get(type));
  const untouched = new Set(storedList);
  const changed = foreign.length + kept.length !== storedList.length ||
    !kept.every((condition) => untouched.has(condition));
  return {
    conditions: changed ? [...kept, ...foreign] : storedList,
    changed,
    own: kept,
    dropped: [...dropped],
    newer: newer.size > 0,
  };
}

/** Ours by type (the first of each) and the others in their order. */
function split(
  stored: readonly unknown[],
  wantedTypes: ReadonlySet<string>,
): { readonly own: ReadonlyMap<string, JsonRecord>; readonly foreign: readonly unknown[] } {
  const own = new Map<string, JsonRecord>();
  const foreign: unknown[] = [];
  for (const entry of stored) {
    const type = conditionType(entry);
    const isOwn = type !== undefined && (ownedConditionTypes.has(type) || wantedTypes.has(type));
    if (!isOwn || !isRecord(entry)) foreign.push(entry);
    else if (!own.has(type)) own.set(type, entry);
  }
  return { own, foreign };
}

/** The stored condition itself when it already says what is desired or must not be touched. */
function mergeCondition(
  desired: DesiredCondition,
  stored: JsonRecord | undefined,
  { generation, nowTimestamp, isWithdrawal }: MergeStamp,
): JsonRecord {
  const message = limitMessage(desired.message);
  const written = stored !== undefined && !isPlaceholder(stored) ? stored : undefined;
  if (written !== undefined) {
    const isIgnorance = desired.status === "Unknown" && desired.reason === "Pending" &&
      isWithdrawal !== true;
    if (isIgnorance && (written.status === "True" || written.status === "False")) return written;
    if (
      written.status === desired.status && written.reason === desired.reason &&
      written.message === message && written.observedGeneration === generation
    ) return written;
  }
  const since = written?.status === desired.status
    ? asString(written.lastTransitionTime)
    : undefined;
  return {
    type: desired.type,
    status: desired.status,
    reason: desired.reason,
    message,
    observedGeneration: generation,
    lastTransitionTime: since ?? nowTimestamp,
  };
}

/**
 * Whether the CRD's default stands there: nobody has answered for the object yet. What a controller
 * wrote names a generation, and then even an old time is kept.
 */
function isPlaceholder(condition: JsonRecord): boolean {
  return condition.observedGeneration === undefined && condition.status === "Unknown" &&
    condition.reason === "Pending" &&
    condition.lastTransitionTime === neverWritten;
}

function isNewer(condition: unknown, { generation, liveGeneration }: MergeStamp): boolean {
  if (!isRecord(condition)) return false;
  const observed = asNumber(condition.observedGeneration) ?? 0;
  return observed > generation && observed <= liveGeneration;
}

function conditionType(condition: unknown): string | undefined {
  return isRecord(condition) ? asString(condition.type) : undefined;
}
