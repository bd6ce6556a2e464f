/**
 * What the API server does with Kubernetes' own kinds beyond their schemas: defaults that depend on
 * other fields, and validation, which is code there as it is here, in one file for each kind.
 *
 * Values that a controller or an allocator would fill in, such as a cluster IP, are left alone.
 */

import type { Fields } from "./core_fields.ts";
import { checkEndpointSlice } from "./endpoint_slice_checks.ts";
import { checkEvent } from "./event_checks.ts";
import type { FaultList } from "./fault_list.ts";
import { checkLease } from "./lease_checks.ts";
import { checkConfigMap, checkSecret, prepareSecret } from "./secret_checks.ts";
import { checkService, prepareService } from "./service_checks.ts";

/** What is done with objects of one kind. */
export interface CoreChecks {
  /** Fills in defaults that depend on other fields. */
  readonly prepare?: (fields: Fields) => Fields;
  /** Adds what is wrong beyond the schema. `old` is the stored object on an update. */
  readonly check?: (fields: Fields, old: Fields | undefined, faults: FaultList) => void;
}

/** The kinds by name; one without an entry needs no more than its schema. */
export const coreChecks: Readonly<Record<string, CoreChecks>> = {
  Service: { prepare: prepareService, check: checkService },
  EndpointSlice: { check: checkEndpointSlice },
  Secret: { prepare: prepareSecret, check: checkSecret },
  ConfigMap: { check: checkConfigMap },
  Event: { check: (fields, _old, faults) => checkEvent(fields, faults) },
  Lease: { check: (fields, _old, faults) => checkLease(fields, faults) },
};
