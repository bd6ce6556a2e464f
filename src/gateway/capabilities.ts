/**
 * What the data plane of this process can do, as far as statuses depend on it.
 *
 * It is a constant of the process and no input: a query may use it without recording a read.
 */

/** Names of features that the Gateway API defines (GEP-2162), as far as some data plane has them. */
export type ApiFeature =
  | "BackendTLSPolicy"
  | "BackendTLSPolicySANValidation"
  | "GRPCRoute"
  | "GRPCRouteNamedRouteRule"
  | "Gateway"
  | "GatewayAddressEmpty"
  | "GatewayBackendClientCertificate"
  | "GatewayFrontendClientCertificateValidation"
  | "GatewayFrontendClientCertificateValidationInsecureFallback"
  | "GatewayHTTPListenerIsolation"
  | "GatewayHTTPSListenerDetectMisdirectedRequests"
  | "GatewayInfrastructurePropagation"
  | "GatewayPort8080"
  | "GatewayStaticAddresses"
  | "HTTPRoute"
  | "HTTPRoute303RedirectStatusCode"
  | "HTTPRoute307RedirectStatusCode"
  | "HTTPRoute308RedirectStatusCode"
  | "HTTPRouteBackendProtocolH2C"
  | "HTTPRouteBackendProtocolWebSocket"
  | "HTTPRouteBackendRequestHeaderModification"
  | "HTTPRouteBackendTimeout"
  | "HTTPRouteCORS"
  | "HTTPRouteDestinationPortMatching"
  | "HTTPRouteHostRewrite"
  | "HTTPRouteMethodMatching"
  | "HTTPRouteNamedRouteRule"
  | "HTTPRouteParentRefPort"
  | "HTTPRoutePathRedirect"
  | "HTTPRoutePathRewrite"
  | "HTTPRoutePortRedirect"
  | "HTTPRouteQueryParamMatching"
  | "HTTPRouteRequestMirror"
  | "HTTPRouteRequestMultipleMirrors"
  | "HTTPRouteRequestPercentageMirror"
  | "HTTPRouteRequestTimeout"
  | "HTTPRouteResponseHeaderModification"
  | "HTTPRouteRetry"
  | "HTTPRouteRetryBackendTimeout"
  | "HTTPRouteRetryConnectionError"
  | "HTTPRouteSchemeRedirect"
  | "ListenerSet"
  | "ReferenceGrant"
  | "TCPRoute"
  | "TLSRoute"
  | "TLSRouteModeMixed"
  | "TLSRouteModeTerminate"
  | "UDPRoute";

/** What the Gateway API has fields for and no feature name; never published. */
export type OwnFeature =
  /** The RequestMirror filter at one backend reference. */
  | "HTTPRouteBackendRequestMirror"
  /** The filter ExternalAuth (GEP-1494), whose text names these without publishing them. */
  | "HTTPRouteExternalAuthForwardBody"
  | "HTTPRouteExternalAuthGRPC"
  | "HTTPRouteExternalAuthHTTP"
  /** `sessionPersistence` of a rule (GEP-1619). */
  | "HTTPRouteSessionPersistence"
  /** Services of type ExternalName, where the person who starts weir allows them. */
  | "ServiceExternalName";

/** Something that a data plane can do or cannot. */
export type Feature = ApiFeature | OwnFeature;

/** A value of a listener's `protocol`. */
export type ListenerProtocol = "HTTP" | "HTTPS" | "TLS" | "TCP" | "UDP";

/** See the file's header. */
export interface DataPlaneCapabilities {
  /** A word for messages: `embedded`, `none`, `envoy`. */
  readonly name: string;
  /** What GatewayClasses publish: those of `features` that are the API's. Sorted. */
  readonly supportedFeatures: readonly ApiFeature[];
  /** Everything that really works, by the API's names and our own. */
  readonly features: ReadonlySet<Feature>;
  /** Values of a listener's `protocol` that are served. */
  readonly protocols: readonly ListenerProtocol[];
  /** Kinds of routes that are served. */
  readonly routeKinds: readonly string[];
  /** Of the `appProtocol` values that Kubernetes defines (KEP-3726), those that are spoken. */
  readonly appProtocols: readonly string[];
}
