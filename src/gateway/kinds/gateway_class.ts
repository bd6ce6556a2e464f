/** GatewayClass as an input: the controller's name opens the door, the parameters can close it. */

import { identitySlices, type KindSlices, slice } from "./input_kind.ts";

/** The slices of a GatewayClass by name. */
export const gatewayClassSlices = {
  ...identitySlices("GatewayClass"),
  controllerName: slice(
    "GatewayClass",
    3,
    "spec.controllerName",
    (object) => object.spec.controllerName,
  ),
  parametersRef: slice(
    "GatewayClass",
    4,
    "spec.parametersRef",
    (object) => object.spec.parametersRef,
  ),
};

/** The same in order. */
export const gatewayClassInput: KindSlices<"GatewayClass"> = Object.values(gatewayClassSlices);
