/**
 * Metadata as a client sends it, checked and brought into the form in which it is stored.
 *
 * The rules and texts are those of the API server (`ValidateObjectMeta`). What the server owns (uid,
 * generation, resourceVersion) is not taken from here; fields that nobody knows are dropped. Absent
 * maps are absent, never empty.
 */

import { toTimestamp } from "../base/clock.ts";
import { asList, asString, isRecord } from "../kube/json_value.ts";
import { type StoredKind, storedKinds } from "../kube/kinds.ts";
import {
  checkLabel,
  checkLabelValue,
  checkQualifiedName,
  checkServiceName,
  checkSubdomain,
} from "./name_formats.ts";
import type { StatusCause } from "./store_contract.ts";

/** Metadata that belongs to the client. */
export interface ClientMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly unknown[];
  readonly finalizers?: readonly string[];
  /** Who owns which fields; kept as it is, because the API's writers compute it. */
  readonly managedFields?: readonly unknown[];
  /** Only when it was sent. RFC 3339, UTC, whole seconds. */
  readonly creationTimestamp?: string;
}

/** The metadata of an object and every fault of it. */
export interface CheckedMeta {
  readonly meta: ClientMeta;
  readonly causes: readonly StatusCause[];
}

/** All annotations of an object together; the API server's limit. */
const annotationBytesMax = 256 * 1024;

/** Checks the metadata of an object of `kind`. Pure. */
export function checkMeta(
  kind: StoredKind,
  metadata: Readonly<Record<string, unknown>>,
): CheckedMeta {
  const causes: StatusCause[] = [];
  const name = checkName(kind, metadata.name, causes);
  const namespace = checkNamespace(kind, metadata.namespace, causes);
  const labels = checkStringMap("metadata.labels", metadata.labels, causes);
  const annotations = checkStringMap("metadata.annotations", metadata.annotations, causes);
  checkLabels(labels, causes);
  checkAnnotations(annotations, causes);
  const creationTimestamp = checkTime(metadata.creationTimestamp, causes);
  const ownerReferences = asList(metadata.ownerReferences);
  const finalizers = asList(metadata.finalizers).flatMap((item) => asString(item) ?? []);
  const managedFields = asList(metadata.managedFields);
  const meta: ClientMeta = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(ownerReferences.length === 0 ? {} : { ownerReferences }),
    ...(finalizers.length === 0 ? {} : { finalizers }),
    ...(managedFields.length === 0 ? {} : { managedFields }),
    ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
  };
  return { meta, causes };
}

function checkName(kind: StoredKind, value: unknown, causes: StatusCause[]): string {
  const field = "metadata.name";
  if (value === undefined || value === null || value === "") {
    causes.push(required(field, "name or generateName is required"));
    return "";
  }
  if (typeof value !== "string") {
    causes.push(wrongType(field, value, "string"));
    return "";
  }
  const check = kind === "Namespace"
    ? checkLabel
    : kind === "Service"
    ? checkServiceName
    : checkSubdomain;
  causes.push(...check(value).map((advice) => invalidValue(field, value, advice)));
  return value;
}

function checkNamespace(
  kind: StoredKind,
  value: unknown,
  causes: StatusCause[],
): string | undefined {
  const field = "metadata.namespace";
  const isAbsent = value === undefined || value === null || value === "";
  if (!isAbsent && typeof value !== "string") {
    causes.push(wrongType(field, value, "string"));
    return undefined;
  }
  if (!storedKinds[kind].namespaced) {
    if (!isAbsent) {
      const message = "Forbidden: not allowed on this type";
      causes.push({ reason: "FieldValueForbidden", field, message });
    }
    return undefined;
  }
  if (isAbsent) {
    causes.push(required(field, ""));
    return undefined;
  }
  causes.push(...checkLabel(value).map((advice) => invalidValue(field, value, advice)));
  return value;
}

function checkStringMap(
  field: string,
  value: unknown,
  causes: StatusCause[],
): Readonly<Record<string, string>> | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) {
    causes.push(wrongType(field, value, "object"));
    return undefined;
  }
  const entries: [string, string][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === "string") entries.push([key, item]);
    // A key without a value is the empty string, as the API server's decoder has it.
    else if (item === null) entries.push([key, ""]);
    else causes.push(wrongType(`${field}.${key}`, item, "string"));
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function checkLabels(
  labels: Readonly<Record<string, string>> | undefined,
  causes: StatusCause[],
): void {
  const field = "metadata.labels";
  for (const [key, value] of Object.entries(labels ?? {})) {
    causes.push(...checkQualifiedName(key).map((advice) => invalidValue(field, key, advice)));
    causes.push(...checkLabelValue(value).map((advice) => invalidValue(field, value, advice)));
  }
}

function checkAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  causes: StatusCause[],
): void {
  const field = "metadata.annotations";
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    // Unlike labels, annotations may have capitals in the prefix.
    const faults = checkQualifiedName(key.toLowerCase());
    causes.push(...faults.map((advice) => invalidValue(field, key, advice)));
    bytes += key.length + value.length;
  }
  if (bytes > annotationBytesMax) {
    const message = `Too long: may not be more than ${annotationBytesMax} bytes`;
    causes.push({ reason: "FieldValueTooLong", field, message });
  }
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

/** Sent times are written anew, so that texts of equal form compare like the times. */
function checkTime(value: unknown, causes: StatusCause[]): string | undefined {
  if (value === undefined || value === null) return undefined;
  const field = "metadata.creationTimestamp";
  if (typeof value !== "string") {
    causes.push(wrongType(field, value, "string"));
    return undefined;
  }
  const epochMs = rfc3339.test(value) ? Date.parse(value) : NaN;
  if (Number.isNaN(epochMs)) {
    causes.push(invalidValue(field, value, "must be a time as in RFC 3339"));
    return undefined;
  }
  return toTimestamp(epochMs);
}

function required(field: string, detail: string): StatusCause {
  const message = detail === "" ? "Required value" : `Required value: ${detail}`;
  return { reason: "FieldValueRequired", field, message };
}

function invalidValue(field: string, value: string, advice: string): StatusCause {
  const message = `Invalid value: ${JSON.stringify(value)}: ${advice}`;
  return { reason: "FieldValueInvalid", field, message };
}

/** The fault of a value of another type than `wanted`, one of OpenAPI's, in the server's words. */
export function wrongType(field: string, value: unknown, wanted: string): StatusCause {
  const actual = JSON.stringify(jsonType(value));
  const message = `Invalid value: ${actual}: ${field} in body must be of type ${wanted}: ${actual}`;
  return { reason: "FieldValueTypeInvalid", field, message };
}

/** The type's name in OpenAPI. */
function jsonType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
