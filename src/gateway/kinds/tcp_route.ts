/** TCPRoute as an input: parents and rules wake different queries. */

import { identitySlices, type KindSlices, slice } from "./input_kind.ts";

/** The slices of a TCPRoute by name. */
export const tcpRouteSlices = {
  ...identitySlices("TCPRoute"),
  parentRefs: slice("TCPRoute", 3, "spec.parentRefs", (object) => object.spec.parentRefs),
  rules: slice("TCPRoute", 4, "spec.rules", (object) => object.spec.rules),
  useDefaultGateways: slice(
    "TCPRoute",
    5,
    "spec.useDefaultGateways",
    (object) => object.spec.useDefaultGateways,
  ),
};

/** The same in order. */
export const tcpRouteInput: KindSlices<"TCPRoute"> = Object.values(tcpRouteSlices);
