/** TLSRoute as an input: parents, hostnames and rules wake different queries. */

import { identitySlices, type KindSlices, slice } from "./input_kind.ts";

/** The slices of a TLSRoute by name. */
export const tlsRouteSlices = {
  ...identitySlices("TLSRoute"),
  parentRefs: slice("TLSRoute", 3, "spec.parentRefs", (object) => object.spec.parentRefs),
  hostnames: slice("TLSRoute", 4, "spec.hostnames", (object) => object.spec.hostnames),
  rules: slice("TLSRoute", 5, "spec.rules", (object) => object.spec.rules),
  useDefaultGateways: slice(
    "TLSRoute",
    6,
    "spec.useDefaultGateways",
    (object) => object.spec.useDefaultGateways,
  ),
};

/** The same in order. */
export const tlsRouteInput: KindSlices<"TLSRoute"> = Object.values(tlsRouteSlices);
