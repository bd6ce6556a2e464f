/**
 * What `/api/v1/explain/{kind}/…` and `weir explain KIND NAME` say: why the conditions of an object
 * are what they are.
 *
 * Told from what the computation recorded: which objects and fields were read, when each last
 * changed, and which change altered the condition. Sentences in `what` and `concluded` are for people
 * and may change. Names and fields only; no value of an object is shown.
 */

import * as v from "valibot";
import type { ReadonlyDeep } from "./readonly_deep.ts";
import { RevisionSchema } from "./state.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const time = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.description("RFC 3339: when this process learnt it"),
);

/** An input that a condition follows from. */
export const BecauseSchema = v.pipe(
  v.object({
    kind: v.string(),
    namespace: v.pipe(
      v.exactOptional(v.string()),
      v.description("Absent for a cluster-scoped object, and for sets across namespaces"),
    ),
    name: v.pipe(v.string(), v.description("* for every object that was looked for")),
    field: v.pipe(
      v.exactOptional(v.string()),
      v.description("The field that was read; absent: the object as a whole"),
    ),
    revision: v.pipe(
      RevisionSchema,
      v.description("At which it last changed; COUNT 0: not while this process runs"),
    ),
    time,
    source: v.pipe(
      v.picklist(["object", "acknowledgement", "addresses"]),
      v.description(
        "acknowledgement: what the data plane answered for this Gateway. addresses: those it was given",
      ),
    ),
    absent: v.pipe(
      v.exactOptional(v.literal(true)),
      v.description("There is no such object, or nothing that was looked for"),
    ),
    lookedFor: v.pipe(v.exactOptional(v.string()), v.description("With name *: in words")),
    count: v.pipe(v.exactOptional(count), v.description("With name *: how many there are")),
    changed: v.pipe(
      v.exactOptional(v.array(v.string())),
      v.description("The fields that the last change of the whole object altered"),
    ),
  }),
  v.title("Because"),
);
/** See {@linkcode BecauseSchema}. */
export type Because = ReadonlyDeep<v.InferOutput<typeof BecauseSchema>>;

/** One step from a condition down to an input. */
export const ChainStepSchema = v.pipe(
  v.object({
    step: v.pipe(v.string(), v.description("The name of the computation; input: the last one")),
    what: v.pipe(v.string(), v.description("What is computed or read")),
    concluded: v.pipe(v.string(), v.description("What came of it, as far as it bears on this")),
    revision: v.pipe(RevisionSchema, v.description("At which that last became another")),
    time,
  }),
  v.title("ChainStep"),
);
/** See {@linkcode ChainStepSchema}. */
export type ChainStep = ReadonlyDeep<v.InferOutput<typeof ChainStepSchema>>;

/** When a condition became what it is. */
export const LastChangeSchema = v.pipe(
  v.object({
    revision: v.pipe(RevisionSchema, v.description("Of the outputs that said so first")),
    time,
    sinceStart: v.pipe(
      v.boolean(),
      v.description("It has been so since this process began: what was before is not known"),
    ),
    input: v.pipe(
      v.exactOptional(BecauseSchema),
      v.description("The newest change before that it follows from; absent: not known any more"),
    ),
  }),
  v.title("LastChange"),
);
/** See {@linkcode LastChangeSchema}. */
export type LastChange = ReadonlyDeep<v.InferOutput<typeof LastChangeSchema>>;

/** A condition, and why it has its value. */
export const ConditionExplanationSchema = v.pipe(
  v.object({
    type: v.string(),
    status: v.picklist(["True", "False", "Unknown"]),
    reason: v.string(),
    message: v.string(),
    because: v.pipe(
      v.array(BecauseSchema),
      v.description("First what altered it, what the message names and what is absent"),
    ),
    truncated: v.pipe(v.boolean(), v.description("It follows from more than is listed")),
    superset: v.pipe(
      v.boolean(),
      v.description("Inputs of other conditions of the object may be among those listed"),
    ),
    chain: v.pipe(
      v.array(ChainStepSchema),
      v.description(
        "From the status down to the input that altered it; if that is not known, to what the " +
          "message names or is absent, or else changed last",
      ),
    ),
    lastChange: LastChangeSchema,
  }),
  v.title("ConditionExplanation"),
);
/** See {@linkcode ConditionExplanationSchema}. */
export type ConditionExplanation = ReadonlyDeep<v.InferOutput<typeof ConditionExplanationSchema>>;

const conditions = v.array(ConditionExplanationSchema);

/** A reference to a parent or an ancestor, as the status has it. */
const ReferenceSchema = v.object({
  group: v.exactOptional(v.string()),
  kind: v.exactOptional(v.string()),
  namespace: v.exactOptional(v.string()),
  name: v.string(),
  sectionName: v.exactOptional(v.string()),
  port: v.exactOptional(v.pipe(v.number(), v.integer())),
});

/** The whole answer. */
export const StatusExplanationSchema = v.pipe(
  v.object({
    revision: v.pipe(RevisionSchema, v.description("Of the outputs that are explained")),
    kind: v.string(),
    namespace: v.exactOptional(v.string()),
    name: v.string(),
    conditions: v.pipe(conditions, v.description("Of the object itself; none for a route")),
    listeners: v.exactOptional(v.array(v.object({ name: v.string(), conditions }))),
    parents: v.pipe(
      v.exactOptional(v.array(v.object({ parentRef: ReferenceSchema, conditions }))),
      v.description("Of a route: for each parent that is ours"),
    ),
    ancestors: v.pipe(
      v.exactOptional(v.array(v.object({ ancestorRef: ReferenceSchema, conditions }))),
      v.description("Of a policy: for each ancestor that is ours"),
    ),
    notes: v.pipe(v.array(v.string()), v.description("Such as why there is no condition")),
  }),
  v.title("StatusExplanation"),
);
/** See {@linkcode StatusExplanationSchema}. */
export type StatusExplanation = ReadonlyDeep<v.InferOutput<typeof StatusExplanationSchema>>;

/** Whether `value` is an explanation of a status: for those who were sent one. */
export function isStatusExplanation(value: unknown): value is StatusExplanation {
  return v.is(StatusExplanationSchema, value);
}
