/**
 * Everything that the engine computes, at one revision of the inputs.
 *
 * Outputs are immutable. A part that did not change keeps its identity from one revision to the
 * next, so consumers compare by reference.
 */

import type { DataPlaneConfig } from "../dataplane/model.ts";
import type { DesiredStatus } from "../kube/desired_status.ts";
import type { ObjectKey } from "../kube/object.ts";
import { byRouteKind, routeKinds } from "./route_kinds.ts";

/** The kinds that get a status. */
export const statusKinds = [
  "GatewayClass",
  "Gateway",
  "ListenerSet",
  ...routeKinds,
  "BackendTLSPolicy",
] as const;
/** One of {@linkcode statusKinds}. */
export type StatusKind = typeof statusKinds[number];

/** A value for each kind with a status. */
export type ByStatusKind<Value> = { readonly [K in StatusKind]: Value };

/** The table of what `make` returns for each kind. */
export function byStatusKind<Value>(make: (kind: StatusKind) => Value): ByStatusKind<Value> {
  return {
    GatewayClass: make("GatewayClass"),
    Gateway: make("Gateway"),
    ListenerSet: make("ListenerSet"),
    ...byRouteKind(make),
    BackendTLSPolicy: make("BackendTLSPolicy"),
  };
}

/** Whether `kind` is one of {@linkcode statusKinds}. */
export function isStatusKind(kind: string): kind is StatusKind {
  return statusKinds.some((known) => known === kind);
}

/** The wanted statuses of each kind; an object without one is none of ours. */
export type Statuses = ByStatusKind<ReadonlyMap<ObjectKey, DesiredStatus>>;

/** A Gateway as others want to know it: where it can be reached, for which names. */
export interface ResolvedGateway {
  readonly namespace: string;
  readonly name: string;
  /** Empty while it has none. */
  readonly addresses: readonly string[];
  /** The listeners that are served, those of ListenerSets too, in the order of precedence. */
  readonly listeners: readonly ResolvedListener[];
}

/** A listener that is served. */
export interface ResolvedListener {
  /** Unique within the Gateway: its name, or `namespace/set/name` of one in a ListenerSet. */
  readonly name: string;
  readonly port: number;
  readonly protocol: string;
  readonly hostname?: string;
  readonly attachedRoutes: number;
}

/** See the file's header. */
export interface Outputs {
  /** The revision of the inputs that all of this was computed from. */
  readonly revision: number;
  readonly statuses: Statuses;
  readonly dataPlane: DataPlaneConfig;
  readonly gateways: ReadonlyMap<ObjectKey, ResolvedGateway>;
}

/** The outputs before anything was computed. */
export const noOutputs: Outputs = {
  revision: 0,
  statuses: byStatusKind(() => new Map()),
  dataPlane: { revision: 0, gateways: new Map(), clusters: new Map(), certificates: new Map() },
  gateways: new Map(),
};
