/** GRPCRoute as an input: parents, hostnames and rules wake different queries. */

import { identitySlices, type KindSlices, slice } from "./input_kind.ts";

/** The slices of a GRPCRoute by name. */
export const grpcRouteSlices = {
  ...identitySlices("GRPCRoute"),
  parentRefs: slice("GRPCRoute", 3, "spec.parentRefs", (object) => object.spec.parentRefs),
  hostnames: slice("GRPCRoute", 4, "spec.hostnames", (object) => object.spec.hostnames),
  rules: slice("GRPCRoute", 5, "spec.rules", (object) => object.spec.rules),
  useDefaultGateways: slice(
    "GRPCRoute",
    6,
    "spec.useDefaultGateways",
    (object) => object.spec.useDefaultGateways,
  ),
};

/** The same in order. */
export const grpcRouteInput: KindSlices<"GRPCRoute"> = Object.values(grpcRouteSlices);
