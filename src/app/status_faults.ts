/**
 * What a desired status says does not work, as fields for the log. Pure.
 *
 * The judgement is that of `weir check`: what is a warning there is a fault here.
 */

import type { LogFields } from "../base/log.ts";
import { isBad, parentTitle } from "../cli/status_view.ts";
import type { DesiredCondition, DesiredStatus } from "../kube/desired_status.ts";
import { desiredEntries } from "../kube/entry_list.ts";
import { parseObjectKey } from "../kube/object.ts";

/** The faults of one object: what each is about, to what the log is told. */
export type Faults = ReadonlyMap<string, LogFields>;

/** The faults that `desired` tells. Conditions of one part that have one cause are one fault. */
export function faultsOf(desired: DesiredStatus): Faults {
  const { kind, key, body } = desired;
  const faults = new Map<string, LogFields>();
  const object = `${kind} ${key}`;
  if (body.shape !== "conditions") {
    const { namespace } = parseObjectKey(key);
    const { list, entries } = desiredEntries(body);
    for (const { reference, conditions } of entries) {
      const part = `${list.noun} ${parentTitle({ ...reference }, namespace)}`;
      addFaults(faults, object, part, conditions);
    }
    return faults;
  }
  addFaults(faults, object, "", body.conditions);
  for (const { name, conditions } of body.listeners ?? []) {
    addFaults(faults, object, `listener ${name}`, conditions);
  }
  return faults;
}

function addFaults(
  faults: Map<string, LogFields>,
  object: string,
  part: string,
  conditions: readonly DesiredCondition[],
): void {
  const byCause = new Map<string, DesiredCondition[]>();
  for (const condition of conditions) {
    if (!isBad(condition)) continue;
    const cause = `${condition.reason} ${condition.message}`;
    const same = byCause.get(cause);
    if (same === undefined) byCause.set(cause, [condition]);
    else same.push(condition);
  }
  for (const same of byCause.values()) {
    const [{ reason, message } = { reason: "", message: "" }] = same;
    const condition = same.map(({ type, status }) => `${type}=${status}`).join(",");
    faults.set(`${part} ${condition}`, { object, part, condition, reason, problem: message });
  }
}
