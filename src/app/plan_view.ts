/** A fork's result as the HTTP API and `weir plan` show it. Pure. */

import type { Plan, PlannedChange } from "../api/plan.ts";
import type { Diagnostic } from "../gateway/diagnostics/diagnostic_codes.ts";
import { outputChanges } from "../gateway/output_diff/output_diff.ts";
import { findTrafficChanges } from "../gateway/plan/traffic_changes.ts";
import { isWorse } from "../gateway/plan/worse.ts";
import type { Problem } from "../localkube/store_contract.ts";
import { showDiagnostic } from "./diagnostics_view.ts";
import type { ForkResult } from "./plan_fork.ts";
import { showTraffic } from "./plan_traffic.ts";
import { redactProblem } from "./redact_secret.ts";

/** Changes that a plan lists, and characters of all of them together. */
const changesMax = 5000;
const changesCharsMax = 8 * 1024 * 1024;
/** Problems, diagnostics and moves of traffic that a plan lists. */
const listedMax = 1000;

/** Codes that mean lost traffic for an object that nobody proposed to change. */
const lossCodes: ReadonlySet<Diagnostic["code"]> = new Set(["RouteShadowed", "RuleShadowed"]);
/** Codes that mean lost traffic, whoever wanted it. */
const faultCodes: ReadonlySet<Diagnostic["code"]> = new Set([
  "CertificateExpired",
  "CertificateNameMismatch",
]);

/** The plan. `problems` are those of the proposal; its own are in `fork`. */
export function toPlan(
  fork: ForkResult,
  baseRevision: string,
  problems: readonly Problem[],
): Plan {
  const { before, after, proposed, newDiagnostics } = fork;
  const isProposed = (object: Parameters<typeof idOf>[0]): boolean => proposed.has(idOf(object));
  const listed = listChanges(fork, isProposed);
  const { changes: moves, isWhole } = findTrafficChanges(before.dataPlane, after.dataPlane);
  const traffic = moves.map((move) => showTraffic(move, isProposed));
  const losses = newDiagnostics.filter((found) =>
    faultCodes.has(found.code) || (lossCodes.has(found.code) && !isProposed(found))
  );
  const worseCount = listed.worseCount + losses.length +
    traffic.filter(({ isWorse }) => isWorse).length;
  const all = [...problems, ...fork.problems];
  const hasChanges = listed.changeCount + traffic.length + newDiagnostics.length > 0;
  return {
    baseRevision,
    verdict: worseCount > 0 ? "worse" : hasChanges ? "changed" : "unchanged",
    changes: listed.changes,
    changeCount: listed.changeCount,
    // Those that hurt come first: they are not to be cut off.
    traffic: traffic.toSorted((a, b) => Number(b.isWorse) - Number(a.isWorse)).slice(0, listedMax),
    trafficCount: traffic.length,
    isTrafficWhole: isWhole,
    worseCount,
    newDiagnostics: newDiagnostics.slice(0, listedMax).map(showDiagnostic),
    problems: all.slice(0, listedMax).map(redactProblem),
    problemCount: all.length,
  };
}

/** Every change is judged; of very many, or very long ones, the first are listed. */
function listChanges(
  { before, after, changes }: ForkResult,
  isProposed: (object: Parameters<typeof idOf>[0]) => boolean,
): Pick<Plan, "changeCount" | "worseCount"> & { readonly changes: readonly PlannedChange[] } {
  const listed: PlannedChange[] = [];
  let changeCount = 0;
  let worseCount = 0;
  let chars = 0;
  for (const change of outputChanges(before, after, changes)) {
    const worse = isWorse(change, isProposed(change));
    changeCount++;
    if (worse) worseCount++;
    if (listed.length >= changesMax || chars >= changesCharsMax) continue;
    chars += JSON.stringify(change).length;
    if (chars < changesCharsMax) listed.push({ ...change, isWorse: worse });
  }
  return { changes: listed, changeCount, worseCount };
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
