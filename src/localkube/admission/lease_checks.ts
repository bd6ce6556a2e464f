/**
 * What the API server checks of a Lease beyond its schema (`ValidateLeaseSpec` in Kubernetes). Pure.
 */

import { type Fields, objectAt, textAt } from "./core_fields.ts";
import type { FaultList } from "./fault_list.ts";
import { forbidden, invalid, notSupported } from "./field_error.ts";

/** The strategies of coordinated elections. */
const strategies: readonly string[] = ["OldestEmulationVersion"];

/** Adds what is wrong with a Lease. */
export function checkLease(fields: Fields, faults: FaultList): void {
  const spec = objectAt(fields, "spec");
  const { leaseDurationSeconds, leaseTransitions, strategy } = spec;
  if (typeof leaseDurationSeconds === "number" && leaseDurationSeconds <= 0) {
    const field = "spec.leaseDurationSeconds";
    faults.add(invalid(field, leaseDurationSeconds, "must be greater than 0"));
  }
  if (typeof leaseTransitions === "number" && leaseTransitions < 0) {
    const detail = "must be greater than or equal to 0";
    faults.add(invalid("spec.leaseTransitions", leaseTransitions, detail));
  }
  if (typeof strategy === "string" && !strategies.includes(strategy)) {
    faults.add(notSupported("spec.strategy", strategy, strategies));
  }
  if (textAt(spec, "preferredHolder") !== "" && textAt(spec, "strategy") === "") {
    const detail = "may only be specified if `strategy` is defined";
    faults.add(forbidden("spec.preferredHolder", detail));
  }
}
