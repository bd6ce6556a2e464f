/** A fork's result as the HTTP API and `weir plan` show it. Pure. */

import type { Plan, PlannedChange } from "../api/plan.ts";
import type { Diagnostic } from "../gateway/diagnostics/diagnostic_codes.ts";
import { outputChanges } from "../gateway/output_diff/output_diff.ts";
import { isWorse } from "../gateway/plan/worse.ts";
import type { Problem } from "../localkube/store_contract.ts";
import { showDiagnostic } from "./diagnostics_view.ts";
import type { ForkResult } from "./plan_fork.ts";
import { redactProblem } from "./redact_secret.ts";

/** Changes that a plan lists. */
const changesMax = 5000;
/** Problems and diagnostics that a plan lists. */
const listedMax = 1000;

/** Codes that mean lost traffic for an object that nobody proposed to change. */
const lossCodes: ReadonlySet<Diagnostic["code"]> = new Set(["RouteShadowed", "RuleShadowed"]);

/** The plan. `problems` are those of the proposal; its own are in `fork`. */
export function toPlan(
  fork: ForkResult,
  baseRevision: string,
  problems: readonly Problem[],
): Plan {
  const { before, after, proposed, newDiagnostics } = fork;
  const changes: PlannedChange[] = [];
  let changeCount = 0;
  let worseCount = 0;
  for (const change of outputChanges(before, after, fork.changes)) {
    const isProposed = proposed.has(idOf(change));
    const worse = isWorse(change, isProposed);
    changeCount++;
    if (worse) worseCount++;
    if (changes.length < changesMax) changes.push({ ...change, isWorse: worse });
  }
  const losses = newDiagnostics.filter((found) =>
    lossCodes.has(found.code) && !proposed.has(idOf(found))
  );
  worseCount += losses.length;
  const all = [...problems, ...fork.problems];
  return {
    baseRevision,
    verdict: worseCount > 0
      ? "worse"
      : changeCount > 0 || newDiagnostics.length > 0
      ? "changed"
      : "unchanged",
    changes,
    changeCount,
    worseCount,
    newDiagnostics: newDiagnostics.slice(0, listedMax).map(showDiagnostic),
    problems: all.slice(0, listedMax).map(redactProblem),
    problemCount: all.length,
  };
}

/** As the fork names what was proposed. */
function idOf(
  { kind, namespace, name }: {
    readonly kind: string;
    readonly namespace?: string;
    readonly name: string;
  },
): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
