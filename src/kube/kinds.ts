/**
 * The tables of kinds that weir knows: how the API names each, and what it holds.
 *
 * One row per kind, not per version; `versions` lists the served ones, newest first, and objects are
 * kept in the first of them. Adding a kind starts here.
 */

/** How a kind is named and where it lives. */
export interface KindInfo {
  readonly kind: string;
  /** API group; the core group is the empty string. */
  readonly group: string;
  /** Served versions, the preferred one first. */
  readonly versions: readonly string[];
  /** Lower-case plural, as in request paths. */
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
  /** Whether `status` is a subresource, so that writes of the object leave it alone. */
  readonly hasStatus: boolean;
  /** Whether `metadata.generation` exists and is bumped by changes of the spec. */
  readonly hasGeneration: boolean;
}

const gatewayApi = "gateway.networking.k8s.io";

/** A kind of the Gateway API: namespaced, with a status and a generation, unless told otherwise. */
function gatewayKind(
  kind: string,
  plural: string,
  versions: readonly string[],
  other: Partial<KindInfo> = {},
): KindInfo {
  return {
    kind,
    group: gatewayApi,
    versions,
    plural,
    shortNames: [],
    namespaced: true,
    hasStatus: true,
    hasGeneration: true,
    ...other,
  };
}

/** A kind of Kubernetes itself. */
function coreKind(kind: string, plural: string, other: Partial<KindInfo> = {}): KindInfo {
  return {
    kind,
    group: "",
    versions: ["v1"],
    plural,
    shortNames: [],
    namespaced: true,
    hasStatus: false,
    hasGeneration: false,
    ...other,
  };
}

/** Every kind that something is computed from, by its name. */
export const kinds = {
  GatewayClass: gatewayKind("GatewayClass", "gatewayclasses", ["v1", "v1beta1"], {
    shortNames: ["gc"],
    namespaced: false,
  }),
  Gateway: gatewayKind("Gateway", "gateways", ["v1", "v1beta1"], { shortNames: ["gtw"] }),
  HTTPRoute: gatewayKind("HTTPRoute", "httproutes", ["v1", "v1beta1"]),
  GRPCRoute: gatewayKind("GRPCRoute", "grpcroutes", ["v1"]),
  TLSRoute: gatewayKind("TLSRoute", "tlsroutes", ["v1", "v1alpha3", "v1alpha2"]),
  TCPRoute: gatewayKind("TCPRoute", "tcproutes", ["v1", "v1alpha2"]),
  UDPRoute: gatewayKind("UDPRoute", "udproutes", ["v1", "v1alpha2"]),
  ListenerSet: gatewayKind("ListenerSet", "listenersets", ["v1"], { shortNames: ["lset"] }),
  BackendTLSPolicy: gatewayKind("BackendTLSPolicy", "backendtlspolicies", ["v1", "v1alpha3"], {
    shortNames: ["btlspolicy"],
  }),
  ReferenceGrant: gatewayKind("ReferenceGrant", "referencegrants", ["v1", "v1beta1"], {
    shortNames: ["refgrant"],
    hasStatus: false,
  }),
  Namespace: coreKind("Namespace", "namespaces", {
    shortNames: ["ns"],
    namespaced: false,
    hasStatus: true,
  }),
  Service: coreKind("Service", "services", { shortNames: ["svc"], hasStatus: true }),
  EndpointSlice: coreKind("EndpointSlice", "endpointslices", {
    group: "discovery.k8s.io",
    hasGeneration: true,
  }),
  Secret: coreKind("Secret", "secrets"),
  ConfigMap: coreKind("ConfigMap", "configmaps", { shortNames: ["cm"] }),
} as const satisfies Readonly<Record<string, KindInfo>>;

/**
 * Kinds of which a cluster holds objects and from which nothing is computed: the local cluster stores
 * them too. A Pod is only read, because nothing here would run it.
 */
const bystanderKinds = {
  Event: coreKind("Event", "events", { shortNames: ["ev"] }),
  Lease: coreKind("Lease", "leases", { group: "coordination.k8s.io" }),
  Pod: coreKind("Pod", "pods", { shortNames: ["po"], hasStatus: true, hasGeneration: true }),
} as const satisfies Readonly<Record<string, KindInfo>>;

/** Every kind that a cluster stores and weir knows, by its name. */
export const storedKinds = { ...kinds, ...bystanderKinds } as const;

/** The name of a kind in {@linkcode storedKinds}. */
export type StoredKind = keyof typeof storedKinds;

/** The name of every stored kind, in the order of the table. */
export const storedKindNames: readonly StoredKind[] = Object.keys(storedKinds).filter(isStoredKind);

/** Whether `name` is the name of a kind in {@linkcode storedKinds}. */
export function isStoredKind(name: string): name is StoredKind {
  return Object.hasOwn(storedKinds, name);
}

/** The name of a kind in {@linkcode kinds}. */
export type Kind = keyof typeof kinds;

/** Every kind's name, in the order of the table. */
export const kindNames: readonly Kind[] = Object.keys(kinds).filter(isKind);

/** Whether `name` is the name of a kind that weir knows. */
export function isKind(name: string): name is Kind {
  return Object.hasOwn(kinds, name);
}

/** `group/version`, or the version alone for the core group. */
export function apiVersionOf(info: KindInfo, version: string = info.versions[0] ?? "v1"): string {
  return info.group === "" ? version : `${info.group}/${version}`;
}

/** The kind that an object of `apiVersion` and `kind` is, when that version of it is known. */
export function findKind(apiVersion: string, kind: string): Kind | undefined {
  return isKind(kind) && isServed(kinds[kind], apiVersion) ? kind : undefined;
}

/** The same for {@linkcode storedKinds}. */
export function findStoredKind(apiVersion: string, kind: string): StoredKind | undefined {
  return isStoredKind(kind) && isServed(storedKinds[kind], apiVersion) ? kind : undefined;
}

function isServed(info: KindInfo, apiVersion: string): boolean {
  return info.versions.some((version) => apiVersionOf(info, version) === apiVersion);
}
