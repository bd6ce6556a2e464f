/** Secret as an input: the certificate that was parsed from it, or why there is none. */

import { identitySlices, type KindSlices, slice } from "./input_kind.ts";

/** The slices of a Secret by name. */
export const secretSlices = {
  ...identitySlices("Secret"),
  tls: slice("Secret", 3, "data", (object) => object.tls),
};

/** The same in order. */
export const secretInput: KindSlices<"Secret"> = Object.values(secretSlices);
