/**
 * Why something is not as its spec asks: a condition's reason and message before it is a condition.
 */

import type { DesiredCondition } from "../../kube/desired_status.ts";

/** See the file's header. */
export interface Finding {
  /** In CamelCase, from the Gateway API where it names one. */
  readonly reason: string;
  readonly message: string;
}

/** A condition that holds. */
export function trueCondition(type: string, reason: string, message: string): DesiredCondition {
  return { type, status: "True", reason, message };
}

/** `holds`, or its contrary with the fault's reason and message. */
export function conditionUnless(
  fault: Finding | undefined,
  holds: DesiredCondition,
): DesiredCondition {
  return fault ? conditionOf(holds.type, "False", fault) : holds;
}

/** A condition that says what was found. */
export function conditionOf(
  type: string,
  status: DesiredCondition["status"],
  finding: Finding,
): DesiredCondition {
  return { type, status, reason: finding.reason, message: finding.message };
}

/** Several findings in one: the first gives the reason, all are told. */
export function joinFindings(findings: readonly Finding[]): Finding | undefined {
  const [first] = findings;
  if (!first || findings.length === 1) return first;
  return { reason: first.reason, message: findings.map(({ message }) => message).join("; ") };
}

/** `findings` without those that say the same. */
export function uniqueFindings(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length < 2) return findings;
  const byMessage = new Map(findings.map((finding) => [finding.message, finding]));
  return [...byMessage.values()];
}

/** Names for a message: `"a", "b"`. */
export function quoteAll(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
