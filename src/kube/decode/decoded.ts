/**
 * The one way from unknown JSON to a typed object, and the words in which an object is refused.
 *
 * A refusal names the field in the API server's form and what was wanted. It never repeats the
 * value that was found: the value may be a secret.
 */

import * as v from "valibot";

/** A typed object, or the reason why there is none. */
export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

/** `T` with every property and element read-only. */
export type Immutable<T> = T extends readonly (infer Element)[] ? readonly Immutable<Element>[]
  : T extends object ? { readonly [Key in keyof T]: Immutable<T[Key]> }
  : T;

/** Decodes `input` by `schema`; properties that the schema does not name are dropped. */
export function decodeBy<S extends v.GenericSchema>(
  schema: S,
  input: unknown,
): Decoded<Immutable<v.InferOutput<S>>> {
  const result = v.safeParse(schema, input, { abortEarly: true });
  if (result.success) return { ok: true, value: result.output as Immutable<v.InferOutput<S>> };
  return { ok: false, reason: describeIssue(result.issues[0]) };
}

/** What `issue` says, in the words of a refusal. */
export function describeIssue(issue: v.BaseIssue<unknown>): string {
  let path = "";
  for (const item of issue.path ?? []) {
    const key: unknown = item.key;
    if (typeof key === "number") path += `[${key}]`;
    else path += path === "" ? String(key) : `.${String(key)}`;
  }
  const wanted = describeWanted(issue);
  return path === "" ? wanted : `${path}: ${wanted}`;
}

/** What `issue` wants in its place, without the place. */
export function describeWanted(issue: v.BaseIssue<unknown>): string {
  // Messages of our own checks are used as they are; those of the library repeat the value.
  return issue.type === "raw_transform" ? issue.message : `wanted ${issue.expected ?? "another"}`;
}
