/** Secret as an input: the certificate and the bundle parsed from it, or why there are none. */

import { identitySlices, type KindSlices, slice } from "./input_kind.ts";

/** The slices of a Secret by name. */
export const secretSlices = {
  ...identitySlices("Secret"),
  tls: slice("Secret", 3, "data", (object) => object.tls),
  ca: slice("Secret", 4, "data", (object) => object.ca),
};

/** The same in order. */
export const secretInput: KindSlices<"Secret"> = Object.values(secretSlices);
