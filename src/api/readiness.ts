/**
 * What `/readyz` says in JSON: every part of the process and whether it can do its work.
 */

import * as v from "valibot";
import type { ReadonlyDeep } from "./readonly_deep.ts";

/** One part of the process, or a feature that is off. */
export const CheckSchema = v.pipe(
  v.object({
    name: v.string(),
    state: v.pipe(
      v.picklist(["ok", "failed", "off"]),
      v.description("off: a feature that is switched off; it does not count"),
    ),
    reason: v.pipe(v.string(), v.description("One sentence for a person, also when ok")),
  }),
  v.title("Check"),
);
/** See {@linkcode CheckSchema}. */
export type Check = ReadonlyDeep<v.InferOutput<typeof CheckSchema>>;

/** All checks, and what they add up to. */
export const ReadinessSchema = v.pipe(
  v.object({
    status: v.picklist(["ok", "failed"]),
    checks: v.array(CheckSchema),
  }),
  v.title("Readiness"),
  v.description("ok when no check failed"),
);
/** See {@linkcode ReadinessSchema}. */
export type Readiness = ReadonlyDeep<v.InferOutput<typeof ReadinessSchema>>;
