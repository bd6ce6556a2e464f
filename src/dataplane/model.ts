/**
 * What every data plane is given: immutable, free of Kubernetes objects and of Envoy's words.
 *
 * Parts that did not change keep their identity between revisions, so a data plane compares by
 * reference. One {@linkcode GatewayConfig} is the unit of acknowledgement. References between parts
 * are names (clusters, certificates), so that a change of endpoints or of a certificate leaves the
 * routes alone.
 */

import type { Brand } from "../base/brand.ts";
import type { CertificateLeaf } from "./certificate_leaf.ts";
import type {
  CorsPolicy,
  HeaderModifier,
  Redirect,
  RetryPolicy,
  SessionPersistence,
  UrlRewrite,
} from "./http_filters.ts";

/** `namespace/name` of a Gateway. */
export type GatewayKey = Brand<"GatewayKey">;
/** `namespace/service/port`; `/GRPC` behind it: HTTP/2; `/TCP`, `/UDP`, `/TLS` (secured): streams. */
export type ClusterName = Brand<"ClusterName">;
/** `namespace/name` of the Secret that holds the certificate. */
export type CertificateName = Brand<"CertificateName">;

/** Where an element of the model came from, in the API's words; for logs, metrics and explain. */
export interface Origin {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Everything that a data plane serves, at one revision. */
export interface DataPlaneConfig {
  readonly revision: number;
  readonly gateways: ReadonlyMap<GatewayKey, GatewayConfig>;
  readonly clusters: ReadonlyMap<ClusterName, Cluster>;
  readonly certificates: ReadonlyMap<CertificateName, Certificate>;
}

/** One Gateway: where it listens and what it routes. */
export interface GatewayConfig {
  readonly key: GatewayKey;
  /** The certificate that is shown to backends that ask for one. */
  readonly clientCertificate?: CertificateName;
  /** For objects that a data plane makes for this Gateway; absent without any. */
  readonly infrastructure?: Infrastructure;
  /** Creation order decides between Gateways that share an address: older first. RFC 3339. */
  readonly creationTimestamp: string;
  /** IP addresses to listen on; never empty for a Gateway that is served. */
  readonly addresses: readonly string[];
  /** Listeners that are accepted and have what they need, in the order of precedence. */
  readonly listeners: readonly Listener[];
}

/** Labels and annotations for what is made on behalf of a Gateway (GatewayInfrastructure). */
export interface Infrastructure {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** How a listener's bytes are understood. */
export type Protocol = "HTTP" | "HTTPS" | "TLS" | "TCP" | "UDP";

/** One listener of one Gateway. Several may share a port and are told apart by hostname. */
export interface Listener {
  /** Unique within the Gateway: its name, or `namespace/set/name` of one in a ListenerSet. */
  readonly name: string;
  /** The Gateway (or ListenerSet) whose spec it stands in. */
  readonly origin: Origin;
  readonly port: number;
  readonly protocol: Protocol;
  /** Lower case; exact or `*.suffix`. Absent: every host. Never set for TCP and UDP. */
  readonly hostname?: string;
  /** Present where TLS ends here (HTTPS, TLS), in the order of the spec; never empty there. */
  readonly certificates?: readonly CertificateName[];
  /** How certificates of clients are checked; absent: none is asked for. Only with `certificates`. */
  readonly clientValidation?: ClientValidation;
  /** HTTP and HTTPS. By precedence: the first that matches serves (HTTPRouteRule, `matches`). */
  readonly routes: readonly HttpRouteEntry[];
  /** TLS, TCP and UDP. By precedence: the first whose hostname matches the SNI serves. */
  readonly streams: readonly StreamRouteEntry[];
}

/** How a listener checks the certificates of its clients (Gateway API, FrontendTLSValidation). */
export interface ClientValidation {
  /** PEM bundles of the authorities that a client's certificate must lead to; sorted, each once. */
  readonly caCertificates: readonly string[];
  /** Whether a client without a valid certificate is let in all the same. */
  readonly isOptional: boolean;
}

/** What one TLSRoute, TCPRoute or UDPRoute asks for, for one hostname. */
export interface StreamRouteEntry {
  readonly origin: Origin;
  readonly creationTimestamp: string;
  readonly ruleName?: string;
  /** TLS only: the hostname that SNI is held against; absent: every one. */
  readonly hostname?: string;
  /** Empty: connections are refused. */
  readonly backends: readonly StreamBackend[];
}

/** A share of a stream route's connections. A share without a cluster is refused. */
export interface StreamBackend {
  readonly weight: number;
  readonly cluster?: ClusterName;
}

/** An entry of any kind of route. */
export type RouteEntry = HttpRouteEntry | StreamRouteEntry;

/** One match of one rule for one hostname of one HTTPRoute: the unit that precedence orders. */
export interface HttpRouteEntry {
  readonly origin: Origin;
  readonly creationTimestamp: string;
  readonly ruleIndex: number;
  readonly matchIndex: number;
  readonly ruleName?: string;
  /**
   * The effective hostname: the intersection of the route's and the listener's, lower case; absent:
   * every host of the listener.
   */
  readonly hostname?: string;
  readonly match: HttpMatch;
  readonly action: HttpRouteAction;
}

/** All parts must match. Regular expressions are RE2 and match the whole value. */
export interface HttpMatch {
  /** Present for an entry of a GRPCRoute, whose precedence goes by it; `path` says the same. */
  readonly grpc?: GrpcMatch;
  readonly path: PathMatch;
  /** Upper case as in the API; absent: every method. */
  readonly method?: string;
  /** Names in lower case, each at most once. */
  readonly headers: readonly ValueMatch[];
  readonly queryParams: readonly ValueMatch[];
}

/** The parts of a gRPC method match; absent: every service or every method. */
export interface GrpcMatch {
  readonly service?: string;
  readonly method?: string;
  /** Set: both are regular expressions, which say nothing about the length of what they match. */
  readonly isRegex?: true;
}

/** Prefix matches by path element: `/a` matches `/a`, `/a/` and `/a/b`, not `/ab`. */
export interface PathMatch {
  readonly type: "Exact" | "PathPrefix" | "RegularExpression";
  readonly value: string;
}

/** A named value that must be equal or match a regular expression. */
export interface ValueMatch {
  readonly name: string;
  readonly type: "Exact" | "RegularExpression";
  readonly value: string;
}

/** What happens to a request that matched. Filters of a rule are shared by its matches. */
export interface HttpRouteAction {
  readonly filters: readonly HttpFilter[];
  /** Empty without a redirect: answered 500, of a GRPCRoute 503. */
  readonly backends: readonly WeightedBackend[];
  /** Whole request, milliseconds; 0: no limit. Absent: the data plane's default. */
  readonly requestTimeoutMs?: number;
  /** One try at a backend, milliseconds; 0: no limit. */
  readonly backendRequestTimeoutMs?: number;
  /** Absent: the data plane's default. */
  readonly retry?: RetryPolicy;
  readonly sessionPersistence?: SessionPersistence;
}

/**
 * A share of a rule's traffic. A share without a cluster is answered 500; of a GRPCRoute 503, which
 * gRPC knows as Unavailable.
 */
export interface WeightedBackend {
  readonly weight: number;
  /** Absent: the reference is invalid. */
  readonly cluster?: ClusterName;
  readonly filters: readonly HttpFilter[];
}

/** A filter in the API's words, decoded. Of the types from `RequestRedirect` on but mirrors, one. */
export type HttpFilter =
  | { readonly type: "RequestHeaderModifier"; readonly headers: HeaderModifier }
  | { readonly type: "ResponseHeaderModifier"; readonly headers: HeaderModifier }
  | { readonly type: "RequestRedirect"; readonly redirect: Redirect }
  | { readonly type: "URLRewrite"; readonly rewrite: UrlRewrite }
  | { readonly type: "CORS"; readonly cors: CorsPolicy }
  | { readonly type: "RequestMirror"; readonly mirror: RequestMirror }
  | { readonly type: "ExternalAuth"; readonly auth: ExternalAuth };

/** A part of the requests is sent to one endpoint of `cluster` too, whose answer is thrown away. */
export interface RequestMirror {
  readonly cluster: ClusterName;
  /** Of `denominator` requests so many: 1 to `denominator`. */
  readonly numerator: number;
  readonly denominator: number;
}

/** Who decides whether a request is let through (GEP-1494). Asked in vain: it is not. */
export interface ExternalAuth {
  /** HTTP: 200 lets through. GRPC: Envoy's protocol for external authorisation. */
  readonly protocol: "HTTP" | "GRPC";
  readonly cluster: ClusterName;
  /** HTTP: put before the path of the request that is asked with; may be empty. */
  readonly pathPrefix: string;
  /**
   * Lower case, sorted. HTTP: what the request that is asked with has besides Host, Method, Path,
   * Content-Length and Authorization. GRPC: all that it has; empty: everything.
   */
  readonly requestHeaders: readonly string[];
  /** HTTP: what is copied from the answer to the backend's request; empty: all but Host. */
  readonly responseHeaders: readonly string[];
  /** Octets of the body that are sent along; 0: none. A longer body is refused with 413. */
  readonly bodyBytesMax: number;
}

/** The endpoints of one Service port that take requests. An empty list is answered 503. */
export interface Cluster {
  readonly name: ClusterName;
  readonly origin: Origin;
  readonly port: number;
  /** Sorted by address and port, without duplicates. */
  readonly endpoints: readonly Endpoint[];
  /** How connections to the backend are secured; absent: not at all (Gateway API, BackendTLSPolicy). */
  readonly tls?: BackendTls;
  /** `FQDN`: one endpoint, whose address is a name in lower case to look up. Absent: IP literals. */
  readonly addressType?: "FQDN";
  /** What backends speak, of what Kubernetes has words for (KEP-3726); absent: HTTP/1.1. */
  readonly appProtocol?: AppProtocol;
}

/** TLS towards a backend. */
export interface BackendTls {
  /** Sent as SNI. Must be in the backend's certificate unless `subjectAltNames` says what must. */
  readonly hostname: string;
  /** One of them must be in the certificate; empty: `hostname` must. */
  readonly subjectAltNames: readonly SubjectAltName[];
  /** `system`: what the data plane trusts by itself. Otherwise PEM, sorted, each once. */
  readonly trust: "system" | readonly string[];
}

/** A name that a certificate may hold. */
export interface SubjectAltName {
  readonly type: "Hostname" | "URI";
  readonly value: string;
}

/** HTTP/2, by itself or over the cluster's `tls`; WebSocket over HTTP/1.1 without and with TLS. */
export type AppProtocol = "h2c" | "ws" | "wss";

/** One address of a backend. */
export interface Endpoint {
  /** An IP literal, or what the cluster's `addressType` says. */
  readonly address: string;
  readonly port: number;
}

/** A certificate chain with its key. Never printed, logged or sent anywhere but to a data plane. */
export interface Certificate {
  readonly name: CertificateName;
  /** PEM, leaf first. */
  readonly certificateChain: string;
  /** PEM. */
  readonly privateKey: string;
  /** Changes with the content; safe to log. */
  readonly digest: string;
  readonly leaf: CertificateLeaf;
}

/** The one constructor of {@linkcode GatewayKey}. */
export function gatewayKey(namespace: string, name: string): GatewayKey {
  return `${namespace}/${name}` as GatewayKey;
}

/** The one constructor of {@linkcode ClusterName}. */
export function clusterName(
  namespace: string,
  service: string,
  port: number,
  protocol?: "GRPC" | "TCP" | "UDP" | "TLS",
): ClusterName {
  const name = `${namespace}/${service}/${port}`;
  return (protocol === undefined ? name : `${name}/${protocol}`) as ClusterName;
}

/** The one constructor of {@linkcode CertificateName}. */
export function certificateName(namespace: string, secret: string): CertificateName {
  return `${namespace}/${secret}` as CertificateName;
}
