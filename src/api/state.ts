/**
 * What `/api/v1/state` shows: the inputs as the cluster keeps them, and what is wrong with others.
 *
 * Objects have the Kubernetes API's own shape. The values of a Secret or ConfigMap are never among them.
 */

import * as v from "valibot";
import type { ReadonlyDeep } from "./readonly_deep.ts";

/** What stands in the place of every value of a Secret or ConfigMap. */
export const redactedValue = "[redacted]";

/** A revision as it leaves the process: the random epoch of the start, a dot, the count. */
export const RevisionSchema = v.pipe(
  v.string(),
  v.regex(/^[0-9a-zA-Z]+\.[0-9]+$/),
  v.title("Revision"),
  v.description("EPOCH.COUNT; comparable only within one epoch, which is one run of the process"),
);

/** Something in the manifests that was not accepted. */
export const ManifestProblemSchema = v.pipe(
  v.object({
    source: v.pipe(
      v.string(),
      v.description("FILE:LINE, - for standard input, or empty: not of a manifest"),
    ),
    object: v.pipe(v.string(), v.description("KIND NAMESPACE/NAME as far as known")),
    field: v.pipe(v.string(), v.description("Field path as the API server writes it, or empty")),
    message: v.string(),
  }),
  v.title("ManifestProblem"),
);
/** See {@linkcode ManifestProblemSchema}. */
export type ManifestProblem = ReadonlyDeep<v.InferOutput<typeof ManifestProblemSchema>>;

/** Something that is valid and probably not meant. */
export const DiagnosticSchema = v.pipe(
  v.object({
    code: v.pipe(v.string(), v.description("A stable word, see the table of diagnostics")),
    object: v.pipe(v.string(), v.description("KIND NAMESPACE/NAME")),
    part: v.pipe(v.string(), v.description("The part of the object, such as rule 2, or empty")),
    message: v.string(),
  }),
  v.title("Diagnostic"),
);
/** See {@linkcode DiagnosticSchema}. */
export type Diagnostic = ReadonlyDeep<v.InferOutput<typeof DiagnosticSchema>>;

/** The answer of `/api/v1/state`. */
export const StateSummarySchema = v.pipe(
  v.object({
    epoch: v.pipe(v.string(), v.description("Random per start of the process")),
    revision: RevisionSchema,
    counts: v.pipe(
      v.record(v.string(), v.pipe(v.number(), v.integer())),
      v.description("Objects by kind; every known kind is there"),
    ),
    problemCount: v.pipe(v.number(), v.integer(), v.description("Problems there are")),
    problems: v.pipe(
      v.array(ManifestProblemSchema),
      v.description("The first 1,000 problems; objects without one are served all the same"),
    ),
    diagnosticCount: v.pipe(v.number(), v.integer(), v.description("Diagnostics there are")),
    diagnostics: v.pipe(
      v.array(DiagnosticSchema),
      v.description("The first 1,000 things that are valid and probably not meant"),
    ),
  }),
  v.title("StateSummary"),
);
/** See {@linkcode StateSummarySchema}. */
export type StateSummary = ReadonlyDeep<v.InferOutput<typeof StateSummarySchema>>;

/** An object as the cluster keeps it, with its status. */
export const StateObjectSchema = v.pipe(
  v.looseObject({
    apiVersion: v.string(),
    kind: v.string(),
    metadata: v.looseObject({ name: v.string(), namespace: v.exactOptional(v.string()) }),
  }),
  v.title("StateObject"),
  v.description("A Kubernetes object with its status; values of Secrets are replaced"),
);
/** See {@linkcode StateObjectSchema}. */
export type StateObject = ReadonlyDeep<v.InferOutput<typeof StateObjectSchema>>;

/** The answer of `/api/v1/state/{kind}`. */
export const StateListSchema = v.pipe(
  v.object({
    revision: RevisionSchema,
    kind: v.string(),
    items: v.pipe(v.array(StateObjectSchema), v.description("Sorted by namespace and name")),
    remainingItemCount: v.pipe(v.number(), v.integer(), v.description("Items after this page")),
    continue: v.pipe(
      v.exactOptional(v.string()),
      v.description("Pass it as ?continue= for the next page; absent on the last one"),
    ),
  }),
  v.title("StateList"),
);
/** See {@linkcode StateListSchema}. */
export type StateList = ReadonlyDeep<v.InferOutput<typeof StateListSchema>>;
