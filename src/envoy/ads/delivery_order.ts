/**
 * In which order the types are sent, so that nothing refers to what is not in service yet, and
 * nothing goes that is still referred to: make before break.
 *
 *     secrets, clusters, endpoints -> listeners -> routes, scopes -> extensions that change
 *     -> listeners that go -> scopes and routes -> clusters (after a time) -> the rest
 *
 * A step waits for the answers to those before it. Routes and a new cluster sent back to back gave
 * 42 errors in 25 changes. What Envoy asks for by a new name (a route, an extension, a secret) is
 * awaited by something that is not in service either, so it is sent as soon as the clusters are there.
 */

import type { EnvoyKind, EnvoyWorld } from "../resources.ts";
import type { TypeState } from "./type_state.ts";

/** The types of one stream. */
export type TypeStates = Readonly<Record<EnvoyKind, TypeState>>;

/** What may be sent now. */
export interface Gates {
  readonly mayAdd: (kind: EnvoyKind) => boolean;
  /** Whether a name that Envoy has may be replaced. */
  readonly mayChange: (kind: EnvoyKind) => boolean;
  readonly mayRemove: (kind: EnvoyKind) => boolean;
}

/**
 * Nothing to add and everything answered: a removal too, because the world may have changed its mind
 * while it was under way, and nobody knows yet what is lacking.
 */
function isDelivered({ pending, upserts }: TypeState): boolean {
  return upserts.size === 0 && !pending;
}

/** Nothing to remove and everything answered. */
function isCleared({ pending, removals }: TypeState): boolean {
  return removals.size === 0 && !pending;
}

/** Endpoints of clusters that have none yet; a change of others holds up nobody. */
function hasNewEndpoints({ cluster, endpoints }: TypeStates, names: Iterable<string>): boolean {
  if (!endpoints.isSeen) {
    // Of a stream that has just begun: Envoy has clusters and will ask for what is in them.
    for (const name of names) if (cluster.heldVersion(name) !== undefined) return true;
    return false;
  }
  for (const name of endpoints.upserts) {
    if (endpoints.heldVersion(name) === undefined) return true;
  }
  const { removed = [], sent = [] } = endpoints.pending ?? {};
  return removed.length > 0 ||
    sent.some(({ name }) => endpoints.heldVersion(name) === undefined);
}

/** Whether a stream that has just begun may still ask for routes, which point to clusters. */
function mayAskForRoutes({ route, scope }: TypeStates, { resources }: EnvoyWorld): boolean {
  return !route.isSeen && resources.route.size > 0 || !scope.isSeen && resources.scope.size > 0;
}

/** Whether Envoy asked for what names all else. */
export function hasAskedForParents({ cluster, listener }: TypeStates): boolean {
  return cluster.isSeen && listener.isSeen;
}

/** Whether Envoy asked for all that clusters and listeners name, as far as they are in service. */
export function hasAskedForChildren(states: TypeStates, { resources }: EnvoyWorld): boolean {
  const { cluster, endpoints, listener, scope } = states;
  if (endpoints.askedCount < Math.min(resources.endpoints.size, cluster.heldCount)) return false;
  if (listener.heldCount === 0) return true;
  return (scope.isSeen || resources.scope.size === 0) &&
    (["route", "secret", "extension"] as const).every((kind) =>
      states[kind].askedCount >= resources[kind].size
    );
}

/** The gates as they stand. `isAsking`: Envoy may not have asked for everything yet. */
export function computeGates(states: TypeStates, world: EnvoyWorld, isAsking: boolean): Gates {
  const endpointNames = world.resources.endpoints.keys();
  const { cluster, extension, listener, route, scope } = states;
  const hasClusters = cluster.isSeen && isDelivered(cluster) &&
    !hasNewEndpoints(states, endpointNames);
  const hasListeners = hasClusters && listener.isSeen && isDelivered(listener);
  const hasRoutes = hasListeners && isDelivered(route) && isDelivered(scope);
  const hasAll = hasRoutes && isDelivered(extension);
  const hasNoListener = hasAll && isCleared(listener);
  const hasNoRoute = hasNoListener && isCleared(scope) &&
    !(isAsking && mayAskForRoutes(states, world));
  const hasNoCluster = hasNoRoute && isCleared(cluster);
  const adding: Readonly<Record<EnvoyKind, boolean>> = {
    secret: true,
    cluster: true,
    endpoints: true,
    extension: hasClusters,
    listener: hasClusters,
    route: hasClusters,
    scope: hasListeners,
  };
  const changing: Readonly<Record<EnvoyKind, boolean>> = {
    ...adding,
    extension: hasRoutes,
    route: hasListeners,
  };
  const removing: Readonly<Record<EnvoyKind, boolean>> = {
    listener: hasAll,
    scope: hasNoListener,
    cluster: hasNoRoute,
    // Envoy gives these names up by itself when it loses what refers to them.
    route: hasNoCluster,
    endpoints: hasNoCluster,
    secret: hasNoCluster,
    extension: hasNoCluster,
  };
  return {
    mayAdd: (kind) => adding[kind],
    mayChange: (kind) => changing[kind],
    mayRemove: (kind) => removing[kind],
  };
}
