/** Gateway as an input. Its status is no slice: what weir wrote itself never wakes it. */

import { identitySlices, type KindSlices, slice } from "./input_kind.ts";

/** The slices of a Gateway by name. */
export const gatewaySlices = {
  ...identitySlices("Gateway"),
  gatewayClassName: slice(
    "Gateway",
    3,
    "spec.gatewayClassName",
    (object) => object.spec.gatewayClassName,
  ),
  listeners: slice("Gateway", 4, "spec.listeners", (object) => object.spec.listeners),
  addresses: slice("Gateway", 5, "spec.addresses", (object) => object.spec.addresses),
  infrastructure: slice(
    "Gateway",
    6,
    "spec.infrastructure",
    (object) => object.spec.infrastructure,
  ),
  tls: slice("Gateway", 7, "spec.tls", (object) => object.spec.tls),
  defaultScope: slice("Gateway", 8, "spec.defaultScope", (object) => object.spec.defaultScope),
  allowedListeners: slice(
    "Gateway",
    9,
    "spec.allowedListeners",
    (object) => object.spec.allowedListeners,
  ),
};

/** The same in order. */
export const gatewayInput: KindSlices<"Gateway"> = Object.values(gatewaySlices);
