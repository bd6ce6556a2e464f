/** GatewayClass as an input: the controller's name opens the door, the parameters can close it. */

import type { GatewayClass } from "../../kube/decode/gateway_class.ts";
import { identitySlices, type InputKind } from "./input_kind.ts";

/** The slices of a GatewayClass. */
export const gatewayClassInput: InputKind<GatewayClass> = {
  slices: [
    ...identitySlices,
    { name: "spec.controllerName", read: (object) => object.spec.controllerName },
    { name: "spec.parametersRef", read: (object) => object.spec.parametersRef },
  ],
};
