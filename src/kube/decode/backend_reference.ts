/** References to backends with the defaults of the API, as routes of every kind make them. */

import * as v from "valibot";
import type { Immutable } from "./decoded.ts";

/** A backend without a weight, as a mirror has it (Gateway API, BackendObjectReference). */
export const backendObjectReferenceSchema = v.object({
  group: v.optional(v.string(), ""),
  kind: v.optional(v.string(), "Service"),
  name: v.string(),
  namespace: v.exactOptional(v.string()),
  port: v.exactOptional(v.number()),
});

/** A backend among others (Gateway API, BackendRef). */
export const backendReferenceSchema = v.object({
  ...backendObjectReferenceSchema.entries,
  weight: v.optional(v.number(), 1),
});

/** A backend without a weight. */
export type BackendObjectReference = Immutable<v.InferOutput<typeof backendObjectReferenceSchema>>;
/** One entry of a rule's `backendRefs`, without what only some kinds of routes have. */
export type BackendReference = Immutable<v.InferOutput<typeof backendReferenceSchema>>;
