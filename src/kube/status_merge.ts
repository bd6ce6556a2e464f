/**
 * Decides what to write as an object's status: the desired one merged into the stored one.
 *
 * Pure. The promises that make it safe to share a status with other controllers: what others wrote
 * stays, in its order; a write that would change nothing, or only an order, is not made; times move
 * only when a status flips; what was written for a newer generation stays. The lists are merged in
 * condition_merge.ts, entry_merge.ts and listener_merge.ts.
 */

import { hasAnswer, mergeConditions, type MergeStamp } from "./condition_merge.ts";
import type { ConditionsStatus, DesiredStatus } from "./desired_status.ts";
import { type DesiredEntries, desiredEntries, entryListOf } from "./entry_list.ts";
import { mergeEntries, type OwnsParent } from "./entry_merge.ts";
import { asList, compareStrings, equalJson, isRecord, type JsonRecord } from "./json_value.ts";
import type { Kind } from "./kinds.ts";
import { mergeListeners } from "./listener_merge.ts";
import type { KubeObject } from "./object.ts";

/** What a merge came to. */
export type StatusMerge =
  | {
    readonly outcome: "write";
    /** The whole status to store. */
    readonly status: JsonRecord;
    /**
     * What of it is ours, complete, for a server-side apply. Absent where an apply would be wrong:
     * routes and policies share lists that the API merges as one piece.
     */
    readonly intent?: JsonRecord;
    /** Lists that could not take all of ours, because the API's limit is reached. */
    readonly limits: readonly string[];
  }
  | { readonly outcome: "unchanged"; readonly limits: readonly string[] }
  | {
    readonly outcome: "stale";
    /** `recreated`: another object has the name now. `newer`: the stored status is newer. */
    readonly reason: "recreated" | "newer";
  };

/** Options of a merge. */
export interface StatusMergeOptions {
  /**
   * Which entries of our controller name this process answers for: an instance that serves some
   * Gateways leaves the entries of its siblings alone. Absent: all of them.
   */
  readonly ownsParent?: OwnsParent;
}

/** Fields of a status that are ours whole: one that is no longer desired is removed. */
const ownedFields: Partial<Record<Kind, readonly string[]>> = {
  GatewayClass: ["supportedFeatures"],
  Gateway: ["addresses", "attachedListenerSets"],
};

/** The most entries that the API takes in lists that are ours whole. */
const fieldItemsMax: ReadonlyMap<string, number> = new Map([
  ["addresses", 16],
  ["supportedFeatures", 64],
]);

interface Part {
  readonly fields: JsonRecord;
  readonly intent?: JsonRecord;
  readonly changed: boolean;
  readonly newer: boolean;
  readonly limits: readonly string[];
}

/**
 * Merges `desired` into the status of `live`, the newest state of the object.
 *
 * @param nowTimestamp RFC 3339, the transition time of conditions that flip
 */
export function mergeStatus(
  desired: DesiredStatus,
  live: KubeObject,
  nowTimestamp: string,
  options: StatusMergeOptions = {},
): StatusMerge {
  if (live.metadata.uid !== desired.uid) return { outcome: "stale", reason: "recreated" };
  const stored = isRecord(live.status) ? live.status : {};
  const stamp = {
    generation: desired.generation,
    liveGeneration: generationOf(live),
    nowTimestamp,
  };
  const { body, kind } = desired;
  const part = body.shape === "conditions"
    ? mergeConditionsStatus(kind, body, stored, stamp)
    : mergeEntriesStatus(desiredEntries(body), live, stored, stamp, options);
  return decide(part, stored);
}

/**
 * Takes back what our controller wrote on `live`, a route or a policy that the engine has no status
 * for: its entries go, everything else stays. Objects of other kinds have no entries.
 */
export function retractStatus(
  controllerName: string,
  live: KubeObject,
  options: StatusMergeOptions = {},
): StatusMerge {
  const stored = isRecord(live.status) ? live.status : {};
  const list = entryListOf(live.kind);
  if (list === undefined) return { outcome: "unchanged", limits: [] };
  const generation = generationOf(live);
  // Nothing is added, so the time is not used.
  const nowTimestamp = live.metadata.creationTimestamp;
  const stamp = { generation, liveGeneration: generation, nowTimestamp };
  const nothing = { list, controllerName, entries: [] };
  return decide(mergeEntriesStatus(nothing, live, stored, stamp, options), stored);
}

/** Kinds with a status that is one controller's, and a controller that is found by a reference. */
export type AnsweredKind = "Gateway" | "ListenerSet";

/**
 * Takes back what was said of `live`, a Gateway or ListenerSet that no controller answers for any
 * more: its conditions wait for a controller again, as those of a new object do, and it has neither
 * addresses nor listeners. Conditions of other types stay.
 *
 * @param nowTimestamp RFC 3339, the transition time of conditions that flip
 */
export function withdrawStatus(
  kind: AnsweredKind,
  live: KubeObject,
  nowTimestamp: string,
): StatusMerge {
  const stored = isRecord(live.status) ? live.status : {};
  if (!hasAnswer(stored.conditions)) return { outcome: "unchanged", limits: [] };
  const generation = generationOf(live);
  const stamp = { generation, liveGeneration: generation, nowTimestamp, isWithdrawal: true };
  return decide(mergeConditionsStatus(kind, unanswered[kind], stored, stamp), stored);
}

function unansweredFor(what: string): ConditionsStatus {
  const condition = {
    status: "Unknown",
    reason: "Pending",
    message: `Waiting for controller: ${what}`,
  } as const;
  return {
    shape: "conditions",
    conditions: [{ type: "Accepted", ...condition }, { type: "Programmed", ...condition }],
    listeners: [],
    fields: {},
  };
}

const unanswered: Readonly<Record<AnsweredKind, ConditionsStatus>> = {
  Gateway: unansweredFor("there is no GatewayClass of this name"),
  ListenerSet: unansweredFor("there is no Gateway of this name, or none with a GatewayClass"),
};

function generationOf({ metadata }: KubeObject): number {
  return metadata.generation ?? 0;
}

function decide(part: Part, stored: JsonRecord): StatusMerge {
  const { fields, intent, limits } = part;
  if (part.changed) {
    const status = sortKeys({ ...stored, ...fields });
    return { outcome: "write", status, limits, ...intent && { intent: sortKeys(intent) } };
  }
  if (part.newer) return { outcome: "stale", reason: "newer" };
  return { outcome: "unchanged", limits: part.limits };
}

function mergeEntriesStatus(
  desired: DesiredEntries,
  live: KubeObject,
  stored: JsonRecord,
  stamp: MergeStamp,
  options: StatusMergeOptions,
): Part {
  const { field } = desired.list;
  const { entries, ...rest } = mergeEntries(desired, stored[field], {
    ...stamp,
    namespace: live.metadata.namespace ?? "",
    ownsParent: options.ownsParent ?? (() => true),
  });
  return { fields: { [field]: entries }, ...rest };
}

function mergeConditionsStatus(
  kind: Kind,
  body: ConditionsStatus,
  stored: JsonRecord,
  stamp: MergeStamp,
): Part {
  const limits = new Set<string>();
  const conditions = mergeConditions(body.conditions, stored.conditions, stamp);
  if (conditions.dropped.length > 0) limits.add("status.conditions");
  let { changed, newer } = conditions;
  const fields: Record<string, unknown> = { conditions: conditions.conditions };
  const intent: Record<string, unknown> = { conditions: conditions.own };
  if (body.listeners !== undefined) {
    const merge = mergeListeners(body.listeners, stored.listeners, stamp);
    fields.listeners = merge.listeners;
    // To own an empty list would be to own that nobody adds to it.
    if (merge.own.length > 0) intent.listeners = merge.own;
    changed ||= merge.changed;
    newer ||= merge.newer;
    for (const limit of merge.limits) limits.add(limit);
  }
  // Fields carry no generation of their own: a newer condition beside them speaks for them.
  if (conditions.newer) {
    for (const name of fieldNames(kind, body.fields)) intent[name] = absentIfEmpty(stored[name]);
  } else {
    const own = mergeFields(kind, body.fields, stored);
    Object.assign(fields, own.fields);
    Object.assign(intent, own.intent);
    changed ||= own.changed;
    for (const limit of own.limits) limits.add(limit);
  }
  return { fields, intent, changed, newer, limits: [...limits] };
}

/** The fields that are ours whole, wanted now or not. */
function fieldNames(kind: Kind, desired: JsonRecord): ReadonlySet<string> {
  return new Set([...Object.keys(desired), ...(ownedFields[kind] ?? [])]);
}

/** Fields that are ours whole. An empty list is the same as none, as other clients write it. */
function mergeFields(
  kind: Kind,
  desired: JsonRecord,
  stored: JsonRecord,
): Pick<Required<Part>, "fields" | "intent" | "changed" | "limits"> {
  const fields: Record<string, unknown> = {};
  const intent: Record<string, unknown> = {};
  const limits: string[] = [];
  let changed = false;
  for (const name of fieldNames(kind, desired)) {
    const { value, isLimited } = limitField(name, desired[name]);
    if (isLimited) limits.push(`status.${name}`);
    intent[name] = value;
    if (equalJson(value, absentIfEmpty(stored[name]))) continue;
    changed = true;
    fields[name] = value;
  }
  return { fields, intent, changed, limits };
}

/** The value of a field as the API takes it: absent rather than an empty list, cut at its limit. */
export function limitField(
  name: string,
  value: unknown,
): { readonly value: unknown; readonly isLimited: boolean } {
  const max = fieldItemsMax.get(name);
  const items = asList(value);
  if (max !== undefined && items.length > max) {
    return { value: items.slice(0, max), isLimited: true };
  }
  return { value: absentIfEmpty(value), isLimited: false };
}

function absentIfEmpty(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

/** Fields in the order of their names, without absent ones: equal states give equal bytes. */
function sortKeys(record: JsonRecord): JsonRecord {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => compareStrings(a, b)),
  );
}
