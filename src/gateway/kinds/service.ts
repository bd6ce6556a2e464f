/** Service as an input. */

import type { Service } from "../../kube/decode/service.ts";
import { identitySlices, type InputKind } from "./input_kind.ts";

/** The slices of a Service. */
export const serviceInput: InputKind<Service> = {
  slices: [
    ...identitySlices,
    { name: "spec.type", read: (object) => object.spec.type },
    { name: "spec.clusterIP", read: (object) => object.spec.clusterIP },
    { name: "spec.externalName", read: (object) => object.spec.externalName },
    { name: "spec.ports", read: (object) => object.spec.ports },
    { name: "metadata.annotations", read: (object) => object.annotatedEndpoints },
  ],
};
