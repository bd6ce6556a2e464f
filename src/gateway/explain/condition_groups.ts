/** The conditions of a status by what they are about: the object, a listener, a parent. Pure. */

import type {
  DesiredCondition,
  DesiredParentRef,
  DesiredStatus,
} from "../../kube/desired_status.ts";
import { desiredEntries } from "../../kube/entry_list.ts";
import { parseObjectKey } from "../../kube/object.ts";
import { parentText } from "../output_diff/status_facts.ts";

/** Conditions about one thing. */
export interface ConditionGroup {
  /** Unique within the status. */
  readonly id: string;
  /** Absent: not about a listener. */
  readonly listener?: string;
  /** Absent: not about a parent of a route. */
  readonly parentRef?: DesiredParentRef;
  /** Absent: not about an ancestor of a policy. */
  readonly ancestorRef?: DesiredParentRef;
  readonly conditions: readonly DesiredCondition[];
}

/** Every group of `status`, in its order; conditions of the object itself come first. */
export function conditionGroups({ key, body }: DesiredStatus): readonly ConditionGroup[] {
  if (body.shape !== "conditions") {
    const { namespace = "" } = parseObjectKey(key);
    const { list, entries } = desiredEntries(body);
    return entries.map(({ reference, conditions }) => ({
      id: `${list.field}[${parentText(reference, namespace)}]`,
      ...(body.shape === "parents" ? { parentRef: reference } : { ancestorRef: reference }),
      conditions,
    }));
  }
  const listeners = body.listeners?.map(({ name, conditions }) => ({
    id: `listeners[${name}]`,
    listener: name,
    conditions,
  }));
  return [{ id: "", conditions: body.conditions }, ...listeners ?? []];
}
