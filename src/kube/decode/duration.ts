/** Durations of the Gateway API (GEP-2257): one to four parts of h, m, s and ms. */

import * as v from "valibot";

const pattern = /^(?:[0-9]{1,5}(?:h|m|s|ms)){1,4}$/;
const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Milliseconds of `text`, such as `1m30s`; undefined when it is no duration. */
function parseDuration(text: string): number | undefined {
  if (!pattern.test(text)) return undefined;
  let total = 0;
  for (const [, count, unit] of text.matchAll(/([0-9]+)(ms|h|m|s)/g)) {
    total += Number(count) * (unitMs[unit ?? ""] ?? 0);
  }
  return total;
}

/** A duration in text, decoded to milliseconds. */
export const durationMs = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const ms = parseDuration(dataset.value);
    if (ms !== undefined) return ms;
    addIssue({ message: "wanted a duration such as 10s or 1m30s" });
    return NEVER;
  }),
);
