/** A certificate that nobody looks into: for tests of what is done with its name. */

import { type Certificate, certificateName } from "../../src/dataplane/model.ts";

/** The certificate of a Secret, with `content` in place of its parts. */
export function certificateStub(
  namespace: string,
  secret: string,
  content = "stub",
): Certificate {
  return {
    name: certificateName(namespace, secret),
    certificateChain: `chain ${content}`,
    privateKey: `key ${content}`,
    digest: content,
    leaf: { dnsNames: [], notBefore: "2026-01-01T00:00:00Z", notAfter: "2027-01-01T00:00:00Z" },
  };
}
