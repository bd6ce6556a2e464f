/**
 * Server-side apply: a manager's whole intent merged into the live object, fields that it no longer
 * names given up, and conflicts with other managers told or overruled.
 *
 * Pure. The rules are those of structured-merge-diff's updater; a value that several managers give in
 * the same way is shared, and only a difference is a conflict.
 */

import type { JsonRecord } from "../../kube/json_value.ts";
import type { StatusError } from "../store_contract.ts";
import {
  differenceOf,
  equalSets,
  type FieldSet,
  intersectionOf,
  isEmptySet,
  noFields,
  pathsOf,
  unionOf,
} from "./field_set.ts";
import { absentFields, changedFields, fieldsOf, mergeApplied, removeFields } from "./field_walk.ts";
import type { FieldShape } from "./field_shapes.ts";
import type { FieldManager, FieldWriter } from "./managed_fields.ts";

/** What is applied to what. Values are the owned parts of objects. */
export interface ApplyRequest {
  readonly live: JsonRecord;
  readonly applied: JsonRecord;
  readonly managers: readonly FieldManager[];
  readonly writer: FieldWriter;
  readonly shape: FieldShape;
  /** Whether fields of others are taken over. */
  readonly isForced: boolean;
}

/** The object's new part and its owners, or whom it conflicts with. */
export type ApplyResult =
  | { readonly ok: true; readonly value: unknown; readonly managers: readonly FieldManager[] }
  | { readonly ok: false; readonly error: StatusError };

/** Applies. */
export function applyFields(request: ApplyRequest): ApplyResult {
  const { live, applied, managers, writer, shape, isForced } = request;
  const isWriter = (one: FieldManager): boolean =>
    one.operation === "Apply" && one.manager === writer.manager &&
    one.subresource === writer.subresource;
  const own = managers.find(isWriter);
  const others = managers.filter((one) => !isWriter(one));
  const fields = fieldsOf(applied, shape);
  const kept = others.reduce((all, one) => unionOf(all, one.fields), fields);
  const merged = mergeApplied(live, applied, shape);
  const value = removeFields(merged, own?.fields ?? noFields, kept, shape);
  const changed = changedFields(live, value, shape);
  const conflicts = others
    .map((one) => ({ one, fields: intersectionOf(one.fields, changed) }))
    .filter((conflict) => !isEmptySet(conflict.fields));
  if (conflicts.length > 0 && !isForced) return { ok: false, error: conflictError(conflicts) };
  const lost = unionOf(changed, absentFields(live, value, shape));
  const left = others.map((one) => ({ ...one, fields: differenceOf(one.fields, lost) }));
  const isSame = own !== undefined && equalSets(own.fields, fields);
  // The time is that of the last apply that changed the object.
  const time = isEmptySet(lost) ? own?.time : writer.time;
  const entry = { ...writer, time, operation: "Apply", fields } as const;
  return { ok: true, value, managers: [...left, isSame ? own : entry] };
}

interface Conflict {
  readonly one: FieldManager;
  readonly fields: FieldSet;
}

/** 409 with one cause for each field, in the words that kubectl explains. */
function conflictError(conflicts: readonly Conflict[]): StatusError {
  const causes = conflicts.flatMap(({ one, fields }) =>
    sortedPaths(fields).map((field) => ({
      reason: "FieldManagerConflict",
      message: `conflict with ${managerText(one)}`,
      field,
    }))
  );
  const [first] = causes;
  const told = causes.length === 1 && first
    ? `${first.message}: ${first.field}`
    : conflicts.map(({ one, fields }) =>
      `conflicts with ${managerText(one)}:\n${
        sortedPaths(fields).map((path) => `- ${path}`).join("\n")
      }`
    ).join("\n");
  const count = `${causes.length} ${causes.length === 1 ? "conflict" : "conflicts"}`;
  const message = `Apply failed with ${count}: ${told}`;
  return { code: 409, reason: "Conflict", message, causes };
}

function sortedPaths(fields: FieldSet): readonly string[] {
  return [...pathsOf(fields)].sort();
}

function managerText({ manager, operation, apiVersion, subresource }: FieldManager): string {
  const name = JSON.stringify(manager);
  const where = subresource === "" ? "" : ` with subresource ${JSON.stringify(subresource)}`;
  return `${name}${where}${operation === "Apply" ? "" : ` using ${apiVersion}`}`;
}
