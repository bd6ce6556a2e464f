/**
 * Events in both of their groups: kept in the form of core v1, shown and taken in that of
 * `events.k8s.io/v1` as well. The two differ in names of fields only (`k8s.io/api/events/v1`). Pure.
 */

import type { KubeObject } from "../../kube/object.ts";
import type { ObjectInput } from "../store_contract.ts";

/** The second home of Events. */
export const eventsVersion = "events.k8s.io/v1";

/** Core v1's name of a field, then the other. */
const names: readonly (readonly [core: string, other: string])[] = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["reportingComponent", "reportingController"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
  ["source", "deprecatedSource"],
];
const toOther = new Map(names);
const toCore = new Map(names.map(([core, other]) => [other, core]));

/** A stored Event as `events.k8s.io/v1` shows it. */
export function toEventsVersion(event: KubeObject): KubeObject {
  const { kind, metadata } = event;
  return { ...renamed(event, toOther), apiVersion: eventsVersion, kind, metadata };
}

/** An Event of `events.k8s.io/v1` as it is stored. */
export function fromEventsVersion(event: ObjectInput): ObjectInput {
  const { kind, metadata } = event;
  return { ...renamed(event, toCore), apiVersion: "v1", kind, metadata };
}

function renamed(
  fields: Readonly<Record<string, unknown>>,
  to: ReadonlyMap<string, string>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [to.get(name) ?? name, value]),
  );
}
