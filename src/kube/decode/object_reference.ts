/**
 * References to objects that are neither parents nor backends: Secrets, bundles of certificate
 * authorities, parameters.
 */

import * as v from "valibot";
import type { Immutable } from "./decoded.ts";

/** A reference to a Secret with its defaults (Gateway API, SecretObjectReference). */
export const secretReferenceSchema = v.object({
  group: v.optional(v.string(), ""),
  kind: v.optional(v.string(), "Secret"),
  name: v.string(),
  namespace: v.exactOptional(v.string()),
});

/** A reference to an object of the same namespace (Gateway API, LocalObjectReference). */
export const localObjectReferenceSchema = v.object({
  group: v.string(),
  kind: v.string(),
  name: v.string(),
});

/** A reference to an object of any namespace (Gateway API, ObjectReference). */
export const objectReferenceSchema = v.object({
  ...localObjectReferenceSchema.entries,
  namespace: v.exactOptional(v.string()),
});

/** A reference to a Secret, with its defaults. */
export type SecretReference = Immutable<v.InferOutput<typeof secretReferenceSchema>>;
/** A reference to an object; in the referring object's namespace unless it names one. */
export type ObjectReference = Immutable<v.InferOutput<typeof objectReferenceSchema>>;
