/** Secret as an input: the certificate that was parsed from it, or why there is none. */

import type { Secret } from "../../kube/decode/secret.ts";
import { identitySlices, type InputKind } from "./input_kind.ts";

/** The slices of a Secret. */
export const secretInput: InputKind<Secret> = {
  slices: [
    ...identitySlices,
    { name: "data", read: (object) => object.tls },
  ],
};
