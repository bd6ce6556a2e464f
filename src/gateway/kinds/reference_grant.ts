/** ReferenceGrant as an input. */

import { identitySlices, type KindSlices, slice } from "./input_kind.ts";

/** The slices of a ReferenceGrant by name. */
const referenceGrantSlices = {
  ...identitySlices("ReferenceGrant"),
  from: slice("ReferenceGrant", 3, "spec.from", (object) => object.spec.from),
  to: slice("ReferenceGrant", 4, "spec.to", (object) => object.spec.to),
};

/** The same in order. */
export const referenceGrantInput: KindSlices<"ReferenceGrant"> = Object.values(
  referenceGrantSlices,
);
