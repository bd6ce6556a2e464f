/** HTTPRoute as an input: parents, hostnames and rules wake different queries. */

import type { HTTPRoute } from "../../kube/decode/http_route.ts";
import { identitySlices, type InputKind } from "./input_kind.ts";

/** The slices of an HTTPRoute. */
export const httpRouteInput: InputKind<HTTPRoute> = {
  slices: [
    ...identitySlices,
    { name: "spec.parentRefs", read: (object) => object.spec.parentRefs },
    { name: "spec.hostnames", read: (object) => object.spec.hostnames },
    { name: "spec.rules", read: (object) => object.spec.rules },
  ],
};
