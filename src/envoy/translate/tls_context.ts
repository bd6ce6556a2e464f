/**
 * TLS towards clients and towards backends. Certificates, keys and what clients' certificates are held
 * against are named, not written: a rotation never touches a listener or a cluster.
 */

import type { BackendTls, CertificateName, ClientValidation } from "../../dataplane/model.ts";
import type { ProtoJson, ProtoObject } from "../codec.ts";
import { extension, fromAds, listed, present } from "./proto_fields.ts";

/** Both are written: a bound that is left out is another one for clients than for servers. */
const tlsParams: ProtoObject = {
  tlsMinimumProtocolVersion: "TLSv1_2",
  tlsMaximumProtocolVersion: "TLSv1_3",
};

/** What clients are shown and asked. */
export interface DownstreamTls {
  /** In the order of the specification; never empty. */
  readonly certificates: readonly CertificateName[];
  readonly clientValidation?: ClientValidation | undefined;
  /** The secret with what `clientValidation` holds certificates against. */
  readonly validationSecret: string;
  /** Offered in this order; empty: nothing is. */
  readonly protocols: readonly string[];
}

/** The transport socket of a filter chain that ends TLS. */
export function downstreamTls(tls: DownstreamTls): ProtoObject {
  const { certificates, clientValidation, validationSecret, protocols } = tls;
  return extension(
    "envoy.transport_sockets.tls",
    "envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext",
    {
      commonTlsContext: {
        tlsParams,
        ...listed("alpnProtocols", protocols),
        tlsCertificateSdsSecretConfigs: certificates.map(secretConfig),
        ...validationFields(clientValidation, validationSecret),
      },
      requireClientCertificate: clientValidation !== undefined && !clientValidation.isOptional,
    },
  );
}

function validationFields(
  validation: ClientValidation | undefined,
  secret: string,
): ProtoObject {
  if (validation === undefined) return {};
  return {
    combinedValidationContext: {
      defaultValidationContext: validation.isOptional
        ? { trustChainVerification: "ACCEPT_UNTRUSTED" }
        : {},
      validationContextSdsSecretConfig: secretConfig(secret),
    },
  };
}

/** The transport socket of a cluster (Gateway API, BackendTLSPolicy). */
export function upstreamTls(
  { hostname, subjectAltNames, trust }: BackendTls,
  speaksHttp2: boolean,
  clientCertificate: CertificateName | undefined,
  systemTrustFile: string,
): ProtoObject {
  const trustedCa = trust === "system"
    ? { filename: systemTrustFile }
    : { inlineString: trust.join("\n") };
  const names = subjectAltNames.length > 0
    ? subjectAltNames
    : [{ type: "Hostname", value: hostname }];
  return extension(
    "envoy.transport_sockets.tls",
    "envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext",
    {
      sni: hostname,
      commonTlsContext: present({
        tlsParams,
        alpnProtocols: speaksHttp2 ? ["h2"] : undefined,
        tlsCertificateSdsSecretConfigs: clientCertificate && [secretConfig(clientCertificate)],
        validationContext: {
          trustedCa,
          matchTypedSubjectAltNames: names.map(({ type, value }): ProtoJson => ({
            sanType: type === "URI" ? "URI" : "DNS",
            matcher: { exact: value },
          })),
        },
      }),
    },
  );
}

function secretConfig(name: string): ProtoObject {
  return { name, sdsConfig: fromAds };
}
