/**
 * Certificates that clients refuse, or soon will: their time is over or nearly so, or they are for
 * other names than the listener that shows them. Pure: the time is an argument.
 */

import type { CertificateName, Listener } from "../../dataplane/model.ts";
import { certificateNameCovers } from "../certificate_names.ts";
import { expiryStageAt, expiryTimesOf } from "../certificate_expiry.ts";
import { certificateUsers } from "../certificate_users.ts";
import type { Outputs } from "../outputs.ts";
import type { Diagnostic } from "./diagnostic_codes.ts";
import { someOf } from "./served_rules.ts";

/** What diagnostics of certificates depend on besides the outputs. */
export interface CertificateTime {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** How long before its end a certificate is reported; see `expiryTimesOf`. */
  readonly warningDays: number;
}

/** CertificateExpired and CertificateExpiresSoon, for certificates that are shown to somebody. */
export function findExpiryDiagnostics(
  { dataPlane }: Outputs,
  { nowMs, warningDays }: CertificateTime,
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  let users: ReturnType<typeof certificateUsers> | undefined;
  for (const { name, leaf } of dataPlane.certificates.values()) {
    const stage = expiryStageAt(expiryTimesOf(leaf, warningDays), nowMs);
    if (stage === "fine") continue;
    users ??= certificateUsers(dataPlane);
    found.push({
      code: stage === "expired" ? "CertificateExpired" : "CertificateExpiresSoon",
      ...secretOf(name),
      part: "",
      message: expiryMessage(stage, leaf.notAfter, users.get(name) ?? []),
    });
  }
  return found;
}

/** What is said of a certificate that has a user; one sentence without a final period. */
export function expiryMessage(
  stage: "expiring" | "expired",
  notAfter: string,
  users: readonly string[],
): string {
  const verb = stage === "expired" ? "expired" : "expires";
  return `Its certificate ${verb} at ${notAfter} (shown by ${someOf(users)})`;
}

/** CertificateNameMismatch, for listeners with a hostname that none of their certificates is for. */
export function findNameDiagnostics({ dataPlane }: Outputs): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const namesOf = (certificate: CertificateName): readonly string[] =>
    dataPlane.certificates.get(certificate)?.leaf.dnsNames ?? [];
  for (const { key, listeners } of dataPlane.gateways.values()) {
    const [namespace = "", name = ""] = key.split("/");
    for (const listener of listeners) {
      const { hostname, certificates = [] } = listener;
      if (hostname === undefined || certificates.length === 0) continue;
      const names = certificates.flatMap(namesOf);
      if (names.some((dnsName) => certificateNameCovers(dnsName, hostname))) continue;
      found.push({
        code: "CertificateNameMismatch",
        kind: "Gateway",
        namespace,
        name,
        part: `listener ${listener.name}`,
        message: mismatchMessage(listener, hostname, names),
      });
    }
  }
  return found;
}

function mismatchMessage(
  { certificates = [] }: Listener,
  hostname: string,
  names: readonly string[],
): string {
  const quoted = names.map((name) => `"${name}"`);
  const are = names.length === 0 ? "it has no DNS names" : `it is for ${someOf(quoted)}`;
  const secrets = someOf(certificates);
  return certificates.length === 1
    ? `The certificate of Secret ${secrets} is not for "${hostname}": ${are}`
    : `No certificate of Secrets ${secrets} is for "${hostname}"`;
}

function secretOf(certificate: CertificateName): Pick<Diagnostic, "kind" | "namespace" | "name"> {
  const [namespace = "", name = ""] = certificate.split("/");
  return { kind: "Secret", namespace, name };
}
