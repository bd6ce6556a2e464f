/** What the routes of all kinds make of a listener, read from the folds of its parent. */

import type { ClusterName, StreamRouteEntry } from "../../dataplane/model.ts";
import type { DataPlaneCapabilities } from "../capabilities.ts";
import type { ListenerFrame } from "../gateway_frame.ts";
import { type ParentKey, parentOfOrigin, parseParentKey } from "../parent_keys.ts";
import { type RouteKind, routeKinds } from "../route_kinds.ts";
import type { ComputeView } from "./compute_view.ts";
import { type ListenerContent, mergeHttpEntries, noContent } from "./gateway_part.ts";
import {
  noParentShadows,
  type ParentShadows,
  type ShadowPlace,
  shadowPlace,
} from "./parent_shadows.ts";
import type { RouteShadows } from "./shadow_index.ts";
import type { ListenerRoutes } from "./parent_routes.ts";
import type { RouteQueries } from "./route_queries.ts";

type Routes = { readonly [K in RouteKind]: RouteQueries<K> };

/** The content of a listener. Only kinds that its protocol takes are read. */
export function contentOfListener(
  { routeKinds: served }: DataPlaneCapabilities,
  routes: Routes,
  { name, origin, protocol }: ListenerFrame,
): ListenerContent {
  const parent = parentOfOrigin(origin);
  switch (protocol) {
    case "HTTP":
    case "HTTPS": {
      const http = routes.HTTPRoute.ofParent.get(parent).get(name);
      const grpc = served.includes("GRPCRoute")
        ? routes.GRPCRoute.ofParent.get(parent).get(name)
        : undefined;
      return {
        ...noContent,
        routes: mergeHttpEntries(http?.entries ?? noContent.routes, grpc?.entries ?? []),
        clusters: mergeNames(http?.clusters ?? [], grpc?.clusters ?? []),
      };
    }
    case "TLS":
      return streamContent(routes.TLSRoute.ofParent.get(parent).get(name));
    case "TCP":
      return streamContent(routes.TCPRoute.ofParent.get(parent).get(name));
    case "UDP":
      return streamContent(routes.UDPRoute.ofParent.get(parent).get(name));
  }
}

function streamContent(found: ListenerRoutes<StreamRouteEntry> | undefined): ListenerContent {
  return found ? { ...noContent, streams: found.entries, clusters: found.clusters } : noContent;
}

function mergeNames(a: readonly ClusterName[], b: readonly ClusterName[]): readonly ClusterName[] {
  if (b.length === 0) return a;
  return a.length === 0 ? b : [...new Set([...a, ...b])].sort();
}

/** How many routes each listener of `parent` took, by its id; one without routes has no entry. */
export function countAttached(
  view: Pick<ComputeView, "ownListeners" | "setListeners">,
  routes: Routes,
  parent: ParentKey,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const kinds = kindsTaken(view, parent);
  for (const kind of routeKinds) {
    if (!kinds.has(kind)) continue;
    const found: ReadonlyMap<string, Pick<ListenerRoutes, "attachedRoutes">> = routes[kind].ofParent
      .get(parent);
    for (const [id, { attachedRoutes }] of found) {
      if (attachedRoutes > 0) counts.set(id, (counts.get(id) ?? 0) + attachedRoutes);
    }
  }
  return counts;
}

/** The kinds of routes that any listener of `parent` takes. */
export function kindsTaken(
  view: Pick<ComputeView, "ownListeners" | "setListeners">,
  parent: ParentKey,
): ReadonlySet<string> {
  const { kind, key } = parseParentKey(parent);
  const judged = kind === "Gateway" ? view.ownListeners(key) : view.setListeners(key);
  return new Set(
    judged?.listeners.flatMap(({ supportedKinds }) => supportedKinds.map((taken) => taken.kind)),
  );
}

/** Which routes of `parent` have entries that never serve, of the kinds that its listeners take. */
export function collectShadows(
  view: Pick<ComputeView, "ownListeners" | "setListeners">,
  routes: Routes,
  parent: ParentKey,
): ParentShadows {
  const found = new Map<ShadowPlace, RouteShadows>();
  const kinds = kindsTaken(view, parent);
  for (const kind of routeKinds) {
    if (!kinds.has(kind)) continue;
    const listeners: ReadonlyMap<string, Pick<ListenerRoutes, "shadows">> = routes[kind].ofParent
      .get(parent);
    for (const [id, { shadows }] of listeners) {
      if (shadows.size > 0) found.set(shadowPlace(kind, id), shadows);
    }
  }
  return found.size === 0 ? noParentShadows : found;
}
