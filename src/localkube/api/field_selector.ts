/**
 * Field selectors: `metadata.name=web,metadata.namespace!=kube-system`.
 *
 * As for custom resources, the name and the namespace can be selected by; kinds of Kubernetes itself
 * also by what their clients ask for: an Event by the object that it is about. Pure.
 */

import { isRecord } from "../../kube/json_value.ts";
import type { StoredKind } from "../../kube/kinds.ts";
import type { KubeObject } from "../../kube/object.ts";
import { badRequest } from "./api_status.ts";

/** Whether an object is selected. */
export type FieldSelector = (object: KubeObject) => boolean;

type ReadField = (object: KubeObject) => string;

const commonFields: Readonly<Record<string, ReadField>> = {
  "metadata.name": ({ metadata }) => metadata.name,
  "metadata.namespace": ({ metadata }) => metadata.namespace ?? "",
};

/** The fields of an object reference, under the names that Events have for it in their two groups. */
const aboutFields = [
  "kind",
  "namespace",
  "name",
  "uid",
  "apiVersion",
  "resourceVersion",
  "fieldPath",
]
  .flatMap((name): readonly [string, ReadField][] => {
    const read: ReadField = ({ involvedObject }) => textAt(involvedObject, name);
    return [[`involvedObject.${name}`, read], [`regarding.${name}`, read]];
  });

function textAt(value: unknown, name: string): string {
  return isRecord(value) ? String(value[name] ?? "") : "";
}

const readReporter: ReadField = ({ reportingComponent }) => String(reportingComponent ?? "");

const kindFields: Partial<Record<StoredKind, Readonly<Record<string, ReadField>>>> = {
  Secret: { type: ({ type }) => String(type ?? "") },
  Namespace: { "status.phase": ({ status }) => textAt(status, "phase") },
  Pod: {
    "spec.nodeName": ({ spec }) => textAt(spec, "nodeName"),
    "status.phase": ({ status }) => textAt(status, "phase"),
  },
  Event: {
    ...Object.fromEntries(aboutFields),
    reason: ({ reason }) => String(reason ?? ""),
    type: ({ type }) => String(type ?? ""),
    source: ({ source, reportingComponent }) =>
      textAt(source, "component") || String(reportingComponent ?? ""),
    reportingComponent: readReporter,
    reportingController: readReporter,
  },
};

/** Kinds for which the API server has no words of its own. */
const plainKinds: readonly StoredKind[] = ["ConfigMap", "EndpointSlice", "Lease"];

function unknownField(kind: StoredKind, name: string): string {
  if (!plainKinds.includes(kind)) return `field label not supported: ${name}`;
  const known = Object.keys(commonFields).map((one) => JSON.stringify(one)).join(", ");
  return `${JSON.stringify(name)} is not a known field selector: only ${known}`;
}

/**
 * Reads a selector; the empty one selects everything.
 *
 * @throws {ApiRefusal} 400
 */
export function parseFieldSelector(kind: StoredKind, text: string): FieldSelector | undefined {
  if (text === "") return undefined;
  const fields = { ...commonFields, ...kindFields[kind] };
  const terms = text.split(",").filter((term) => term !== "").map((term): FieldSelector => {
    const [, name = "", operator, value = ""] = /^([^=!]+)(==|=|!=)(.*)$/.exec(term) ?? [];
    if (operator === undefined) {
      throw badRequest(`invalid selector: ${JSON.stringify(term.slice(0, 200))}`);
    }
    const read = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!read) throw badRequest(unknownField(kind, name.slice(0, 200)));
    const wanted = value.replace(/\\([\\,=])/g, "$1");
    const wantsEqual = operator !== "!=";
    return (object) => (read(object) === wanted) === wantsEqual;
  });
  return (object) => terms.every((term) => term(object));
}
