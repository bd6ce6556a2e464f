/**
 * Validation of the type of a value.
 *
 * The API server infers a format for numbers, and lets a text pass for any type when its schema has a
 * format that is not a number's: the format is what is checked then.
 */

import type { FaultList } from "./fault_list.ts";
import { type FieldError, quote, typeInvalid } from "./field_error.ts";
import type { SchemaNode } from "./schema_node.ts";

/** The JSON type of `value`, as the API server names it. */
function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** The format that the API server sees in a number; other values have none. */
function inferredFormat(type: string): string {
  if (type === "integer") return "int64";
  return type === "number" ? "float64" : "";
}

/** Adds a fault to `faults` when `value`, which is at `path`, has another type than the schema's. */
export function checkType(value: unknown, node: SchemaNode, path: string, faults: FaultList): void {
  const { types, raw: { format } } = node;
  const type = typeName(value);
  if (types.includes(type) || (type === "integer" && types.includes("number"))) return;
  if (types.length === 0 && format === undefined) return;
  if (type === "null") {
    if (types.length === 0 || node.raw.nullable === true) return;
    return faults.add(wrongType(path, types.join(","), "null"));
  }
  const isNumeric = types.includes("integer") || types.includes("number");
  if (format !== undefined && (type === "string" || type === "array")) {
    if (!isNumeric) return;
  } else if (format !== undefined && inferredFormat(type) !== format) {
    return faults.add(wrongType(path, format, inferredFormat(type)));
  }
  faults.add(wrongType(path, types.join(","), type));
}

/** The API server gives the type that it found as the value, in the message twice. */
function wrongType(path: string, wanted: string, found: string): FieldError {
  return typeInvalid(path, found, `${path} in body must be of type ${wanted}: ${quote(found)}`);
}
