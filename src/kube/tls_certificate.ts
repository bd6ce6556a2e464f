/**
 * A certificate chain and its key, checked before anything serves them.
 *
 * The chain parses, its first certificate belongs to the key, and both are within the size that the
 * API allows for a Secret. Dates are not checked: an expired certificate is served, as clients give
 * the clearer error. Messages never hold bytes of the key.
 */

import { createHash, createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { toTimestamp } from "../base/clock.ts";

/** A usable certificate. */
export interface TlsCertificate {
  /** PEM, leaf first; nothing but certificates. */
  readonly certificateChain: string;
  /** PEM. */
  readonly privateKey: string;
  /** SHA-256 over chain and key, in hexadecimal. */
  readonly digest: string;
  /** DNS names of the leaf, lower case, in the order of the certificate. */
  readonly dnsNames: readonly string[];
  /** RFC 3339. */
  readonly notBefore: string;
  /** RFC 3339. */
  readonly notAfter: string;
}

const pemBytesMax = 1 << 20;
const chainLengthMax = 32;
const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Checks a PEM chain and a PEM key, and says what is wrong with them. */
export function parseTlsCertificate(
  chainPem: string,
  keyPem: string,
): TlsCertificate | { readonly invalid: string } {
  if (chainPem.length > pemBytesMax || keyPem.length > pemBytesMax) {
    return { invalid: "its certificate or key is larger than 1 MiB" };
  }
  const blocks = chainPem.match(certificateBlock) ?? [];
  if (blocks.length > chainLengthMax) {
    return { invalid: `its chain has more than ${chainLengthMax} certificates` };
  }
  const certificates = blocks.map(parseCertificate);
  const leaf = certificates[0];
  if (!leaf) return { invalid: `its "tls.crt" holds no PEM certificate` };
  if (certificates.includes(undefined)) {
    return { invalid: `its "tls.crt" holds a certificate that cannot be parsed` };
  }
  const key = parseKey(keyPem);
  if (!key) return { invalid: `its "tls.key" holds no unencrypted PEM private key` };
  if (!leaf.checkPrivateKey(key)) {
    return { invalid: `its "tls.key" does not belong to the first certificate of "tls.crt"` };
  }
  const [notBefore, notAfter] = [timestampOf(leaf.validFrom), timestampOf(leaf.validTo)];
  if (notBefore === undefined || notAfter === undefined) {
    return { invalid: `the first certificate of "tls.crt" is valid at no time that can be read` };
  }
  const certificateChain = `${blocks.join("\n")}\n`;
  return {
    certificateChain,
    privateKey: keyPem,
    digest: createHash("sha256").update(certificateChain).update("\0").update(keyPem).digest("hex"),
    dnsNames: dnsNamesOf(leaf),
    notBefore,
    notAfter,
  };
}

function parseCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined; // The caller says which part is bad; the library's words add nothing.
  }
}

function parseKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined; // The library's message could repeat input.
  }
}

function timestampOf(text: string): string | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : toTimestamp(ms);
}

function dnsNamesOf(certificate: X509Certificate): string[] {
  const names = certificate.subjectAltName?.split(", ") ?? [];
  return names.filter((name) => name.startsWith("DNS:"))
    .map((name) => name.slice("DNS:".length).toLowerCase());
}
