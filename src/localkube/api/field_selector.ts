/**
 * Field selectors: `metadata.name=web,metadata.namespace!=kube-system`.
 *
 * As for custom resources, the name and the namespace can be selected by; a Secret also by its type,
 * and a Namespace by its phase. Pure.
 */

import { isRecord } from "../../kube/json_value.ts";
import type { Kind } from "../../kube/kinds.ts";
import type { KubeObject } from "../../kube/object.ts";
import { badRequest } from "./api_status.ts";

/** Whether an object is selected. */
export type FieldSelector = (object: KubeObject) => boolean;

type ReadField = (object: KubeObject) => string;

const commonFields: Readonly<Record<string, ReadField>> = {
  "metadata.name": ({ metadata }) => metadata.name,
  "metadata.namespace": ({ metadata }) => metadata.namespace ?? "",
};

const kindFields: Partial<Record<Kind, Readonly<Record<string, ReadField>>>> = {
  Secret: { type: ({ type }) => String(type ?? "") },
  Namespace: {
    "status.phase": ({ status }) => isRecord(status) ? String(status.phase ?? "") : "",
  },
};

/**
 * Reads a selector; the empty one selects everything.
 *
 * @throws {ApiRefusal} 400
 */
export function parseFieldSelector(kind: Kind, text: string): FieldSelector | undefined {
  if (text === "") return undefined;
  const fields = { ...commonFields, ...kindFields[kind] };
  const terms = text.split(",").filter((term) => term !== "").map((term): FieldSelector => {
    const [, name = "", operator, value = ""] = /^([^=!]+)(==|=|!=)(.*)$/.exec(term) ?? [];
    if (operator === undefined) {
      throw badRequest(`invalid selector: ${JSON.stringify(term.slice(0, 200))}`);
    }
    const read = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!read) throw badRequest(`field label not supported: ${name.slice(0, 200)}`);
    const wanted = value.replace(/\\([\\,=])/g, "$1");
    const wantsEqual = operator !== "!=";
    return (object) => (read(object) === wanted) === wantsEqual;
  });
  return (object) => terms.every((term) => term(object));
}
