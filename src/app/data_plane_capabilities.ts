/**
 * What each data plane can do, as GatewayClasses tell it (GEP-2162).
 *
 * A feature stands here only when it works end to end; the official conformance suite takes this
 * list as the promise that it tests.
 */

import type { DataPlaneCapabilities } from "../gateway/capabilities.ts";

const embeddedFeatures: readonly string[] = [
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
  "HTTPRouteHostRewrite",
  "HTTPRouteMethodMatching",
  "HTTPRouteNamedRouteRule",
  "HTTPRouteParentRefPort",
  "HTTPRoutePathRedirect",
  "HTTPRoutePathRewrite",
  "HTTPRoutePortRedirect",
  "HTTPRouteQueryParamMatching",
  "HTTPRouteRequestTimeout",
  "HTTPRouteResponseHeaderModification",
  "HTTPRouteSchemeRedirect",
  "ReferenceGrant",
];

/**
 * The capabilities behind `--data-plane`. With `none` the statuses are those of the embedded one, so
 * that what is computed without traffic is what would be served with it.
 */
export function capabilitiesOf(name: "embedded" | "none"): DataPlaneCapabilities {
  return {
    name,
    supportedFeatures: embeddedFeatures,
    protocols: ["HTTP", "HTTPS"],
    appProtocols: ["kubernetes.io/ws"],
  };
}
