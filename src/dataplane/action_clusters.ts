/** The clusters that a rule needs, whatever sends something there. */

import type { ClusterName, HttpFilter, HttpRouteAction } from "./model.ts";

/** Clusters of backends, mirrors and external authorisation; one may come several times. */
export function* clustersOfAction({ filters, backends }: HttpRouteAction): Generator<ClusterName> {
  yield* clustersOfFilters(filters);
  for (const backend of backends) {
    if (backend.cluster !== undefined) yield backend.cluster;
    yield* clustersOfFilters(backend.filters);
  }
}

function* clustersOfFilters(filters: readonly HttpFilter[]): Generator<ClusterName> {
  for (const filter of filters) {
    if (filter.type === "RequestMirror") yield filter.mirror.cluster;
    else if (filter.type === "ExternalAuth") yield filter.auth.cluster;
  }
}
