/**
 * A desired status in the shape of the API, for those who print it instead of storing it.
 *
 * The same fields, limits and orders as a first write would have, except that conditions carry no
 * transition time: the output of `weir translate` depends on its input alone.
 */

import { conditionsMax, limitMessage } from "./condition_merge.ts";
import type { DesiredCondition, DesiredParentRef, DesiredStatus } from "./desired_status.ts";
import { compareStrings, type JsonRecord } from "./json_value.ts";
import { listenersMax } from "./listener_merge.ts";
import { parseObjectKey } from "./object.ts";
import { parentsMax, parentSortKey } from "./parent_merge.ts";
import { limitField } from "./status_merge.ts";

/** `desired` as the API's `status`, with keys in one order for ever. */
export function renderStatus(desired: DesiredStatus): JsonRecord {
  const { body, generation } = desired;
  if (body.shape === "parents") {
    const namespace = parseObjectKey(desired.key).namespace ?? "";
    const sortKey = (ref: DesiredParentRef): string => parentSortKey(ref, namespace) ?? "";
    return {
      parents: body.parents.filter((parent) => parent.conditions.length > 0)
        .sort((a, b) => compareStrings(sortKey(a.parentRef), sortKey(b.parentRef)))
        .slice(0, parentsMax)
        .map(({ parentRef, conditions }) => ({
          parentRef: renderParentRef(parentRef),
          controllerName: body.controllerName,
          conditions: renderConditions(conditions, generation),
        })),
    };
  }
  const status: Record<string, unknown> = {
    conditions: renderConditions(body.conditions, generation),
  };
  for (const [name, field] of Object.entries(body.fields)) {
    const { value } = limitField(name, field);
    if (value !== undefined) status[name] = value;
  }
  if (body.listeners !== undefined) {
    status.listeners = body.listeners.slice(0, listenersMax).map((listener) => ({
      name: listener.name,
      supportedKinds: listener.supportedKinds,
      attachedRoutes: listener.attachedRoutes,
      conditions: renderConditions(listener.conditions, generation),
    }));
  }
  return Object.fromEntries(Object.entries(status).sort(([a], [b]) => compareStrings(a, b)));
}

function renderConditions(
  conditions: readonly DesiredCondition[],
  observedGeneration: number,
): readonly JsonRecord[] {
  return [...conditions].sort((a, b) => compareStrings(a.type, b.type)).slice(0, conditionsMax)
    .map(({ type, status, reason, message }) => ({
      type,
      status,
      reason,
      message: limitMessage(message),
      observedGeneration,
    }));
}

/** The reference with its fields in the order of the API's documentation. */
function renderParentRef(ref: DesiredParentRef): JsonRecord {
  const { group, kind, namespace, name, sectionName, port } = ref;
  const entries = Object.entries({ group, kind, namespace, name, sectionName, port });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
