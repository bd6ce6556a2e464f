/**
 * A bundle of certificates of authorities, checked before anything trusts it.
 *
 * Every certificate in it parses, because one that is silently skipped would refuse peers that its
 * author meant to trust. Other PEM blocks and the text between blocks are left out, as Go's
 * certificate pools do. Dates are not checked: the verification of a peer does that.
 */

import { createHash, X509Certificate } from "node:crypto";

/** A usable bundle. */
export interface CaBundle {
  /** PEM; nothing but certificates, in the order of the source. */
  readonly certificates: string;
  /** At least one. */
  readonly certificateCount: number;
  /** SHA-256 over `certificates`, in hexadecimal. */
  readonly digest: string;
}

/** As much as a Secret or a ConfigMap may hold. */
const bundleBytesMax = 1 << 20;
const certificatesMax = 1000;
const beginLine = /-----BEGIN CERTIFICATE-----/g;
const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Checks a PEM bundle, and says what is wrong with it: words that follow the object's name. */
export function parseCaBundle(pem: string): CaBundle | { readonly invalid: string } {
  if (pem.length > bundleBytesMax) return { invalid: `its "ca.crt" is larger than 1 MiB` };
  const blocks = pem.match(certificateBlock) ?? [];
  const begun = pem.match(beginLine)?.length ?? 0;
  if (begun === 0) return { invalid: `its "ca.crt" holds no PEM certificate` };
  if (begun > certificatesMax) {
    return { invalid: `its "ca.crt" has more than ${certificatesMax} certificates` };
  }
  if (blocks.length < begun || !blocks.every(isCertificate)) {
    return { invalid: `its "ca.crt" holds a certificate that cannot be parsed` };
  }
  const certificates = `${blocks.join("\n")}\n`;
  return {
    certificates,
    certificateCount: blocks.length,
    digest: createHash("sha256").update(certificates).digest("hex"),
  };
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false; // The caller says which part is bad; the library's words add nothing.
  }
}
