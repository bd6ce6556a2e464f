/**
 * The events of `/api/v1/changes`: what changed in the outputs, caused by what.
 *
 * Each `change` has its revision as the event's id, so a client that comes back goes on where it was.
 */

import * as v from "valibot";
import { OutputChangeSchema } from "./plan.ts";
import type { ReadonlyDeep } from "./readonly_deep.ts";
import { RevisionSchema } from "./state.ts";

/** An input that changed. */
export const ChangeCauseSchema = v.pipe(
  v.object({
    kind: v.string(),
    namespace: v.exactOptional(v.string()),
    name: v.string(),
    source: v.pipe(
      v.picklist(["object", "acknowledgement"]),
      v.description("acknowledgement: what the data plane said of this Gateway"),
    ),
    revision: RevisionSchema,
  }),
  v.title("ChangeCause"),
);

/** The data of an event `change`. */
export const ChangeEventSchema = v.pipe(
  v.object({
    revision: RevisionSchema,
    time: v.pipe(v.string(), v.isoTimestamp()),
    causes: v.pipe(
      v.array(ChangeCauseSchema),
      v.description("The first 50 inputs that changed since the revision before"),
    ),
    causeCount: v.pipe(v.number(), v.integer(), v.minValue(0)),
    changes: v.pipe(v.array(OutputChangeSchema), v.description("The first 500")),
    isWhole: v.pipe(v.boolean(), v.description("Whether every change is listed")),
  }),
  v.title("ChangeEvent"),
);
/** See {@linkcode ChangeEventSchema}. */
export type ChangeEvent = ReadonlyDeep<v.InferOutput<typeof ChangeEventSchema>>;

/** The data of an event `gap`: what was before is not known, what follows is. */
export const GapEventSchema = v.pipe(
  v.object({
    revision: v.pipe(RevisionSchema, v.description("From here on every change is told")),
    reason: v.pipe(
      v.picklist(["TooOld", "TooMuch", "FutureRevision", "ForeignEpoch"]),
      v.description("TooMuch: more happened since than a stream begins with"),
    ),
  }),
  v.title("GapEvent"),
);
/** See {@linkcode GapEventSchema}. */
export type GapEvent = ReadonlyDeep<v.InferOutput<typeof GapEventSchema>>;

/** The data of an event `end`: the stream is over, and the client may come back. */
export const EndEventSchema = v.pipe(
  v.object({
    reason: v.pipe(
      v.picklist(["TooSlow", "Draining", "AccessEnded"]),
      v.description("AccessEnded: the token or the right of the reader was taken away"),
    ),
  }),
  v.title("EndEvent"),
);
/** See {@linkcode EndEventSchema}. */
export type EndEvent = ReadonlyDeep<v.InferOutput<typeof EndEventSchema>>;
