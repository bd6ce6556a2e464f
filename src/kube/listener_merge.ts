/**
 * Merges the listeners of a Gateway's or ListenerSet's status, a list keyed by name.
 *
 * The whole list belongs to the controller of the object, so entries of listeners that left the spec
 * go. Inside an entry, conditions of other types stay. An entry that was written for a newer
 * generation is left alone as a whole: our counts were taken from an older spec.
 */

import {
  hasNewerCondition,
  mergeConditions,
  type MergeStamp,
  ownConditions,
} from "./condition_merge.ts";
import type { DesiredListener } from "./desired_status.ts";
import { asList, asNumber, asString, isRecord, type JsonRecord } from "./json_value.ts";

/** The most listeners that the API takes in a status. */
export const listenersMax = 64;

/** The outcome for the list of listeners. */
export interface ListenerMerge {
  /** The stored list itself when `changed` is false. */
  readonly listeners: readonly unknown[];
  readonly changed: boolean;
  /** The entries without the conditions that are other controllers'. */
  readonly own: readonly unknown[];
  readonly newer: boolean;
  /** Names of lists without room for all of ours, for the report. */
  readonly limits: readonly string[];
}

/** Merges `desired` into `stored`; see the file's header for what is promised. */
export function mergeListeners(
  desired: readonly DesiredListener[],
  stored: unknown,
  stamp: MergeStamp,
): ListenerMerge {
  const storedList = asList(stored);
  const before = byName(storedList);
  const limits = new Set<string>();
  let newer = false;
  const entries = new Map<string, MergedListener>();
  for (const listener of desired) {
    const known = before.get(listener.name);
    if (known !== undefined && hasNewerCondition(known.conditions, stamp)) {
      newer = true;
      entries.set(listener.name, untouchedListener(known));
      continue;
    }
    const merged = mergeListener(listener, known, stamp);
    if (merged.isLimited) limits.add("status.listeners[].conditions");
    entries.set(listener.name, merged);
  }
  for (const [name, known] of before) {
    if (entries.has(name) || !hasNewerCondition(known.conditions, stamp)) continue;
    newer = true;
    entries.set(name, untouchedListener(known));
  }
  if (entries.size > listenersMax) limits.add("status.listeners");
  const merged = [...entries.values()].slice(0, listenersMax);
  const kept = merged.map(({ entry }) => entry);
  const untouched = new Set(storedList);
  const changed = kept.length !== storedList.length || !kept.every((e) => untouched.has(e));
  return {
    listeners: changed ? kept : storedList,
    changed,
    own: merged.map(({ own }) => own),
    newer,
    limits: [...limits],
  };
}

interface MergedListener {
  readonly entry: JsonRecord;
  /** Without what is other controllers'. */
  readonly own: JsonRecord;
  readonly isLimited: boolean;
}

function untouchedListener(stored: JsonRecord): MergedListener {
  const own = { ...stored, conditions: ownConditions(stored.conditions) };
  return { entry: stored, own, isLimited: false };
}

/** The stored entry itself when it already says all that is desired. */
function mergeListener(
  desired: DesiredListener,
  stored: JsonRecord | undefined,
  stamp: MergeStamp,
): MergedListener {
  const merge = mergeConditions(desired.conditions, stored?.conditions, stamp);
  const isLimited = merge.dropped.length > 0;
  const isSame = stored !== undefined && !merge.changed &&
    asNumber(stored.attachedRoutes) === desired.attachedRoutes &&
    equalKinds(desired.supportedKinds, stored.supportedKinds);
  const { name, supportedKinds, attachedRoutes } = desired;
  const fields = { name, supportedKinds, attachedRoutes };
  const own = { ...fields, conditions: merge.own };
  if (isSame) return { entry: stored, own, isLimited };
  return { entry: { ...fields, conditions: merge.conditions }, own, isLimited };
}

/** Whether both name the same kinds; their order says nothing. */
function equalKinds(desired: DesiredListener["supportedKinds"], stored: unknown): boolean {
  const list = asList(stored);
  return desired.length === list.length &&
    desired.every(({ group, kind }) =>
      list.some((item) => isRecord(item) && item.kind === kind && groupOf(item) === group)
    );
}

/** A kind's group with the API's default. */
function groupOf(kind: JsonRecord): string {
  return asString(kind.group) ?? "gateway.networking.k8s.io";
}

function byName(stored: readonly unknown[]): ReadonlyMap<string, JsonRecord> {
  const entries = new Map<string, JsonRecord>();
  for (const entry of stored) {
    const name = isRecord(entry) ? asString(entry.name) : undefined;
    if (name !== undefined && isRecord(entry) && !entries.has(name)) entries.set(name, entry);
  }
  return entries;
}
