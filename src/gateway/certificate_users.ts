/** Who uses a certificate, in words. Pure. */

import type { CertificateName, DataPlaneConfig } from "../dataplane/model.ts";

/** The users of every certificate that is in use: listeners, and Gateways towards backends. */
export function certificateUsers(
  { gateways }: Pick<DataPlaneConfig, "gateways">,
): ReadonlyMap<CertificateName, readonly string[]> {
  const users = new Map<CertificateName, string[]>();
  const add = (certificate: CertificateName, user: string): void => {
    const known = users.get(certificate);
    if (known) known.push(user);
    else users.set(certificate, [user]);
  };
  for (const { key, listeners, clientCertificate } of gateways.values()) {
    for (const { name, certificates } of listeners) {
      for (const certificate of new Set(certificates)) {
        add(certificate, `listener ${name} of Gateway ${key}`);
      }
    }
    if (clientCertificate !== undefined) add(clientCertificate, `Gateway ${key} to backends`);
  }
  return users;
}
