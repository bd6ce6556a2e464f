/** A certificate as a data plane is given it. */

import type { Certificate, CertificateName } from "../../dataplane/model.ts";
import { objectKey } from "../../kube/object.ts";
import type { InputReader } from "../input_reader.ts";
import { secretSlices } from "../kinds/secret.ts";

/** The certificate `name`; undefined when its Secret is gone or holds none. */
export function computeCertificate(
  reader: InputReader,
  name: CertificateName,
): Certificate | undefined {
  const [namespace = "", secretName = ""] = name.split("/");
  const tls = reader.read(secretSlices.tls, objectKey(namespace, secretName));
  if (!tls || "invalid" in tls) return undefined;
  const { certificateChain, privateKey, digest, dnsNames, notBefore, notAfter } = tls;
  return { name, certificateChain, privateKey, digest, leaf: { dnsNames, notBefore, notAfter } };
}
