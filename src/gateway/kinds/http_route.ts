/** HTTPRoute as an input: parents, hostnames and rules wake different queries. */

import { identitySlices, type KindSlices, slice } from "./input_kind.ts";

/** The slices of an HTTPRoute by name. */
export const httpRouteSlices = {
  ...identitySlices("HTTPRoute"),
  parentRefs: slice("HTTPRoute", 3, "spec.parentRefs", (object) => object.spec.parentRefs),
  hostnames: slice("HTTPRoute", 4, "spec.hostnames", (object) => object.spec.hostnames),
  rules: slice("HTTPRoute", 5, "spec.rules", (object) => object.spec.rules),
  useDefaultGateways: slice(
    "HTTPRoute",
    6,
    "spec.useDefaultGateways",
    (object) => object.spec.useDefaultGateways,
  ),
};

/** The same in order. */
export const httpRouteInput: KindSlices<"HTTPRoute"> = Object.values(httpRouteSlices);
