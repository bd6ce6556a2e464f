/**
 * A desired status as facts: one for each condition and field. Pure.
 *
 * The generation is left out, because it changes with every edit of a spec and says nothing else.
 */

import type {
  DesiredCondition,
  DesiredParentRef,
  DesiredStatus,
} from "../../kube/desired_status.ts";
import { desiredEntries } from "../../kube/entry_list.ts";
import { parseObjectKey } from "../../kube/object.ts";
import { type Facts, noFacts } from "./output_change.ts";

/** The facts of `desired`; none when there is no status. */
export function statusFacts(desired: DesiredStatus | undefined): Facts {
  if (desired === undefined) return noFacts;
  const facts = new Map<string, unknown>();
  const { body } = desired;
  if (body.shape !== "conditions") {
    const { namespace = "" } = parseObjectKey(desired.key);
    const { list, entries } = desiredEntries(body);
    for (const { reference, conditions } of entries) {
      const path = `status.${list.field}[${parentText(reference, namespace)}]`;
      addConditions(facts, path, conditions);
    }
    return facts;
  }
  addConditions(facts, "status", body.conditions);
  for (const [name, value] of Object.entries(body.fields)) {
    if (value !== undefined) facts.set(`status.${name}`, value);
  }
  for (const { name, supportedKinds, attachedRoutes, conditions } of body.listeners ?? []) {
    const path = `status.listeners[${name}]`;
    facts.set(`${path}.attachedRoutes`, attachedRoutes);
    facts.set(`${path}.supportedKinds`, supportedKinds);
    addConditions(facts, path, conditions);
  }
  return facts;
}

function addConditions(
  facts: Map<string, unknown>,
  path: string,
  conditions: readonly DesiredCondition[],
): void {
  for (const { type, status, reason, message } of conditions) {
    facts.set(`${path}.conditions[${type}]`, { status, reason, message });
  }
}

/** `namespace/name`, with `/section` and `:port` where the reference has them. */
export function parentText(
  { kind, namespace, name, sectionName, port }: DesiredParentRef,
  routeNamespace: string,
): string {
  const prefix = kind === undefined || kind === "Gateway" ? "" : `${kind} `;
  const section = sectionName === undefined ? "" : `/${sectionName}`;
  return `${prefix}${namespace ?? routeNamespace}/${name}${section}` +
    (port === undefined ? "" : `:${port}`);
}
