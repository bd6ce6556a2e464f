/** Whether a reference into another namespace is allowed (Gateway API, ReferenceGrant). */

import type { ObjectKey } from "../../kube/object.ts";
import type { ReferenceGrant } from "../../kube/decode/reference_grant.ts";
import type { InputReader } from "../input_reader.ts";

/** The object that refers. */
export interface Referrer {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
}

/** The object that is referred to. */
export interface Referent {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Within one namespace always; across namespaces when a grant beside the referent says so. */
export function isReferenceAllowed(reader: InputReader, from: Referrer, to: Referent): boolean {
  if (from.namespace === to.namespace) return true;
  return reader.grantsInNamespace(to.namespace).some((key: ObjectKey) => {
    const grant = reader.get("ReferenceGrant", key);
    return grant !== undefined && grants(grant, from, to);
  });
}

function grants({ spec }: ReferenceGrant, from: Referrer, to: Referent): boolean {
  const isFrom = spec.from.some((entry) =>
    entry.group === from.group && entry.kind === from.kind && entry.namespace === from.namespace
  );
  return isFrom && spec.to.some((entry) =>
    entry.group === to.group && entry.kind === to.kind &&
    (entry.name === undefined || entry.name === "" || entry.name === to.name)
  );
}
