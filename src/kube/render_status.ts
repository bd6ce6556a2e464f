/**
 * A desired status in the shape of the API, for those who print it instead of storing it.
 *
 * The same fields, limits and orders as a first write would have, except that conditions carry no
 * transition time: the output of `weir translate` depends on its input alone.
 */

import { conditionsMax, limitMessage } from "./condition_merge.ts";
import type {
  AncestorsStatus,
  DesiredCondition,
  DesiredParentRef,
  DesiredStatus,
  ParentsStatus,
} from "./desired_status.ts";
import { desiredEntries } from "./entry_list.ts";
import { entrySortKey } from "./entry_merge.ts";
import { compareStrings, type JsonRecord } from "./json_value.ts";
import { listenersMax } from "./listener_merge.ts";
import { parseObjectKey } from "./object.ts";
import { limitField } from "./status_merge.ts";

/** `desired` as the API's `status`, with keys in one order for ever. */
export function renderStatus(desired: DesiredStatus): JsonRecord {
  const { body, generation } = desired;
  if (body.shape !== "conditions") {
    return renderEntries(body, parseObjectKey(desired.key).namespace ?? "", generation);
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

function renderEntries(
  body: ParentsStatus | AncestorsStatus,
  namespace: string,
  generation: number,
): JsonRecord {
  const { list, controllerName, entries } = desiredEntries(body);
  const sortKey = (ref: DesiredParentRef): string => entrySortKey(ref, namespace) ?? "";
  return {
    [list.field]: entries.filter(({ conditions }) => conditions.length > 0)
      .sort((a, b) => compareStrings(sortKey(a.reference), sortKey(b.reference)))
      .slice(0, list.entriesMax)
      .map(({ reference, conditions }) => ({
        [list.reference]: renderParentRef(reference),
        controllerName,
        conditions: renderConditions(conditions, generation),
      })),
  };
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
