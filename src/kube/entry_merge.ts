/**
 * Merges the parents of a route's status or the ancestors of a policy's: atomic lists that several
 * controllers share (Gateway API, RouteStatus.parents and PolicyStatus.ancestors).
 *
 * Invariants: entries of other controllers are never removed, changed or reordered; ours come first,
 * sorted, but only when a write is due anyway, because controllers that enforce positions fight; ours
 * that are no longer wanted are removed. Entries are matched by what their reference means, so a
 * reference with defaults spelled out is the same as one without.
 */

import {
  type ConditionMerge,
  hasNewerCondition,
  mergeConditions,
  type MergeStamp,
} from "./condition_merge.ts";
import type { DesiredEntries, EntryList } from "./entry_list.ts";
import {
  asList,
  asNumber,
  asString,
  compareStrings,
  isRecord,
  type JsonRecord,
} from "./json_value.ts";

/** A reference to a parent or an ancestor with the API's defaults filled in. */
export interface ParentIdentity {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Empty: the whole parent. */
  readonly sectionName: string;
  /** 0: every port. */
  readonly port: number;
}

/** Whether this process may remove our controller's entry for a parent or an ancestor. */
export type OwnsParent = (parent: ParentIdentity) => boolean;

/** What the merge of entries needs to know besides the desired status. */
export interface EntryMergeInput extends MergeStamp {
  /** The namespace of the object: the default of a reference. */
  readonly namespace: string;
  readonly ownsParent: OwnsParent;
}

/** The outcome for the list. */
export interface EntryMerge {
  /** The stored list itself when `changed` is false. */
  readonly entries: readonly unknown[];
  readonly changed: boolean;
  readonly newer: boolean;
  /** Names of lists without room for all of ours, for the report. */
  readonly limits: readonly string[];
}

/** `ref` with the API's defaults; undefined when it names nothing. */
function parentIdentity(ref: unknown, namespace: string): ParentIdentity | undefined {
  if (!isRecord(ref)) return undefined;
  const name = asString(ref.name);
  if (name === undefined) return undefined;
  return {
    group: asString(ref.group) ?? "gateway.networking.k8s.io",
    kind: asString(ref.kind) ?? "Gateway",
    namespace: asString(ref.namespace) ?? namespace,
    name,
    sectionName: asString(ref.sectionName) ?? "",
    port: asNumber(ref.port) ?? 0,
  };
}

/** Whether `stored`, a list as `list` describes it, has an entry that this process answers for. */
export function hasOwnEntry(
  stored: unknown,
  list: EntryList,
  controllerName: string,
  input: Pick<EntryMergeInput, "namespace" | "ownsParent">,
): boolean {
  return split(asList(stored), list, controllerName, input).own.size > 0;
}

/** Merges `desired` into `stored`; see the file's header for what is promised. */
export function mergeEntries(
  { list, controllerName, entries: wanted }: DesiredEntries,
  stored: unknown,
  input: EntryMergeInput,
): EntryMerge {
  const storedList = asList(stored);
  const wantedIds = new Set(
    wanted.map(({ reference }) => entrySortKey(reference, input.namespace)),
  );
  // What is wanted is ours to write, whoever may remove it: two entries for one parent would grow.
  const ownsParent = (identity: ParentIdentity): boolean =>
    wantedIds.has(identityKey(identity)) || input.ownsParent(identity);
  const { own, foreign } = split(storedList, list, controllerName, { ...input, ownsParent });
  const entries = new Map<string, unknown>();
  const limits = new Set<string>();
  const newer = new Set<string>();
  for (const [id, before] of own) {
    if (!hasNewerCondition(before.conditions, input)) continue;
    newer.add(id);
    entries.set(id, before);
  }
  const seen = new Set<string>();
  for (const { reference, conditions } of wanted) {
    const id = entrySortKey(reference, input.namespace);
    if (id === undefined || seen.has(id)) continue;
    seen.add(id);
    const before = own.get(id);
    const merge = mergeConditions(conditions, before?.conditions, input);
    if (merge.dropped.length > 0) limits.add(`status.${list.field}[].conditions`);
    const entry = mergeEntry(before, { [list.reference]: reference, controllerName }, merge);
    if (entry !== undefined) entries.set(id, entry);
  }
  // What must not be touched has the first claim on the room, then the order of the references.
  const ids = [...entries.keys()].sort(compareStrings);
  const claims = [...newer, ...ids.filter((id) => !newer.has(id))];
  const dropped = new Set(claims.slice(Math.max(0, list.entriesMax - foreign.length)));
  if (dropped.size > 0) limits.add(`status.${list.field}`);
  const kept = ids.filter((id) => !dropped.has(id)).map((id) => entries.get(id));
  const untouched = new Set(storedList);
  const changed = foreign.length + kept.length !== storedList.length ||
    !kept.every((entry) => untouched.has(entry));
  return {
    entries: changed ? [...kept, ...foreign] : storedList,
    changed,
    newer: newer.size > 0,
    limits: [...limits],
  };
}

/** Ours by identity (the first of each; nonsense of ours is left out) and the rest in order. */
function split(
  stored: readonly unknown[],
  list: EntryList,
  controllerName: string,
  { namespace, ownsParent }: Pick<EntryMergeInput, "namespace" | "ownsParent">,
): { readonly own: ReadonlyMap<string, JsonRecord>; readonly foreign: readonly unknown[] } {
  const own = new Map<string, JsonRecord>();
  const foreign: unknown[] = [];
  for (const entry of stored) {
    if (!isRecord(entry) || entry.controllerName !== controllerName) {
      foreign.push(entry);
      continue;
    }
    const identity = parentIdentity(entry[list.reference], namespace);
    if (identity === undefined) continue;
    const id = identityKey(identity);
    if (!ownsParent(identity)) foreign.push(entry);
    else if (!own.has(id)) own.set(id, entry);
  }
  return { own, foreign };
}

/** The stored entry itself when it stays; undefined when the API would refuse it as empty. */
function mergeEntry(
  stored: JsonRecord | undefined,
  own: JsonRecord,
  merge: ConditionMerge,
): JsonRecord | undefined {
  if (merge.conditions.length === 0) return undefined;
  if (stored !== undefined && !merge.changed) return stored;
  return { ...stored, ...own, conditions: merge.conditions };
}

/**
 * What orders the entries of one object and tells them apart: group, kind, namespace, name, section,
 * port. Undefined for a reference that names nothing.
 */
export function entrySortKey(ref: unknown, namespace: string): string | undefined {
  const identity = parentIdentity(ref, namespace);
  return identity && identityKey(identity);
}

/** No part can hold the separator, and ports have at most five digits. */
function identityKey(identity: ParentIdentity): string {
  const { group, kind, namespace, name, sectionName, port } = identity;
  return [group, kind, namespace, name, sectionName, String(port).padStart(5, "0")].join("\n");
}
