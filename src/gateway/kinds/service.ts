/** Service as an input. */

import { identitySlices, type KindSlices, slice } from "./input_kind.ts";

/** The slices of a Service by name. */
export const serviceSlices = {
  ...identitySlices("Service"),
  type: slice("Service", 3, "spec.type", (object) => object.spec.type),
  clusterIP: slice("Service", 4, "spec.clusterIP", (object) => object.spec.clusterIP),
  externalName: slice("Service", 5, "spec.externalName", (object) => object.spec.externalName),
  ports: slice("Service", 6, "spec.ports", (object) => object.spec.ports),
  annotatedEndpoints: slice(
    "Service",
    7,
    "metadata.annotations",
    (object) => object.annotatedEndpoints,
  ),
  loadBalancers: slice(
    "Service",
    8,
    "status.loadBalancer",
    (object) => object.loadBalancers,
  ),
};

/** The same in order. */
export const serviceInput: KindSlices<"Service"> = Object.values(serviceSlices);
