/** The kinds of routes, and tables with a value for each. */

import type { Brand } from "../base/brand.ts";
import { invariant } from "../base/invariant.ts";
import { type ObjectKey, objectKey } from "../kube/object.ts";

/** Every kind of route of the Gateway API. */
export const routeKinds = ["HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute"] as const;
/** One of {@linkcode routeKinds}. */
export type RouteKind = typeof routeKinds[number];

/** A value for each kind of route. */
export type ByRouteKind<Value> = { readonly [K in RouteKind]: Value };

/** Whether `kind` is one of {@linkcode routeKinds}. */
export function isRouteKind(kind: string): kind is RouteKind {
  return routeKinds.some((known) => known === kind);
}

/** The table of what `make` returns for each kind. */
export function byRouteKind<Value>(make: (kind: RouteKind) => Value): ByRouteKind<Value> {
  return {
    HTTPRoute: make("HTTPRoute"),
    GRPCRoute: make("GRPCRoute"),
    TLSRoute: make("TLSRoute"),
    TCPRoute: make("TCPRoute"),
    UDPRoute: make("UDPRoute"),
  };
}

/** A route among those of all kinds: its kind and its key. */
export type RouteId = Brand<"RouteId">;

/** The id of the route `key` of `kind`. */
export function routeId(kind: RouteKind, key: ObjectKey): RouteId {
  return `${kind} ${key}` as RouteId;
}

/** The route behind `id`. Names of kinds hold no space. */
export function parseRouteId(id: RouteId): { readonly kind: RouteKind; readonly key: ObjectKey } {
  const space = id.indexOf(" ");
  const kind = id.slice(0, space);
  invariant(isRouteKind(kind), `not the id of a route: ${id}`);
  return { kind, key: objectKey(undefined, id.slice(space + 1)) };
}
