/** ConfigMap as an input: the bundle that was parsed from it, or why there is none. */

import { identitySlices, type KindSlices, slice } from "./input_kind.ts";

/** The slices of a ConfigMap by name. */
export const configMapSlices = {
  ...identitySlices("ConfigMap"),
  ca: slice("ConfigMap", 3, "data", (object) => object.ca),
};

/** The same in order. */
export const configMapInput: KindSlices<"ConfigMap"> = Object.values(configMapSlices);
