/** Certificates whose time is over, or nearly so. Pure: the time is an argument. */

import type { CertificateName } from "../../dataplane/model.ts";
import { objectKey } from "../../kube/object.ts";
import type { InputReader } from "../input_reader.ts";
import type { Outputs } from "../outputs.ts";
import type { Diagnostic } from "./diagnostic_codes.ts";
import { someOf } from "./served_rules.ts";

/** How long before its end a certificate is reported. */
export const expiryWarningMs = 14 * 24 * 60 * 60 * 1000;

/** CertificateExpired and CertificateExpiresSoon, for certificates that a listener shows. */
export function findCertificateDiagnostics(
  inputs: InputReader,
  { dataPlane }: Outputs,
  nowMs: number,
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const certificate of dataPlane.certificates.keys()) {
    const [namespace = "", name = ""] = certificate.split("/");
    const tls = inputs.get("Secret", objectKey(namespace, name))?.tls;
    if (!tls || "invalid" in tls) continue;
    const leftMs = Date.parse(tls.notAfter) - nowMs;
    if (Number.isNaN(leftMs) || leftMs > expiryWarningMs) continue;
    found.push({
      code: leftMs <= 0 ? "CertificateExpired" : "CertificateExpiresSoon",
      kind: "Secret",
      namespace,
      name,
      part: "",
      message: `Its certificate ${leftMs <= 0 ? "expired" : "expires"} at ${tls.notAfter} ` +
        `(shown by ${someOf(listenersWith(certificate, dataPlane))})`,
    });
  }
  return found;
}

function listenersWith(
  certificate: CertificateName,
  { gateways }: Outputs["dataPlane"],
): readonly string[] {
  return [...gateways.values()].flatMap(({ key, listeners }) =>
    listeners.filter(({ certificates }) => certificates?.includes(certificate))
      .map(({ name }) => `listener ${name} of Gateway ${key}`)
  );
}
