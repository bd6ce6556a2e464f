/** Namespace as an input: its labels, which listeners select by. */

import { identitySlices, type KindSlices, slice } from "./input_kind.ts";

/** The slices of a Namespace by name. */
export const namespaceSlices = {
  ...identitySlices("Namespace"),
  labels: slice("Namespace", 3, "metadata.labels", (object) => object.metadata.labels),
};

/** The same in order. */
export const namespaceInput: KindSlices<"Namespace"> = Object.values(namespaceSlices);
