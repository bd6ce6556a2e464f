/**
 * The field errors of the API server: which field, what class of fault, and the words.
 *
 * The words are those of Kubernetes 1.35 and 1.36: a value that is a list or an object is not
 * repeated in the message of a CEL rule, and a compound value elsewhere is printed as JSON. (Until
 * 1.34 the message of a rule repeated the type's name instead: `Invalid value: "object": …`.)
 */

import type { StatusCause } from "../store_contract.ts";
import { isRecord } from "../../kube/json_value.ts";

/** The API's cause types that admission gives. */
export type FieldErrorReason =
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueTypeInvalid"
  | "InternalError";

/** One fault of one field. */
export interface FieldError extends StatusCause {
  readonly reason: FieldErrorReason;
}

/** Stands for a value that the message leaves out. */
export const omittedValue: unique symbol = Symbol("omitted value");

const titles: Readonly<Record<FieldErrorReason, string>> = {
  FieldValueRequired: "Required value",
  FieldValueDuplicate: "Duplicate value",
  FieldValueInvalid: "Invalid value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueForbidden: "Forbidden",
  FieldValueTooLong: "Too long",
  FieldValueTooMany: "Too many",
  FieldValueTypeInvalid: "Invalid value",
  InternalError: "Internal error",
};

/** The path of a fault that belongs to no field. */
export const noField = "<nil>";

/** The detail of the entry that the API server adds when other faults kept the rules from running. */
export const rulesNotRun =
  "some validation rules were not checked because the object was invalid; " +
  "correct the existing errors to complete validation";

/** A fault; `value` and `detail` follow the title when they say something. */
function fieldError(
  reason: FieldErrorReason,
  field: string,
  value: unknown,
  detail: string,
): FieldError {
  const shown = value === omittedValue ? "" : `: ${formatValue(value)}`;
  return {
    reason,
    field: field === "" ? noField : field,
    message: `${titles[reason]}${shown}${detail === "" ? "" : `: ${detail}`}`,
  };
}

/** The field is missing or empty. */
export function required(field: string, detail = ""): FieldError {
  return fieldError("FieldValueRequired", field, omittedValue, detail);
}

/** The value is malformed. */
export function invalid(field: string, value: unknown, detail: string): FieldError {
  return fieldError("FieldValueInvalid", field, value, detail);
}

/** The value is of another type than the schema's. */
export function typeInvalid(field: string, value: unknown, detail: string): FieldError {
  return fieldError("FieldValueTypeInvalid", field, value, detail);
}

/** The value is not one of `supported`, which are listed as given. */
export function notSupported(
  field: string,
  value: unknown,
  supported: readonly unknown[],
): FieldError {
  const listed = supported.map((each) =>
    quote(typeof each === "string" ? each : JSON.stringify(each))
  );
  const detail = listed.length === 0 ? "" : `supported values: ${listed.join(", ")}`;
  return fieldError("FieldValueNotSupported", field, value, detail);
}

/** The value may be right elsewhere, but not here. */
export function forbidden(field: string, detail: string): FieldError {
  return fieldError("FieldValueForbidden", field, omittedValue, detail);
}

/** The value occurs before in the same list. */
export function duplicate(field: string, value: unknown): FieldError {
  return fieldError("FieldValueDuplicate", field, value, "");
}

/** The text is longer than `max`. */
export function tooLong(field: string, max: number): FieldError {
  return fieldError("FieldValueTooLong", field, omittedValue, `may not be more than ${max} bytes`);
}

/** The list or map has `actual` items, more than `max`. */
export function tooMany(field: string, actual: number, max: number): FieldError {
  return fieldError("FieldValueTooMany", field, actual, `must have at most ${max} items`);
}

/** `value` as the API server prints it. */
export function formatValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return quote(value);
    case "number":
    case "boolean":
      return String(value);
  }
  return goJson(value);
}

/** JSON as Go writes it: keys sorted, and the characters that HTML gives meaning escaped. */
function goJson(value: unknown): string {
  return JSON.stringify(
    value ?? null,
    (_key, each) =>
      isRecord(each)
        ? Object.fromEntries(Object.keys(each).sort().map((key) => [key, each[key]]))
        : each,
  ).replace(
    /[<>&\u2028\u2029]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const quoteEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};

// deno-lint-ignore no-control-regex -- finding control characters is the purpose
const unquotable = /["\\\u0000-\u001f\u007f]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]|(?! )\p{Zs}/gu;

/** A Go string literal: what `%q` prints. */
export function quote(text: string): string {
  return `"${
    text.replace(unquotable, (found) => {
      const short = quoteEscapes[found];
      if (short !== undefined) return short;
      const code = found.codePointAt(0) ?? 0;
      if (code < 0x80) return `\\x${code.toString(16).padStart(2, "0")}`;
      return code > 0xffff
        ? `\\U${code.toString(16).padStart(8, "0")}`
        : `\\u${code.toString(16).padStart(4, "0")}`;
    })
  }"`;
}
