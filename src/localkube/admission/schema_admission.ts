/**
 * Admission as the API server does it, for the kinds that the local cluster keeps.
 *
 * The answer for an object is that of a real cluster with the Gateway API's definitions installed, so
 * that what works here works there and a fault is told in the same words. Metadata is the store's
 * business and passes unchanged; so is which writes may touch `status`. Pure: the caches of schemas
 * and programs are the only state.
 */

import { apiVersionOf, type KindInfo, type StoredKind, storedKinds } from "../../kube/kinds.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { Admission, AdmissionResult, ObjectInput } from "../store_contract.ts";
import { invalid } from "./field_error.ts";
import { SchemaChecker, type SchemaCheckerOptions } from "./schema_checker.ts";

/** Admits objects by the schemas of their kinds. */
export class SchemaAdmission implements Admission {
  readonly #checker: SchemaChecker;

  constructor(options: SchemaCheckerOptions = {}) {
    this.#checker = new SchemaChecker(options);
  }

  /**
   * The object in the shape of its schema and in the preferred version of its kind, or all its faults.
   * It is checked as the version that it was sent in, and nothing converts it, as in a cluster: what
   * only an older version takes is stored under the preferred one. A version that is not served is a
   * fault of `apiVersion`. Warnings: a deprecated version, unknown fields.
   */
  admit(kind: StoredKind, object: ObjectInput, old: KubeObject | undefined): AdmissionResult {
    const checked = this.#checker.check({ ...object, kind }, old);
    if (checked === undefined) {
      const detail = `no version of ${kind} is served under this name`;
      return { ok: false, causes: [invalid("apiVersion", object.apiVersion, detail)] };
    }
    const { fields, warnings, faults } = checked;
    if (faults.count > 0) return { ok: false, causes: faults.toCauses(), warnings };
    const info: KindInfo = storedKinds[kind];
    const admitted = { ...fields, apiVersion: apiVersionOf(info), kind, metadata: object.metadata };
    return { ok: true, object: admitted, warnings };
  }
}
