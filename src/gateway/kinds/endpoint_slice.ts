/** EndpointSlice as an input: ports, the addresses that are ready, and those that drain. */

import { identitySlices, type KindSlices, slice } from "./input_kind.ts";

/** The slices of an EndpointSlice by name. */
const endpointSliceSlices = {
  ...identitySlices("EndpointSlice"),
  serviceName: slice("EndpointSlice", 3, "metadata.labels", (object) => object.serviceName),
  addressType: slice("EndpointSlice", 4, "addressType", (object) => object.addressType),
  ports: slice("EndpointSlice", 5, "ports", (object) => object.ports),
  endpoints: slice("EndpointSlice", 6, "endpoints", (object) => object.readyAddresses),
  drainingEndpoints: slice("EndpointSlice", 7, "endpoints", (object) => object.drainingAddresses),
};

/** The same in order. */
export const endpointSliceInput: KindSlices<"EndpointSlice"> = Object.values(endpointSliceSlices);
