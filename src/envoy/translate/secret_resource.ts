/** Secrets of Envoy: certificates with their keys, and what certificates of clients are held against. */

import type { Certificate, ClientValidation } from "../../dataplane/model.ts";
import type { ProtoObject } from "../codec.ts";

/** `extensions.transport_sockets.tls.v3.Secret` of a certificate. Holds its key: never logged. */
export function certificateMessage(certificate: Certificate): ProtoObject {
  const { name, certificateChain, privateKey } = certificate;
  return {
    name,
    tlsCertificate: {
      certificateChain: { inlineString: certificateChain },
      privateKey: { inlineString: privateKey },
    },
  };
}

/** The same of the authorities of clients. */
export function validationMessage(
  name: string,
  { caCertificates }: ClientValidation,
): ProtoObject {
  return { name, validationContext: { trustedCa: { inlineString: caCertificates.join("\n") } } };
}
