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

/** The whole answer. */
export const PlanSchema = v.pipe(
  v.object({
    baseRevision: v.pipe(RevisionSchema, v.description("What the plan was computed from")),
    verdict: v.pipe(
      v.picklist(["unchanged", "changed", "worse"]),
      v.description("worse: at least one change or new diagnostic is"),
    ),
    changes: v.pipe(v.array(PlannedChangeSchema), v.description("The first 5,000")),
    changeCount: count,
    worseCount: count,
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
