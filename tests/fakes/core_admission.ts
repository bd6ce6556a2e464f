/** Runs the checks of one object and tells the outcome as plain values. */

import type { KubeObject } from "../../src/kube/object.ts";
import { SchemaChecker } from "../../src/localkube/admission/schema_checker.ts";

/** What became of an object: its own fields and the warnings, or its faults as `FIELD MESSAGE`. */
export interface CoreOutcome {
  readonly object?: Record<string, unknown>;
  readonly warnings?: readonly string[];
  readonly causes?: readonly string[];
}

const checker = new SchemaChecker();
const metadata = { name: "a", namespace: "default" };

/** Checks an object of a kind with these fields, as a create or as an update of `old`. */
export function admitCore(
  kind: string,
  apiVersion: string,
  fields: Record<string, unknown>,
  old?: Record<string, unknown>,
): CoreOutcome {
  const stored: KubeObject | undefined = old === undefined ? undefined : {
    ...old,
    apiVersion,
    kind,
    metadata: { ...metadata, uid: "u", resourceVersion: "1", creationTimestamp: "" },
  };
  const checked = checker.check({ apiVersion, kind, metadata, ...fields }, stored);
  if (checked === undefined) throw new Error(`no schema for ${apiVersion} ${kind}`);
  const causes = checked.faults.toCauses();
  if (causes.length > 0) {
    return { causes: causes.map(({ field, message }) => `${field} ${message}`) };
  }
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...object } = checked.fields;
  return { object, warnings: checked.warnings };
}
