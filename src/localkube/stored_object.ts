/**
 * How an object as sent becomes an object as stored, on each of the ways of writing. Pure.
 *
 * The rules are those of the API server's strategies for custom resources: the server owns identity
 * and versions, status is a subresource, generation counts changes of anything but metadata and
 * status. Parts that did not change keep their identity, so that readers can compare by reference.
 */

import { equalJson, isRecord, type JsonRecord } from "../kube/json_value.ts";
import { apiVersionOf, type KindInfo, type StoredKind, storedKinds } from "../kube/kinds.ts";
import type { KubeObject, ObjectMeta } from "../kube/object.ts";
import type { ClientMeta } from "./object_meta.ts";
import type { ObjectInput } from "./store_contract.ts";

/** What the server gives a new object. */
export interface Birth {
  readonly uid: string;
  readonly resourceVersion: string;
  /** Used when the object brings no time of its own. */
  readonly creationTimestamp: string;
}

/** The label that the API server keeps on every Namespace; selectors by name rely on it. */
const namespaceNameLabel = "kubernetes.io/metadata.name";

/** The object as sent, in the form in which admission sees it: nothing of the server's in it. */
export function draftOf(kind: StoredKind, input: ObjectInput, meta: ClientMeta): ObjectInput {
  const info: KindInfo = storedKinds[kind];
  const { status, ...rest } = input;
  return {
    ...rest,
    // As sent: admission warns of deprecated versions.
    apiVersion: input.apiVersion,
    kind,
    metadata: { ...meta },
    ...(info.hasStatus || status === undefined ? {} : { status }),
  };
}

/** A new object. `admitted` is the draft as admission returned it. */
export function newObject(
  kind: StoredKind,
  admitted: ObjectInput,
  meta: ClientMeta,
  birth: Birth,
): KubeObject {
  const info: KindInfo = storedKinds[kind];
  const metadata: ObjectMeta = {
    ...birth,
    ...withKindLabels(kind, meta),
    ...(info.hasGeneration ? { generation: 1 } : {}),
  };
  const status = kind === "Namespace" ? { status: { phase: "Active" } } : {};
  return { ...admitted, ...status, apiVersion: apiVersionOf(info), kind, metadata };
}

/**
 * `old` with everything but status replaced; `old` itself when that changes nothing.
 *
 * @param keepsCreationTime whether a time in `meta` is ignored, as for clients of the API
 */
export function replaceAllButStatus(
  kind: StoredKind,
  old: KubeObject,
  admitted: ObjectInput,
  meta: ClientMeta,
  keepsCreationTime: boolean,
): KubeObject {
  const info: KindInfo = storedKinds[kind];
  const { uid, resourceVersion, generation, creationTimestamp } = old.metadata;
  const fields: Record<string, unknown> = { ...admitted };
  if (info.hasStatus && old.status !== undefined) fields.status = old.status;
  const hasNewSpec = takeOverEqualParts(fields, old, info);
  const metadata: ObjectMeta = {
    uid,
    resourceVersion,
    creationTimestamp,
    ...withKindLabels(kind, meta),
    ...(keepsCreationTime ? { creationTimestamp } : {}),
    ...(generation === undefined ? {} : { generation: generation + (hasNewSpec ? 1 : 0) }),
  };
  const object: KubeObject = { ...fields, apiVersion: old.apiVersion, kind, metadata };
  return equalJson(object, old) ? old : object;
}

/** `old` with the status of `input`; without one when `input` has none. */
export function withStatusOf(old: KubeObject, input: ObjectInput): ObjectInput {
  const { status: _, ...rest } = old;
  const { apiVersion, kind, metadata } = old;
  const object = { ...rest, apiVersion, kind, metadata: { ...metadata } };
  return isRecord(input.status) ? { ...object, status: input.status } : object;
}

/**
 * `old` with only status replaced, and `managedFields` unless empty; `old` itself when that changes
 * nothing.
 */
export function replaceStatus(
  old: KubeObject,
  admittedStatus: unknown,
  managedFields: readonly unknown[],
): KubeObject {
  const hasNewFields = managedFields.length > 0 && !equalJson(managedFields, fieldsOf(old));
  if (!hasNewFields && equalJson(old.status, admittedStatus)) return old;
  const { status: _, ...rest } = old;
  const metadata = hasNewFields ? { ...old.metadata, managedFields } : old.metadata;
  const object: KubeObject = { ...rest, apiVersion: old.apiVersion, kind: old.kind, metadata };
  return admittedStatus === undefined ? object : { ...object, status: admittedStatus };
}

function fieldsOf({ metadata }: KubeObject): unknown {
  return "managedFields" in metadata ? metadata.managedFields : undefined;
}

/** `object` as it is at `resourceVersion`. */
export function atVersion(object: KubeObject, resourceVersion: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion } };
}

/** Freezes `value` and all that it holds. For tests: a mutation of a stored object throws. */
export function deepFreeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const item of Object.values(value)) deepFreeze(item);
}

/**
 * Replaces parts of `fields` that equal those of `old` by the old ones; true when something differs
 * that counts for the generation.
 */
function takeOverEqualParts(
  fields: Record<string, unknown>,
  old: JsonRecord,
  info: KindInfo,
): boolean {
  let hasNewSpec = false;
  for (const name of new Set([...Object.keys(fields), ...Object.keys(old)])) {
    if (name === "metadata" || name === "apiVersion" || name === "kind") continue;
    if (name === "status" && info.hasStatus) continue;
    if (!equalJson(fields[name], old[name])) hasNewSpec = true;
    else if (isRecord(old[name]) || Array.isArray(old[name])) fields[name] = old[name];
  }
  return hasNewSpec;
}

function withKindLabels(kind: StoredKind, meta: ClientMeta): ClientMeta {
  if (kind !== "Namespace") return meta;
  return { ...meta, labels: { ...meta.labels, [namespaceNameLabel]: meta.name } };
}
