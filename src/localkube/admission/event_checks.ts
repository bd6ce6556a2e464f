/**
 * What the API server checks of an Event beyond its schema (`ValidateEventCreate` in Kubernetes, the
 * part that holds for every version): that it stands with the object that it is about, and what a new
 * style one, which has `eventTime`, must say of its reporter. Pure.
 */

import { asString, isRecord } from "../../kube/json_value.ts";
import { checkQualifiedName } from "../name_formats.ts";
import { type Fields, objectAt, textAt } from "./core_fields.ts";
import type { FaultList } from "./fault_list.ts";
import { invalid, required } from "./field_error.ts";

/** The lengths that new style Events may have, in bytes. */
const lengthsMax: readonly (readonly [field: string, max: number])[] = [
  ["reportingInstance", 128],
  ["action", 128],
  ["reason", 128],
  ["message", 1024],
];

/** Where Events about objects outside of namespaces are. */
const clusterNamespaces: readonly string[] = ["default", "kube-system"];

/** Adds what is wrong with an Event in the form of core v1. */
export function checkEvent(fields: Fields, faults: FaultList): void {
  const isNewStyle = typeof fields.eventTime === "string";
  checkPlace(fields, isNewStyle, faults);
  if (!isNewStyle) return;
  const reporter = textAt(fields, "reportingComponent");
  if (reporter === "") faults.add(required("reportingComponent"));
  for (const detail of checkQualifiedName(reporter)) {
    faults.add(invalid("reportingComponent", reporter, detail));
  }
  for (const name of ["reportingInstance", "action", "reason"]) {
    if (textAt(fields, name) === "") faults.add(required(name));
  }
  for (const [name, max] of lengthsMax) {
    if (new TextEncoder().encode(textAt(fields, name)).length <= max) continue;
    faults.add(invalid(name, "", `can have at most ${max} characters`));
  }
}

function checkPlace(fields: Fields, isNewStyle: boolean, faults: FaultList): void {
  const { metadata } = fields;
  const own = isRecord(metadata) ? asString(metadata.namespace) ?? "" : "";
  const about = textAt(objectAt(fields, "involvedObject"), "namespace");
  const isRight = about === ""
    ? own === "default" || (isNewStyle && clusterNamespaces.includes(own))
    // Only old style ones have to be beside their object.
    : isNewStyle || about === own;
  if (isRight) return;
  faults.add(invalid("involvedObject.namespace", about, "does not match event.namespace"));
}
