/** Namespace as an input: its labels, which listeners select by. */

import type { Namespace } from "../../kube/decode/namespace.ts";
import { identitySlices, type InputKind } from "./input_kind.ts";

/** The slices of a Namespace. */
export const namespaceInput: InputKind<Namespace> = {
  slices: [
    ...identitySlices,
    { name: "metadata.labels", read: (object) => object.metadata.labels },
  ],
};
