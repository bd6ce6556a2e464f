/** UDPRoute as an input: parents and rules wake different queries. */

import { identitySlices, type KindSlices, slice } from "./input_kind.ts";

/** The slices of a UDPRoute by name. */
export const udpRouteSlices = {
  ...identitySlices("UDPRoute"),
  parentRefs: slice("UDPRoute", 3, "spec.parentRefs", (object) => object.spec.parentRefs),
  rules: slice("UDPRoute", 4, "spec.rules", (object) => object.spec.rules),
  useDefaultGateways: slice(
    "UDPRoute",
    5,
    "spec.useDefaultGateways",
    (object) => object.spec.useDefaultGateways,
  ),
};

/** The same in order. */
export const udpRouteInput: KindSlices<"UDPRoute"> = Object.values(udpRouteSlices);
