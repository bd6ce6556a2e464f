/** Label selectors as `metav1.LabelSelector` defines them: all requirements must hold. */

import type { LabelSelector } from "../../kube/decode/gateway.ts";

type Labels = Readonly<Record<string, string>>;
type Requirement = LabelSelector["matchExpressions"][number];

/** Whether `labels` satisfy `selector`; an empty selector selects everything. */
export function selectorMatches(selector: LabelSelector, labels: Labels): boolean {
  for (const [key, value] of Object.entries(selector.matchLabels)) {
    if (labelOf(labels, key) !== value) return false;
  }
  return selector.matchExpressions.every((requirement) => requirementHolds(requirement, labels));
}

/** What is wrong with `selector`; one that is wrong selects nothing. */
export function describeSelectorFault(selector: LabelSelector): string | undefined {
  for (const { key, operator, values } of selector.matchExpressions) {
    const needsValues = operator === "In" || operator === "NotIn";
    if (!needsValues && operator !== "Exists" && operator !== "DoesNotExist") {
      return `operator "${operator}" for label "${key}" is unknown`;
    }
    if (needsValues !== values.length > 0) {
      return `operator "${operator}" for label "${key}" takes ${needsValues ? "values" : "none"}`;
    }
  }
  return undefined;
}

function requirementHolds({ key, operator, values }: Requirement, labels: Labels): boolean {
  const value = labelOf(labels, key);
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    default:
      return false;
  }
}

function labelOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}
