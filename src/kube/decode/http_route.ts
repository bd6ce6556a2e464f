/**
 * HTTPRoute (gateway.networking.k8s.io/v1) with the defaults of its CRD.
 *
 * `parentRefs` are kept exactly as they stand, because the status repeats them. Filters and fields
 * that no data plane serves yet are kept by their type or presence, so that a status can name them.
 */

import * as v from "valibot";
import {
  decodeBy,
  type Decoded,
  describeIssue,
  describeWanted,
  type Immutable,
} from "./decoded.ts";
import { durationMs } from "./duration.ts";
import { namespacedMetadataSchema } from "./metadata.ts";

const headerValuesSchema = v.optional(
  v.array(v.object({ name: v.string(), value: v.string() })),
  [],
);

const headerModifierSchema = v.object({
  set: headerValuesSchema,
  add: headerValuesSchema,
  remove: v.optional(v.array(v.string()), []),
});

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
  group: v.optional(v.string(), ""),
  kind: v.optional(v.string(), "Service"),
  name: v.string(),
  namespace: v.exactOptional(v.string()),
  port: v.exactOptional(v.number()),
  weight: v.optional(v.number(), 1),
  filters: v.optional(v.array(filterSchema), []),
});

const valueMatchSchema = v.object({
  type: v.optional(v.picklist(["Exact", "RegularExpression"]), "Exact"),
  name: v.string(),
  value: v.string(),
});

/** Of entries with one name the first counts (HTTPHeaderMatch and HTTPQueryParamMatch, `name`). */
function firstOfEachName<T extends { readonly name: string }>(matches: T[]): T[] {
  if (matches.length < 2) return matches;
  const seen = new Set<string>();
  return matches.filter(({ name }) => !seen.has(name) && seen.add(name));
}

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
  headers: v.optional(
    v.pipe(
      v.array(v.object({
        ...valueMatchSchema.entries,
        name: v.pipe(v.string(), v.toLowerCase()),
      })),
      v.transform(firstOfEachName),
    ),
    [],
  ),
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

type Rule = v.InferOutput<typeof ruleSchema> & {
  /** Which value of the rule this version does not know; the rest of the rule is left out then. */
  unknownValue?: string;
};

/**
 * A value that is not in the list of a field may be one of a later version of the API. It must not
 * make the whole route unreadable: the route's status has to name it (HTTPPathMatch `type` and the
 * others, "unknown values").
 */
const ruleOrUnknownSchema = v.pipe(
  v.custom<v.InferInput<typeof ruleSchema>>(() => true),
  v.rawTransform<v.InferInput<typeof ruleSchema>, Rule>(({ dataset, addIssue, NEVER }) => {
    const result = v.safeParse(ruleSchema, dataset.value, { abortEarly: true });
    if (result.success) return result.output;
    const [issue] = result.issues;
    if (unknownValueIssues.has(issue.type)) {
      const { name } = dataset.value;
      return {
        ...(typeof name === "string" ? { name } : {}),
        matches: [],
        filters: [],
        backendRefs: [],
        unknownValue: describeIssue(issue),
      };
    }
    addIssue({ message: describeWanted(issue), ...(issue.path && { path: issue.path }) });
    return NEVER;
  }),
);

const unknownValueIssues: ReadonlySet<string> = new Set(["picklist", "literal", "variant"]);

const httpRouteSchema = v.object({
  metadata: namespacedMetadataSchema,
  spec: v.object({
    parentRefs: v.optional(
      v.array(v.object({
        group: v.exactOptional(v.string()),
        kind: v.exactOptional(v.string()),
        namespace: v.exactOptional(v.string()),
        name: v.string(),
        sectionName: v.exactOptional(v.string()),
        port: v.exactOptional(v.number()),
      })),
      [],
    ),
    hostnames: v.optional(v.array(v.pipe(v.string(), v.toLowerCase())), []),
    rules: v.optional(v.array(ruleOrUnknownSchema), [{}]),
  }),
});

/** An HTTPRoute as the engine reads it. Timeouts are in milliseconds. */
export type HTTPRoute = Immutable<v.InferOutput<typeof httpRouteSchema>>;
/** One entry of `spec.parentRefs`, without defaults. */
export type ParentReference = HTTPRoute["spec"]["parentRefs"][number];
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
