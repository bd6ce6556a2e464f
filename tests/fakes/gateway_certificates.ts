/** Certificates made on the spot: no key is kept anywhere. */

import "reflect-metadata";
import * as x509 from "@peculiar/x509";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** PEM of a certificate and of its key. */
export interface TestCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** A self-signed certificate for these names, from one day to another. */
export async function makeCertificate(
  dnsNames: readonly string[],
  notBefore = "2026-01-01",
  notAfter = "2036-01-01",
): Promise<TestCertificate> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const names = dnsNames.map((value) => ({ type: "dns" as const, value }));
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=test",
    keys,
    notBefore: new Date(`${notBefore}T00:00:00Z`),
    notAfter: new Date(`${notAfter}T00:00:00Z`),
    extensions: names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : [],
  });
  const pkcs8 = await crypto.subtle.exportKey("pkcs8", keys.privateKey);
  return {
    certificate: certificate.toString("pem"),
    key: x509.PemConverter.encode(pkcs8, "PRIVATE KEY"),
  };
}
