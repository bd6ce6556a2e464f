/**
 * What each data plane can do, as GatewayClasses tell it (GEP-2162).
 *
 * A feature stands here only when it works end to end; the official conformance suite takes this
 * list as the promise that it tests.
 */

import type { Config } from "../config/flags.ts";
import type { ApiFeature, DataPlaneCapabilities, OwnFeature } from "../gateway/capabilities.ts";

const embeddedFeatures: readonly ApiFeature[] = [
  "Gateway",
  "GatewayAddressEmpty",
  "GatewayHTTPListenerIsolation",
  "GatewayHTTPSListenerDetectMisdirectedRequests",
  "GatewayPort8080",
  "GatewayStaticAddresses",
  "HTTPRoute",
  "HTTPRoute303RedirectStatusCode",
  "HTTPRoute307RedirectStatusCode",
  "HTTPRoute308RedirectStatusCode",
  "HTTPRouteBackendProtocolWebSocket",
  "HTTPRouteBackendRequestHeaderModification",
  "HTTPRouteBackendTimeout",
  "HTTPRouteCORS",
  "HTTPRouteHostRewrite",
  "HTTPRouteMethodMatching",
  "HTTPRouteNamedRouteRule",
  "HTTPRouteParentRefPort",
  "HTTPRoutePathRedirect",
  "HTTPRoutePathRewrite",
  "HTTPRoutePortRedirect",
  "HTTPRouteQueryParamMatching",
  "HTTPRouteRequestMirror",
  "HTTPRouteRequestMultipleMirrors",
  "HTTPRouteRequestPercentageMirror",
  "HTTPRouteRequestTimeout",
  "HTTPRouteResponseHeaderModification",
  "HTTPRouteSchemeRedirect",
  "ListenerSet",
  "ReferenceGrant",
];

/** What Envoy has beyond the embedded data plane. */
const furtherEnvoyFeatures: readonly ApiFeature[] = [
  "BackendTLSPolicy",
  "BackendTLSPolicySANValidation",
  "GRPCRoute",
  "GRPCRouteNamedRouteRule",
  "GatewayBackendClientCertificate",
  "GatewayFrontendClientCertificateValidation",
  "GatewayFrontendClientCertificateValidationInsecureFallback",
  "HTTPRouteBackendProtocolH2C",
  "HTTPRouteDestinationPortMatching",
  "HTTPRouteRetry",
  "HTTPRouteRetryBackendTimeout",
  "HTTPRouteRetryConnectionError",
  "TCPRoute",
  "TLSRoute",
  "TLSRouteModeMixed",
  "TLSRouteModeTerminate",
  "UDPRoute",
];

/** A row of the table; the rest of {@linkcode DataPlaneCapabilities} follows from it. */
interface Row extends Pick<DataPlaneCapabilities, "protocols" | "routeKinds" | "appProtocols"> {
  readonly published: readonly ApiFeature[];
  readonly unpublished: readonly OwnFeature[];
}

const embedded: Row = {
  published: embeddedFeatures,
  unpublished: ["HTTPRouteBackendRequestMirror"],
  protocols: ["HTTP", "HTTPS"],
  routeKinds: ["HTTPRoute"],
  appProtocols: ["kubernetes.io/ws"],
};

const envoy: Row = {
  published: [...embeddedFeatures, ...furtherEnvoyFeatures],
  unpublished: [
    "HTTPRouteSessionPersistence",
  ],
  protocols: ["HTTP", "HTTPS", "TLS", "TCP", "UDP"],
  routeKinds: ["GRPCRoute", "HTTPRoute", "TCPRoute", "TLSRoute", "UDPRoute"],
  appProtocols: ["kubernetes.io/h2c", "kubernetes.io/ws", "kubernetes.io/wss"],
};

/**
 * By the value of `--data-plane`. With `none` the statuses are those of the embedded one, so that what
 * is computed without traffic is what would be served with it.
 */
const rows: Readonly<Record<Config["dataPlane"], Row>> = { embedded, none: embedded, envoy };

/** The capabilities behind `--data-plane`, within what the other settings allow. */
export function capabilitiesOf(
  { dataPlane: name, allowExternalName }: Pick<Config, "dataPlane" | "allowExternalName">,
): DataPlaneCapabilities {
  const { published, unpublished, ...rest } = rows[name];
  const allowed: readonly OwnFeature[] = allowExternalName ? ["ServiceExternalName"] : [];
  return {
    name,
    supportedFeatures: [...published].sort(),
    features: new Set([...published, ...unpublished, ...allowed]),
    ...rest,
  };
}
