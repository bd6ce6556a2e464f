/**
 * HTTPRoute (gateway.networking.k8s.io/v1) with the defaults of its CRD.
 *
 * `parentRefs` are kept exactly as they stand, because the status repeats them.
 */

import * as v from "valibot";
import { backendReferenceSchema } from "./backend_reference.ts";
import { decodeBy, type Decoded, type Immutable } from "./decoded.ts";
import { durationMs } from "./duration.ts";
import { httpFilterSchema } from "./http_filter.ts";
import { namespacedMetadataSchema } from "./metadata.ts";
import { commonRouteEntries } from "./parent_reference.ts";
import { bareFiltersOf } from "./route_filter.ts";
import { sessionPersistenceSchema } from "./session_persistence.ts";
import { partOf, ruleOrUnknownSchema } from "./unknown_value.ts";
import { firstOfEachName, headerMatchesSchema, valueMatchSchema } from "./value_match.ts";

const backendRefSchema = v.object({
  ...backendReferenceSchema.entries,
  filters: v.optional(v.array(httpFilterSchema), []),
});

const methods = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "DELETE",
  "CONNECT",
  "OPTIONS",
  "TRACE",
  "PATCH",
] as const;

const matchSchema = v.object({
  path: v.optional(
    v.object({
      type: v.optional(v.picklist(["Exact", "PathPrefix", "RegularExpression"]), "PathPrefix"),
      value: v.optional(v.string(), "/"),
    }),
    {},
  ),
  headers: headerMatchesSchema,
  queryParams: v.optional(v.pipe(v.array(valueMatchSchema), v.transform(firstOfEachName)), []),
  method: v.exactOptional(v.picklist(methods)),
});

/** No match and an empty match are one: every path. */
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
  filters: v.optional(v.array(httpFilterSchema), []),
  backendRefs: v.optional(v.array(backendRefSchema), []),
  timeouts: v.exactOptional(v.object({
    request: v.exactOptional(durationMs),
    backendRequest: v.exactOptional(durationMs),
  })),
  retry: v.exactOptional(v.object({
    codes: v.optional(v.array(v.number()), []),
    attempts: v.exactOptional(v.number()),
    backoff: v.exactOptional(durationMs),
  })),
  sessionPersistence: v.exactOptional(sessionPersistenceSchema),
});

/** What of a rule can be told whatever else is in it. */
function readPart(rule: unknown): v.InferOutput<typeof ruleSchema> {
  const { matches } = partOf(v.object({ matches: matchesSchema }), rule, { matches: [] });
  return { matches, filters: bareFiltersOf(rule), backendRefs: [] };
}

const httpRouteSchema = v.object({
  metadata: namespacedMetadataSchema,
  spec: v.object({
    ...commonRouteEntries,
    hostnames: v.optional(v.array(v.pipe(v.string(), v.toLowerCase())), []),
    rules: v.optional(v.array(ruleOrUnknownSchema(ruleSchema, readPart)), [{}]),
  }),
});

/** An HTTPRoute as the engine reads it. Timeouts are in milliseconds. */
export type HTTPRoute = Immutable<v.InferOutput<typeof httpRouteSchema>>;
/** One entry of `spec.rules`. */
export type HTTPRouteRule = HTTPRoute["spec"]["rules"][number];
/** One match of a rule: names of headers in lower case, no name twice. */
export type HTTPRouteMatch = HTTPRouteRule["matches"][number];
/** One entry of a rule's `backendRefs`. */
export type HTTPBackendReference = HTTPRouteRule["backendRefs"][number];

/** Decodes an HTTPRoute. */
export function decodeHTTPRoute(object: unknown): Decoded<HTTPRoute> {
  return decodeBy(httpRouteSchema, object);
}
