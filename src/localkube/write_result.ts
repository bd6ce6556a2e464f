/**
 * The two answers to a write, built in one place.
 */

import type { KubeObject } from "../kube/object.ts";
import type { StatusError, WriteResult } from "./store_contract.ts";

/** Nothing was stored. */
export function refused(error: StatusError, warnings: readonly string[] = []): WriteResult {
  return { ok: false, error, ...(warnings.length === 0 ? {} : { warnings }) };
}

/** `object` is what is stored now; `changed` says whether this write made it so. */
export function written(
  object: KubeObject,
  changed: boolean,
  warnings: readonly string[],
): WriteResult {
  return { ok: true, object, changed, ...(warnings.length === 0 ? {} : { warnings }) };
}
