/**
 * `metadata.managedFields`: who owns which fields, and what a write makes of it.
 *
 * The rules are those of the API server: an owner is a name, an operation, and a subresource; whoever
 * changes a field by an update takes it from everybody else; whoever applies gets a conflict instead,
 * unless forced. Objects that nobody's fields are known of get them with the first apply. Pure.
 */

import { asList, asString, isRecord, type JsonRecord } from "../../kube/json_value.ts";
import {
  decodeFields,
  differenceOf,
  encodeFields,
  equalSets,
  type FieldSet,
  isEmptySet,
  noFields,
  unionOf,
} from "./field_set.ts";
import { absentFields, changedFields, fieldsOf, pickFields } from "./field_walk.ts";
import type { FieldShape } from "./field_shapes.ts";

/** One owner and what it owns. */
export interface FieldManager {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly time: string | undefined;
  readonly subresource: string;
  readonly fields: FieldSet;
}

/** Who writes, how, and when. */
export interface FieldWriter {
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource: string;
  /** RFC 3339. */
  readonly time: string;
}

/** The owner of what was there before anybody applied. */
export const beforeFirstApply = "before-first-apply";

/** The owners that an object names; undefined when it names none, or in a form that nobody knows. */
export function decodeManagers(value: unknown): readonly FieldManager[] | undefined {
  const managers: FieldManager[] = [];
  for (const entry of asList(value)) {
    if (!isRecord(entry)) return undefined;
    const { operation } = entry;
    const fields = decodeFields(entry.fieldsV1);
    if ((operation !== "Apply" && operation !== "Update") || !fields) return undefined;
    managers.push({
      manager: asString(entry.manager) ?? "",
      operation,
      apiVersion: asString(entry.apiVersion) ?? "",
      time: asString(entry.time),
      subresource: asString(entry.subresource) ?? "",
      fields,
    });
  }
  return managers.length === 0 ? undefined : managers;
}

/** The form in which objects have them; Apply before Update, as the API server sorts them. */
export function encodeManagers(managers: readonly FieldManager[]): readonly object[] {
  return managers.filter(({ fields }) => !isEmptySet(fields))
    .sort((a, b) =>
      a.operation < b.operation ? -1 : a.operation > b.operation ? 1 : compareTimes(a, b)
    )
    .map(({ manager, operation, apiVersion, time, subresource, fields }) => ({
      manager,
      operation,
      apiVersion,
      ...(time === undefined ? {} : { time }),
      fieldsType: "FieldsV1",
      fieldsV1: encodeFields(fields),
      ...(subresource === "" ? {} : { subresource }),
    }));
}

function compareTimes(a: FieldManager, b: FieldManager): number {
  const [first, second] = [a.time ?? "", b.time ?? ""];
  return first < second ? -1 : first > second ? 1 : a.manager < b.manager ? -1 : 1;
}

/** Metadata that belongs to the server or names the object: nobody owns it. */
const unownedMetadata: ReadonlySet<string> = new Set([
  "name",
  "namespace",
  "generateName",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "selfLink",
  "uid",
  "generation",
  "managedFields",
  "resourceVersion",
]);

/**
 * The part of an object whose fields are owned, for a write of `subresource`: of the object itself
 * never the status where that is a subresource, of the status nothing else.
 */
export function ownedPart(
  object: JsonRecord,
  subresource: string,
  hasStatus: boolean,
): JsonRecord {
  const part = pickFields(object, (name) => {
    if (name === "apiVersion" || name === "kind" || name === "metadata") return false;
    return subresource === "status" ? name === "status" : name !== "status" || !hasStatus;
  });
  if (subresource === "status" || !isRecord(object.metadata)) return part;
  const metadata = pickFields(object.metadata, (name) => !unownedMetadata.has(name));
  return Object.keys(metadata).length === 0 ? part : { metadata, ...part };
}

/** The owners of an object that has none: what is there belongs to whoever was before. */
export function adoptFields(part: JsonRecord, shape: FieldShape, apiVersion: string): FieldManager {
  return {
    manager: beforeFirstApply,
    operation: "Update",
    apiVersion,
    time: undefined,
    subresource: "",
    fields: fieldsOf(part, shape),
  };
}

/** The owners after an update from `before` to `after`. */
export function updateManagers(
  managers: readonly FieldManager[],
  writer: FieldWriter,
  before: JsonRecord,
  after: JsonRecord,
  shape: FieldShape,
): readonly FieldManager[] {
  const changed = changedFields(before, after, shape);
  const removed = absentFields(before, after, shape);
  if (isEmptySet(changed) && isEmptySet(removed)) return managers;
  const isWriter = (one: FieldManager): boolean =>
    one.operation === "Update" && one.manager === writer.manager &&
    one.subresource === writer.subresource;
  const own = managers.find(isWriter);
  const others = managers.filter((one) => !isWriter(one))
    .map((one) => ({ ...one, fields: differenceOf(one.fields, unionOf(changed, removed)) }));
  const fields = differenceOf(unionOf(own?.fields ?? noFields, changed), removed);
  const isSame = own !== undefined && equalSets(own.fields, fields);
  const entry = { ...writer, operation: "Update", fields } as const;
  return [...others, isSame ? own : entry];
}
