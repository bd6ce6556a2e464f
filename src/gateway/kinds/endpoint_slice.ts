/** EndpointSlice as an input: ports and the addresses that are ready. */

import type { EndpointSlice } from "../../kube/decode/endpoint_slice.ts";
import { identitySlices, type InputKind } from "./input_kind.ts";

/** The slices of an EndpointSlice. */
export const endpointSliceInput: InputKind<EndpointSlice> = {
  slices: [
    ...identitySlices,
    { name: "metadata.labels", read: (object) => object.serviceName },
    { name: "addressType", read: (object) => object.addressType },
    { name: "ports", read: (object) => object.ports },
    { name: "endpoints", read: (object) => object.readyAddresses },
  ],
};
