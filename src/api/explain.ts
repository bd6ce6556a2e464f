/**
 * What `/api/v1/explain/request` and `weir explain` say: who would serve a request, and why nobody
 * else.
 *
 * Words are those of the Gateway API. Sentences in `why` are for people and may change; `reason` is
 * a stable word for programs. Lists are bounded, the counts beside them are not.
 */

import * as v from "valibot";
import { FilterSchema, MatchSchema } from "./proxy.ts";
import type { ReadonlyDeep } from "./readonly_deep.ts";
import { RevisionSchema } from "./state.ts";

const port = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65535));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const key = v.pipe(v.string(), v.description("NAMESPACE/NAME"));

/** One share of the traffic of the rule. */
export const BackendShareSchema = v.pipe(
  v.object({
    service: v.exactOptional(v.pipe(v.string(), v.description("NAMESPACE/NAME of the Service"))),
    port: v.exactOptional(port),
    weight: count,
    share: v.pipe(
      v.number(),
      v.minValue(0),
      v.maxValue(1),
      v.description("Part of the requests that reach the rule"),
    ),
    outcome: v.pipe(
      v.picklist(["backend", "500", "503"]),
      v.description(
        "500: the reference is invalid. 503: no endpoint is ready, or the reference of a GRPCRoute " +
          "is invalid",
      ),
    ),
    filters: v.array(FilterSchema),
    endpoints: v.pipe(
      v.array(v.object({ address: v.string(), port })),
      v.description("The first 100 of those that are ready"),
    ),
    endpointCount: count,
    target: v.pipe(
      v.exactOptional(v.string()),
      v.description("Path and query as the backend sees them"),
    ),
    host: v.pipe(v.exactOptional(v.string()), v.description("Host as the backend sees it")),
  }),
  v.title("BackendShare"),
);
/** See {@linkcode BackendShareSchema}. */
export type BackendShare = ReadonlyDeep<v.InferOutput<typeof BackendShareSchema>>;

/** One match of a rule that does not serve the request. */
export const ConsideredRouteSchema = v.pipe(
  v.object({
    gateway: key,
    listener: v.string(),
    kind: v.string(),
    route: key,
    rule: count,
    ruleName: v.exactOptional(v.string()),
    match: v.pipe(count, v.description("Index among the matches of the rule")),
    hostname: v.pipe(v.exactOptional(v.string()), v.description("Absent: every host")),
    reason: v.picklist([
      "Precedence",
      "QueryParam",
      "Header",
      "Method",
      "Path",
      "Hostname",
      "Listener",
    ]),
    criterion: v.pipe(
      v.exactOptional(v.picklist([
        "hostname",
        "path",
        "method",
        "headers",
        "queryParams",
        "age",
        "name",
        "grpcMethod",
        "ruleOrder",
        "matchOrder",
      ])),
      v.description("With Precedence: what decided"),
    ),
    why: v.string(),
  }),
  v.title("ConsideredRoute"),
);
/** See {@linkcode ConsideredRouteSchema}. */
export type ConsideredRoute = ReadonlyDeep<v.InferOutput<typeof ConsideredRouteSchema>>;

/** A listener on the port that does not answer the request. */
export const ConsideredListenerSchema = v.pipe(
  v.object({
    gateway: key,
    listener: v.string(),
    hostname: v.pipe(v.exactOptional(v.string()), v.description("Absent: every host")),
    why: v.string(),
  }),
  v.title("ConsideredListener"),
);
/** See {@linkcode ConsideredListenerSchema}. */
export type ConsideredListener = ReadonlyDeep<v.InferOutput<typeof ConsideredListenerSchema>>;

/** The whole answer. */
export const RequestExplanationSchema = v.pipe(
  v.object({
    revision: RevisionSchema,
    decision: v.pipe(
      v.picklist(["backend", "redirect", "preflight", "400", "404", "500", "503"]),
      v.description(
        "backend: an endpoint is asked. preflight: the gateway answers it as the CORS filter says. " +
          "A number: the gateway answers itself",
      ),
    ),
    why: v.pipe(v.string(), v.description("The decision in a sentence")),
    request: v.object({
      method: v.string(),
      host: v.pipe(v.string(), v.description("As matching sees it")),
      path: v.pipe(v.string(), v.description("Normalised, with query")),
      port,
    }),
    gateway: v.exactOptional(key),
    listener: v.exactOptional(v.string()),
    kind: v.exactOptional(v.string()),
    route: v.exactOptional(key),
    rule: v.exactOptional(count),
    ruleName: v.exactOptional(v.string()),
    match: v.exactOptional(count),
    hostname: v.pipe(
      v.exactOptional(v.string()),
      v.description("Of the match; absent: every host"),
    ),
    matched: v.exactOptional(MatchSchema),
    filters: v.pipe(v.array(FilterSchema), v.description("Of the rule, in the order of the spec")),
    location: v.pipe(v.exactOptional(v.string()), v.description("With redirect: where it leads")),
    statusCode: v.exactOptional(v.pipe(v.number(), v.integer())),
    backends: v.array(BackendShareSchema),
    considered: v.pipe(
      v.array(ConsideredRouteSchema),
      v.description("The first 100 that lost, nearest first"),
    ),
    consideredCount: v.pipe(count, v.description("Matches on the port that lost")),
    listeners: v.pipe(
      v.array(ConsideredListenerSchema),
      v.description("The first 100 listeners on the port that do not answer"),
    ),
    listenerCount: v.pipe(count, v.description("Listeners on the port that do not answer")),
    notes: v.pipe(v.array(v.string()), v.description("What may surprise")),
  }),
  v.title("RequestExplanation"),
);
/** See {@linkcode RequestExplanationSchema}. */
export type RequestExplanation = ReadonlyDeep<v.InferOutput<typeof RequestExplanationSchema>>;

/** Whether `value` is an explanation: for those who were sent one. */
export function isRequestExplanation(value: unknown): value is RequestExplanation {
  return v.is(RequestExplanationSchema, value);
}
