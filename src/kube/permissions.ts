/**
 * The rights that weir needs in a cluster: one row for each resource and place, derived from the table
 * of kinds.
 *
 * What prints roles, what asks the API server whether they are given, and what reads and writes hold on
 * to the same rows: a kind that is added to the table is in all of them. Verbs are those of RBAC; there
 * is no wildcard, no create or delete of anything that is not ours but questions, and no right to a spec.
 */

import { gatewayCrdNames } from "./bundle_versions.ts";
import { isOptionalKind } from "./kind_state.ts";
import { type Kind, type KindInfo, kindNames, kinds } from "./kinds.ts";
import type { LeasePlace } from "./lease_record.ts";

/** What weir is asked to read and write. */
export interface PermissionScope {
  /** Namespaced kinds are read in these only; empty: in all. */
  readonly namespaces: readonly string[];
  /** Secrets are read in these only; empty: where the other kinds are. */
  readonly secretNamespaces: readonly string[];
  /** Kinds that are not read. */
  readonly without: readonly Kind[];
  /** Whether the operator vouches for the GatewayClass: it is neither read nor written. */
  readonly isClassGiven: boolean;
  /** Where replicas elect a leader; absent: they do not. */
  readonly lease?: LeasePlace;
}

/** What is wrong without a right. */
export type PermissionNeed =
  /** weir does not become ready, or writes no status. */
  | "required"
  /** Something is left out, with a reason. */
  | "optional";

/** Rights on one resource in one place. */
export interface Permission {
  /** API group; the core group is the empty string. */
  readonly group: string;
  /** Lower-case plural; a subresource follows a slash, as in `gateways/status`. */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Objects that the right is limited to; absent: all. */
  readonly names?: readonly string[];
  /** A namespace, or the whole cluster. */
  readonly place: "everywhere" | { readonly namespace: string };
  readonly need: PermissionNeed;
  /** What weir does with it, as a sentence without its full stop. */
  readonly purpose: string;
  /** The kind that is read or whose status is written; absent for what is not in the table of kinds. */
  readonly kind?: Kind;
}

/** Kinds whose status is one statement of ours, field by field, and is applied. */
const appliedStatuses: ReadonlySet<Kind> = new Set<Kind>([
  "GatewayClass",
  "Gateway",
  "ListenerSet",
]);
const gatewayGroup = kinds.Gateway.group;
const everywhere = "everywhere";

/** Kinds that are read with `scope`. Selectors of namespaces need the right to read all of them. */
export function readKinds(scope: PermissionScope): readonly Kind[] {
  return kindNames.filter((kind) => {
    if (scope.without.includes(kind)) return false;
    if (kind === "GatewayClass") return !scope.isClassGiven;
    if (kind === "Namespace") return scope.namespaces.length === 0;
    return true;
  });
}

/** Whether weir writes the status of `kind`: it does so for those of the Gateway API that have one. */
export function isStatusKind(kind: Kind): boolean {
  const { group, hasStatus }: KindInfo = kinds[kind];
  return group === gatewayGroup && hasStatus;
}

/** Every right that is needed for `scope`, in the order of the table of kinds. */
export function neededPermissions(scope: PermissionScope): readonly Permission[] {
  const read = readKinds(scope);
  return [
    ...read.flatMap((kind) => placesOf(kind, scope).map((place) => reading(kind, place))),
    ...read.filter(isStatusKind)
      .flatMap((kind) => placesOf(kind, scope).map((place) => statusWriting(kind, place))),
    ...crdReading(scope),
    ...eventWriting(scope),
    ...leaseWriting(scope),
    ...callerReviewing(scope),
  ];
}

/** `gateways.gateway.networking.k8s.io`, `gateways.gateway.networking.k8s.io/status`, as kubectl takes it. */
export function resourceName({ group, resource }: Pick<Permission, "group" | "resource">): string {
  const [plural = "", subresource] = resource.split("/");
  const name = group === "" ? plural : `${plural}.${group}`;
  return subresource === undefined ? name : `${name}/${subresource}`;
}

function placesOf(kind: Kind, scope: PermissionScope): readonly Permission["place"][] {
  const info: KindInfo = kinds[kind];
  if (!info.namespaced) return [everywhere];
  const namespaces = kind === "Secret" && scope.secretNamespaces.length > 0
    ? scope.secretNamespaces
    : scope.namespaces;
  return namespaces.length === 0 ? [everywhere] : namespaces.map((namespace) => ({ namespace }));
}

function reading(kind: Kind, place: Permission["place"]): Permission {
  const { group, plural }: KindInfo = kinds[kind];
  return {
    kind,
    group,
    resource: plural,
    // A status is written from the state that the cluster has now, which is one object.
    verbs: isStatusKind(kind) ? ["get", "list", "watch"] : ["list", "watch"],
    place,
    need: isOptionalKind(kind) ? "optional" : "required",
    purpose: readingPurposes[kind],
  };
}

const readingPurposes: Readonly<Record<Kind, string>> = {
  GatewayClass: "Find the classes that are ours",
  Gateway: "Serve them",
  HTTPRoute: "Serve them",
  GRPCRoute: "Serve them",
  TLSRoute: "Serve them",
  TCPRoute: "Serve them",
  UDPRoute: "Serve them",
  ListenerSet: "Serve their listeners",
  BackendTLSPolicy: "Know which backends are spoken to with TLS, and whom to trust",
  ReferenceGrant: "Know which references may cross namespaces",
  Namespace: "Match their labels with the selectors of listeners",
  Service: "Find the ports of backends",
  EndpointSlice: "Find the endpoints of backends",
  Secret: "Serve the certificates that listeners name",
  ConfigMap: "Trust the authorities that BackendTLSPolicies and Gateways name",
};

function statusWriting(kind: Kind, place: Permission["place"]): Permission {
  const { group, plural }: KindInfo = kinds[kind];
  return {
    kind,
    group,
    resource: `${plural}/status`,
    // Lists that belong to several controllers are written whole, at the version that was read.
    verbs: appliedStatuses.has(kind) ? ["patch", "update"] : ["update"],
    place,
    need: isOptionalKind(kind) ? "optional" : "required",
    purpose: "Say in the status what became of the object",
  };
}

function crdReading({ isClassGiven }: PermissionScope): Permission[] {
  if (isClassGiven) return [];
  return [{
    group: "apiextensions.k8s.io",
    resource: "customresourcedefinitions",
    verbs: ["get"],
    names: gatewayCrdNames,
    place: everywhere,
    need: "optional",
    purpose:
      "Know which release of the Gateway API is installed (SupportedVersion of a GatewayClass)",
  }];
}

function eventWriting({ namespaces }: PermissionScope): Permission[] {
  const places: readonly Permission["place"][] = namespaces.length === 0
    ? [everywhere]
    : namespaces.map((namespace) => ({ namespace }));
  return places.map((place) => ({
    group: "events.k8s.io",
    resource: "events",
    verbs: ["create", "patch"],
    place,
    need: "optional",
    purpose: "Tell what people look for with kubectl describe",
  }));
}

/**
 * Callers are of the whole cluster, and so is the right to ask about them. Who installs with Roles alone
 * does without: then the HTTP API of a pod answers probes only.
 */
function callerReviewing({ namespaces, isClassGiven }: PermissionScope): Permission[] {
  if (namespaces.length > 0 && isClassGiven) return [];
  const common = { verbs: ["create"], place: everywhere, need: "optional" } as const;
  return [
    {
      ...common,
      group: "authentication.k8s.io",
      resource: "tokenreviews",
      purpose: "Know who calls the HTTP API (TokenReview), such as Prometheus",
    },
    {
      ...common,
      group: "authorization.k8s.io",
      resource: "subjectaccessreviews",
      purpose: "Ask the cluster what a caller of the HTTP API may (SubjectAccessReview)",
    },
  ];
}

function leaseWriting({ lease }: PermissionScope): Permission[] {
  if (lease === undefined) return [];
  const { namespace, name } = lease;
  const common = {
    group: "coordination.k8s.io",
    resource: "leases",
    place: { namespace },
    need: "required",
  } as const;
  return [
    // The name of an object that is to be created is not known to who decides.
    { ...common, verbs: ["create"], purpose: "Make the Lease of the leader" },
    { ...common, verbs: ["get", "update"], names: [name], purpose: "Agree on the one that writes" },
  ];
}
