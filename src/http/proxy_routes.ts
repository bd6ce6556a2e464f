/**
 * `/api/v1/proxy`: what the data plane serves and where it listens.
 */

import { type ProxyState, ProxyStateSchema } from "../api/proxy.ts";
import { RefusedError } from "./problem.ts";
import { jsonResponse, type Route, type RouteGroup } from "./route_group.ts";
import type { ProxyView } from "./views.ts";

/** The route that reads `proxy`. */
export function createProxyGroup(proxy: ProxyView): RouteGroup {
  const route: Route = {
    method: "GET",
    path: "/api/v1/proxy",
    summary: "Gateways with bound listeners, routes in order, clusters with endpoints",
    parameters: [{
      name: "gateway",
      in: "query",
      description: "NAMESPACE/NAME: only this Gateway and the clusters that it uses",
      example: "default/edge",
    }],
    responses: [{
      status: 200,
      description: "What was applied last",
      content: { "application/json": ProxyStateSchema },
    }],
    problems: { 404: ["NotFound"] },
    handle: ({ query }) => jsonResponse(selectGateway(proxy.state(), query["gateway"])),
  };
  return { routes: [route] };
}

/** The part of `state` that concerns one Gateway; all of it when none is named. */
export function selectGateway(state: ProxyState, key: string | undefined): ProxyState {
  if (key === undefined) return state;
  const gateways = state.gateways.filter(({ namespace, name }) => `${namespace}/${name}` === key);
  if (gateways.length === 0) {
    throw new RefusedError(
      404,
      "NotFound",
      "Find Gateway: the data plane serves none of this name, wanted NAMESPACE/NAME",
    );
  }
  const used = new Set<string | undefined>();
  for (const gateway of gateways) {
    for (const listener of gateway.listeners) {
      for (const { backends } of listener.routes) {
        for (const { cluster } of backends) used.add(cluster);
      }
    }
  }
  return { ...state, gateways, clusters: state.clusters.filter(({ name }) => used.has(name)) };
}
