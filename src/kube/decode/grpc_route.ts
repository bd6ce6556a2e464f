/**
 * GRPCRoute (gateway.networking.k8s.io/v1) with the defaults of its CRD.
 *
 * A route without rules has none: the API has no default rule for this kind. No match and an empty
 * match are one: every request.
 */

import * as v from "valibot";
import { backendReferenceSchema } from "./backend_reference.ts";
import { decodeBy, type Decoded, type Immutable } from "./decoded.ts";
import { namespacedMetadataSchema } from "./metadata.ts";
import { commonRouteEntries } from "./parent_reference.ts";
import { bareFiltersOf, headerModifierSchema, requestMirrorSchema } from "./route_filter.ts";
import { sessionPersistenceSchema } from "./session_persistence.ts";
import { partOf, ruleOrUnknownSchema } from "./unknown_value.ts";
import { headerMatchesSchema } from "./value_match.ts";

/** The part that belongs to `type` is present when the type is one that is known. */
const filterSchema = v.object({
  type: v.string(),
  requestHeaderModifier: v.exactOptional(headerModifierSchema),
  responseHeaderModifier: v.exactOptional(headerModifierSchema),
  requestMirror: v.exactOptional(requestMirrorSchema),
});

const matchSchema = v.object({
  method: v.exactOptional(v.object({
    type: v.optional(v.picklist(["Exact", "RegularExpression"]), "Exact"),
    service: v.exactOptional(v.string()),
    method: v.exactOptional(v.string()),
  })),
  headers: headerMatchesSchema,
});

const matchesSchema = v.optional(
  v.pipe(
    v.array(matchSchema),
    v.transform((matches) => matches.length > 0 ? matches : [v.parse(matchSchema, {})]),
  ),
  [],
);

const ruleSchema = v.object({
  name: v.exactOptional(v.string()),
  matches: matchesSchema,
  filters: v.optional(v.array(filterSchema), []),
  backendRefs: v.optional(
    v.array(v.object({
      ...backendReferenceSchema.entries,
      filters: v.optional(v.array(filterSchema), []),
    })),
    [],
  ),
  sessionPersistence: v.exactOptional(sessionPersistenceSchema),
});

/** What of a rule can be told whatever else is in it. */
function readPart(rule: unknown): v.InferOutput<typeof ruleSchema> {
  const { matches } = partOf(v.object({ matches: matchesSchema }), rule, { matches: [] });
  return { matches, filters: bareFiltersOf(rule), backendRefs: [] };
}

const grpcRouteSchema = v.object({
  metadata: namespacedMetadataSchema,
  spec: v.object({
    ...commonRouteEntries,
    hostnames: v.optional(v.array(v.pipe(v.string(), v.toLowerCase())), []),
    rules: v.optional(v.array(ruleOrUnknownSchema(ruleSchema, readPart)), []),
  }),
});

/** A GRPCRoute as the engine reads it. */
export type GRPCRoute = Immutable<v.InferOutput<typeof grpcRouteSchema>>;
/** One entry of `spec.rules`. */
export type GRPCRouteRule = GRPCRoute["spec"]["rules"][number];
/** One match of a rule: names of headers in lower case, no name twice. */
export type GRPCRouteMatch = GRPCRouteRule["matches"][number];
/** One filter of a rule or of a backend reference. */
export type GRPCRouteFilter = Immutable<v.InferOutput<typeof filterSchema>>;
/** One entry of a rule's `backendRefs`. */
export type GRPCBackendReference = GRPCRouteRule["backendRefs"][number];

/** Decodes a GRPCRoute. */
export function decodeGRPCRoute(object: unknown): Decoded<GRPCRoute> {
  return decodeBy(grpcRouteSchema, object);
}
