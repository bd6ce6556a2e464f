/**
 * Admission that lets everything in, unless `spec.forbidden` is set; for tests of the store and of
 * the loader, which are not about schemas. It warns of what `spec.warned` lists.
 */

import { asList, isRecord } from "../../src/kube/json_value.ts";
import type { Admission, AdmissionResult } from "../../src/localkube/store_contract.ts";

/** See the file's header. */
export const openAdmission: Admission = {
  admit(_kind, object): AdmissionResult {
    if (!isRecord(object.spec) || object.spec.forbidden === undefined) {
      const warned = isRecord(object.spec) ? asList(object.spec.warned) : [];
      return { ok: true, object, warnings: warned.map(String) };
    }
    const message = "Forbidden: not in this suite";
    const cause = { reason: "FieldValueForbidden", field: "spec.forbidden", message };
    return { ok: false, causes: [cause] };
  },
};
