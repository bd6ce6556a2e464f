/**
 * HTTPRoute (gateway.networking.k8s.io/v1) with the defaults of its CRD.
 *
 * `parentRefs` are kept exactly as they stand, because the status repeats them. Filters and fields
 * that no data plane serves yet are kept by their type or presence, so that a status can name them.
 */

import * as v from "valibot";
import { backendReferenceSchema } from "./backend_reference.ts";
import { decodeBy, type Decoded, type Immutable } from "./decoded.ts";
import { durationMs } from "./duration.ts";
import { namespacedMetadataSchema } from "./metadata.ts";
import { parentReferencesSchema } from "./parent_reference.ts";
import { headerModifierSchema } from "./route_filter.ts";
import { ruleOrUnknownSchema } from "./unknown_value.ts";
import { firstOfEachName, headerMatchesSchema, valueMatchSchema } from "./value_match.ts";

const pathModifierSchema = v.variant("type", [
  v.object({ type: v.literal("ReplaceFullPath"), replaceFullPath: v.string() }),
  v.object({ type: v.literal("ReplacePrefixMatch"), replacePrefixMatch: v.string() }),
]);

/** The part that belongs to `type` is present when the type is one that is served. */
const filterSchema = v.object({
  type: v.string(),
  requestHeaderModifier: v.exactOptional(headerModifierSchema),
  responseHeaderModifier: v.exactOptional(headerModifierSchema),
  requestRedirect: v.exactOptional(v.object({
    scheme: v.exactOptional(v.picklist(["http", "https"])),
    hostname: v.exactOptional(v.string()),
    path: v.exactOptional(pathModifierSchema),
    port: v.exactOptional(v.number()),
    statusCode: v.optional(v.picklist([301, 302, 303, 307, 308]), 302),
  })),
  urlRewrite: v.exactOptional(v.object({
    hostname: v.exactOptional(v.string()),
    path: v.exactOptional(pathModifierSchema),
  })),
});

const backendRefSchema = v.object({
  ...backendReferenceSchema.entries,
  filters: v.optional(v.array(filterSchema), []),
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
  filters: v.optional(v.array(filterSchema), []),
  backendRefs: v.optional(v.array(backendRefSchema), []),
  timeouts: v.exactOptional(v.object({
    request: v.exactOptional(durationMs),
    backendRequest: v.exactOptional(durationMs),
  })),
  retry: v.exactOptional(v.unknown()),
  sessionPersistence: v.exactOptional(v.unknown()),
});

const httpRouteSchema = v.object({
  metadata: namespacedMetadataSchema,
  spec: v.object({
    parentRefs: parentReferencesSchema,
    hostnames: v.optional(v.array(v.pipe(v.string(), v.toLowerCase())), []),
    rules: v.optional(
      v.array(ruleOrUnknownSchema(ruleSchema, { matches: [], filters: [], backendRefs: [] })),
      [{}],
    ),
  }),
});

/** An HTTPRoute as the engine reads it. Timeouts are in milliseconds. */
export type HTTPRoute = Immutable<v.InferOutput<typeof httpRouteSchema>>;
/** One entry of `spec.rules`. */
export type HTTPRouteRule = HTTPRoute["spec"]["rules"][number];
/** One match of a rule: names of headers in lower case, no name twice. */
export type HTTPRouteMatch = HTTPRouteRule["matches"][number];
/** One filter of a rule or of a backend reference. */
export type HTTPRouteFilter = Immutable<v.InferOutput<typeof filterSchema>>;
/** One entry of a rule's `backendRefs`. */
export type HTTPBackendReference = HTTPRouteRule["backendRefs"][number];

/** Decodes an HTTPRoute. */
export function decodeHTTPRoute(object: unknown): Decoded<HTTPRoute> {
  return decodeBy(httpRouteSchema, object);
}
