/** ReferenceGrant as an input. */

import type { ReferenceGrant } from "../../kube/decode/reference_grant.ts";
import { identitySlices, type InputKind } from "./input_kind.ts";

/** The slices of a ReferenceGrant. */
export const referenceGrantInput: InputKind<ReferenceGrant> = {
  slices: [
    ...identitySlices,
    { name: "spec.from", read: (object) => object.spec.from },
    { name: "spec.to", read: (object) => object.spec.to },
  ],
};
