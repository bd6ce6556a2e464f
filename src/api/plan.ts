/**
 * What `POST /api/v1/plan` and `weir plan` say: what would change if manifests were applied.
 *
 * Nothing is touched. Objects are those of the Kubernetes API; of a Secret only the digest of its
 * certificate is shown.
 */

import * as v from "valibot";
import type { ReadonlyDeep } from "./readonly_deep.ts";
import { DiagnosticSchema, ManifestProblemSchema, RevisionSchema } from "./state.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** One difference in what the engine computes. */
export const OutputChangeSchema = v.pipe(
  v.object({
    kind: v.string(),
    namespace: v.exactOptional(v.string()),
    name: v.string(),
    path: v.pipe(
      v.string(),
      v.description("Such as status.conditions[Accepted], served.addresses, endpoints[80]"),
    ),
    before: v.pipe(v.unknown(), v.description("null: there was nothing")),
    after: v.pipe(v.unknown(), v.description("null: there is nothing any more")),
  }),
  v.title("OutputChange"),
);
/** See {@linkcode OutputChangeSchema}. */
export type OutputChange = ReadonlyDeep<v.InferOutput<typeof OutputChangeSchema>>;

/** A difference that a plan would make. */
export const PlannedChangeSchema = v.pipe(
  v.object({
    ...OutputChangeSchema.entries,
    isWorse: v.pipe(
      v.boolean(),
      v.description("A condition turns bad, or somebody else's traffic is lost or goes elsewhere"),
    ),
  }),
  v.title("PlannedChange"),
);
/** See {@linkcode PlannedChangeSchema}. */
export type PlannedChange = ReadonlyDeep<v.InferOutput<typeof PlannedChangeSchema>>;

const namedValues = v.array(v.object({ name: v.string(), value: v.string() }));

/** Who answers a request. */
export const TrafficTargetSchema = v.pipe(
  v.object({
    decision: v.picklist(["backend", "redirect", "preflight", "404", "500", "503", "refused"]),
    gateway: v.pipe(v.string(), v.description("NAMESPACE/NAME")),
    listener: v.string(),
    route: v.pipe(v.exactOptional(v.string()), v.description("KIND NAMESPACE/NAME")),
    rule: v.exactOptional(count),
    backends: v.pipe(
      v.array(v.object({ weight: count, cluster: v.exactOptional(v.string()) })),
      v.description("cluster: NAMESPACE/SERVICE/PORT; absent: the reference is invalid"),
    ),
    redirect: v.exactOptional(v.record(v.string(), v.unknown())),
  }),
  v.title("TrafficTarget"),
);
/** See {@linkcode TrafficTargetSchema}. */
export type TrafficTarget = ReadonlyDeep<v.InferOutput<typeof TrafficTargetSchema>>;

/** Requests that would go elsewhere. */
export const TrafficChangeSchema = v.pipe(
  v.object({
    port: v.pipe(count, v.description("Of the listener's specification")),
    protocol: v.picklist(["HTTP", "HTTPS", "TLS", "TCP", "UDP"]),
    request: v.pipe(
      v.object({
        method: v.exactOptional(v.string()),
        host: v.exactOptional(v.string()),
        path: v.exactOptional(v.string()),
        headers: namedValues,
        queryParams: namedValues,
      }),
      v.description("One that stands for many; a part that does not count is absent"),
    ),
    before: v.pipe(v.nullable(TrafficTargetSchema), v.description("null: nobody listens")),
    after: v.pipe(v.nullable(TrafficTargetSchema), v.description("null: nobody listens")),
    isWorse: v.pipe(
      v.boolean(),
      v.description("A route that is not in the proposal served them, and serves them no more"),
    ),
  }),
  v.title("TrafficChange"),
);
/** See {@linkcode TrafficChangeSchema}. */
export type TrafficChange = ReadonlyDeep<v.InferOutput<typeof TrafficChangeSchema>>;

/** The whole answer. */
export const PlanSchema = v.pipe(
  v.object({
    baseRevision: v.pipe(RevisionSchema, v.description("What the plan was computed from")),
    verdict: v.pipe(
      v.picklist(["unchanged", "changed", "worse"]),
      v.description("worse: at least one change or new diagnostic is"),
    ),
    changes: v.pipe(
      v.array(PlannedChangeSchema),
      v.description("The first 5,000, or fewer when they are long"),
    ),
    changeCount: count,
    traffic: v.pipe(
      v.array(TrafficChangeSchema),
      v.description("Requests that reach another backend than before, or none; the first 1,000"),
    ),
    trafficCount: count,
    isTrafficWhole: v.pipe(
      v.boolean(),
      v.description("false: more may move, which a bound or a regular expression hides"),
    ),
    worseCount: v.pipe(
      count,
      v.description("Changes, moves of traffic and new diagnostics that make something worse"),
    ),
    newDiagnostics: v.pipe(
      v.array(DiagnosticSchema),
      v.description("The first 1,000 that there are only with the change"),
    ),
    problems: v.pipe(
      v.array(ManifestProblemSchema),
      v.description("What of the manifests or deletions was refused; the first 1,000"),
    ),
    problemCount: count,
  }),
  v.title("Plan"),
);
/** See {@linkcode PlanSchema}. */
export type Plan = ReadonlyDeep<v.InferOutput<typeof PlanSchema>>;

/** Whether `value` is a plan of this version. */
export function isPlan(value: unknown): value is Plan {
  return v.is(PlanSchema, value);
}
