/** Bundles of certificate authorities, where a reference to one leads. */

import type { CaBundle } from "../../kube/ca_bundle.ts";
import type { ObjectKey } from "../../kube/object.ts";
import type { InputReader } from "../input_reader.ts";
import { configMapSlices } from "../kinds/config_map.ts";
import { secretSlices } from "../kinds/secret.ts";
import type { Finding } from "./finding.ts";

/** The bundle of the ConfigMap or Secret `key`, or why there is none to use. */
export function readCaBundle(
  reader: InputReader,
  kind: "ConfigMap" | "Secret",
  key: ObjectKey,
): CaBundle | Finding {
  const ca = kind === "ConfigMap"
    ? reader.read(configMapSlices.ca, key)
    : reader.read(secretSlices.ca, key);
  const reason = "InvalidCACertificateRef";
  if (!ca) return { reason, message: `Cannot use ${kind} "${key}": it does not exist` };
  if ("invalid" in ca) return { reason, message: `Cannot use ${kind} "${key}": ${ca.invalid}` };
  return ca;
}
