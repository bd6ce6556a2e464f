/** Gateway as an input. Its status is no slice: what weir wrote itself never wakes it. */

import type { Gateway } from "../../kube/decode/gateway.ts";
import { identitySlices, type InputKind } from "./input_kind.ts";

/** The slices of a Gateway. */
export const gatewayInput: InputKind<Gateway> = {
  slices: [
    ...identitySlices,
    { name: "spec.gatewayClassName", read: (object) => object.spec.gatewayClassName },
    { name: "spec.listeners", read: (object) => object.spec.listeners },
    { name: "spec.addresses", read: (object) => object.spec.addresses },
    { name: "spec.infrastructure", read: (object) => object.spec.infrastructure },
    { name: "spec.tls", read: (object) => object.spec.tls },
    { name: "spec.defaultScope", read: (object) => object.spec.defaultScope },
  ],
};
