/** BackendTLSPolicy as an input: what it is about, and what it asks for. */

import { identitySlices, type KindSlices, slice } from "./input_kind.ts";

/** The slices of a BackendTLSPolicy by name. */
export const backendTLSPolicySlices = {
  ...identitySlices("BackendTLSPolicy"),
  targetRefs: slice("BackendTLSPolicy", 3, "spec.targetRefs", (object) => object.spec.targetRefs),
  validation: slice("BackendTLSPolicy", 4, "spec.validation", (object) => object.spec.validation),
  options: slice("BackendTLSPolicy", 5, "spec.options", (object) => object.spec.options),
};

/** The same in order. */
export const backendTLSPolicyInput: KindSlices<"BackendTLSPolicy"> = Object.values(
  backendTLSPolicySlices,
);
