/**
 * The events that follow from the change of a stored status: what became good, and what became bad.
 *
 * Compared is what the cluster held before a write with what it holds after it, so a restart, another
 * replica or a status that was right already tells nothing. A condition that stays bad is told again
 * when its reason is another one; of messages alone nothing is told. Good news of listeners are told
 * only where they were bad before. Pure.
 */

import { asList, asString, isRecord } from "../kube/json_value.ts";
import type { KubeObject } from "../kube/object.ts";
import { type EventReason, eventTypes, type GatewayEvent } from "./event_recorder.ts";
import type { StatusKind } from "./outputs.ts";

/** How a condition is told. */
interface ConditionRule {
  readonly bad: "True" | "False";
  readonly badReason: EventReason;
  readonly goodReason?: EventReason;
  /** Good is news also where it was not bad before. */
  readonly isMilestone?: boolean;
}

const programmed: ConditionRule = {
  bad: "False",
  badReason: "NotProgrammed",
  goodReason: "Programmed",
  isMilestone: true,
};

/** Condition types that are told. */
const rules: ReadonlyMap<string, ConditionRule> = new Map<string, ConditionRule>([
  ["Accepted", {
    bad: "False",
    badReason: "NotAccepted",
    goodReason: "Accepted",
    isMilestone: true,
  }],
  ["Programmed", programmed],
  ["weir.dev/Programmed", programmed],
  ["ResolvedRefs", { bad: "False", badReason: "UnresolvedRefs", goodReason: "ResolvedRefs" }],
  ["Conflicted", { bad: "True", badReason: "Conflicted", goodReason: "NoConflicts" }],
  ["PartiallyInvalid", { bad: "True", badReason: "PartiallyInvalid" }],
  ["OverlappingTLSConfig", { bad: "True", badReason: "OverlappingTLSConfig" }],
  ["SupportedVersion", { bad: "False", badReason: "UnsupportedVersion" }],
  ["weir.dev/Shadowed", { bad: "True", badReason: "Shadowed" }],
]);

interface Condition {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** Conditions of one thing within a status: the object, a listener, a parent. */
interface Scope {
  /** Stands before a note. */
  readonly label: string;
  readonly isListener: boolean;
  readonly conditions: ReadonlyMap<string, Condition>;
}

/** The events about the object `after`, which was `before` before its status was written. */
export function conditionEvents(
  kind: StatusKind,
  before: KubeObject,
  after: KubeObject,
  controllerName: string,
): readonly GatewayEvent[] {
  const known = new Map(scopesOf(before, controllerName).map((scope) => [scope.label, scope]));
  const { name, namespace, uid } = after.metadata;
  const place = namespace === undefined ? {} : { namespace };
  const regarding = { kind, ...place, name, uid };
  const events: GatewayEvent[] = [];
  for (const scope of scopesOf(after, controllerName)) {
    for (const [conditionType, rule] of rules) {
      const now = scope.conditions.get(conditionType);
      if (now === undefined) continue;
      const reason = newsOf(
        known.get(scope.label)?.conditions.get(conditionType),
        now,
        rule,
        scope,
      );
      if (reason === undefined) continue;
      const type = eventTypes[reason];
      const cause = type === "Normal" || now.reason === reason ? "" : `${now.reason}: `;
      const note = `${scope.label}${cause}${now.message}`;
      events.push({ regarding, type, reason, action: "UpdateStatus", note });
    }
  }
  return events;
}

function newsOf(
  before: Condition | undefined,
  now: Condition,
  { bad, badReason, goodReason, isMilestone = false }: ConditionRule,
  { isListener }: Scope,
): EventReason | undefined {
  const wasBad = before?.status === bad;
  if (now.status === bad) return wasBad && before.reason === now.reason ? undefined : badReason;
  const isGood = now.status === (bad === "True" ? "False" : "True");
  if (!isGood || before?.status === now.status) return undefined;
  return wasBad || (isMilestone && !isListener) ? goodReason : undefined;
}

function scopesOf({ status }: KubeObject, controllerName: string): readonly Scope[] {
  if (!isRecord(status)) return [];
  const isOurs = (entry: unknown) => isRecord(entry) && entry.controllerName === controllerName;
  return [
    { label: "", isListener: false, conditions: conditionsOf(status) },
    ...asList(status.listeners).map((listener) => ({
      label: `Listener "${isRecord(listener) ? asString(listener.name) : ""}": `,
      isListener: true,
      conditions: conditionsOf(listener),
    })),
    ...[...asList(status.parents), ...asList(status.ancestors)].filter(isOurs).map((entry) => ({
      label: referenceLabel(entry),
      isListener: false,
      conditions: conditionsOf(entry),
    })),
  ];
}

function referenceLabel(entry: unknown): string {
  const record = isRecord(entry) ? entry : {};
  const reference = record.parentRef ?? record.ancestorRef;
  if (!isRecord(reference)) return "";
  const { kind = "Gateway", namespace, name, sectionName, port } = reference;
  const place = namespace === undefined ? "" : `${namespace}/`;
  const section = sectionName === undefined ? "" : ` section "${sectionName}"`;
  const where = port === undefined ? section : `${section} port ${port}`;
  return `${kind} "${place}${name}"${where}: `;
}

function conditionsOf(holder: unknown): ReadonlyMap<string, Condition> {
  const conditions = new Map<string, Condition>();
  for (const condition of asList(isRecord(holder) ? holder.conditions : undefined)) {
    if (!isRecord(condition)) continue;
    const { type, status, reason, message } = condition;
    conditions.set(asString(type) ?? "", {
      status: asString(status) ?? "",
      reason: asString(reason) ?? "",
      message: asString(message) ?? "",
    });
  }
  return conditions;
}
