/**
 * What an operator gets to read of the loader's work: one line for each change and each problem.
 *
 * The first look is one line, because everything is new then. Lines of one sort are bounded in each
 * look; those beyond are counted.
 */

import type { LogFields, Logger } from "../../base/log.ts";
import type { AppliedChange } from "./manifest_applier.ts";
import { sourceOf } from "./parse_manifests.ts";
import type { PositionFinder } from "./position_finder.ts";
import type { ProblemNews } from "./problem_board.ts";

/** Lines of one sort in one look. */
const linesMax = 100;

/** Tells of each change of a look. */
export function logChanges(
  log: Logger,
  changes: readonly AppliedChange[],
  finder: PositionFinder,
): void {
  for (const { verb, key, document } of changes.slice(0, linesMax)) {
    log.info("Manifest applied", { verb, object: key, source: sourceOf(document, "", finder) });
  }
  if (changes.length > linesMax) {
    log.info("More manifests applied", { count: changes.length - linesMax });
  }
}

/** Tells of the first look as a whole; `counts` says what was found. */
export function logFirstLook(log: Logger, counts: LogFields): void {
  log.info("Manifests applied", counts);
}

/** Tells what admission had to say of objects that it let in. */
export function logWarnings(
  log: Logger,
  changes: readonly AppliedChange[],
  finder: PositionFinder,
): void {
  const warned = changes.filter(({ warnings }) => warnings.length > 0);
  for (const { key, document, warnings } of warned.slice(0, linesMax)) {
    const source = sourceOf(document, "", finder);
    log.warn("Manifest warning", { object: key, source, warning: warnings.join("; ") });
  }
  if (warned.length > linesMax) {
    log.warn("More manifest warnings", { count: warned.length - linesMax });
  }
}

/** Tells which problems came and went. */
export function logProblems(log: Logger, { appeared, resolved }: ProblemNews): void {
  for (const { message, ...where } of appeared.slice(0, linesMax)) {
    log.warn("Manifest problem", { ...where, problem: message });
  }
  if (appeared.length > linesMax) {
    log.warn("More manifest problems", { count: appeared.length - linesMax });
  }
  for (const { message, ...where } of resolved.slice(0, linesMax)) {
    log.info("Manifest problem resolved", { ...where, problem: message });
  }
  if (resolved.length > linesMax) {
    log.info("More manifest problems resolved", { count: resolved.length - linesMax });
  }
}
