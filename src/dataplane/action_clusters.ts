/** The clusters that a rule needs, whatever sends something there. */

import type { ClusterName, HttpFilter, HttpRouteAction } from "./model.ts";

/**
 * Calls `visit` for each cluster of backends, mirrors and external authorisation; one may come several
 * times. No generator: it is asked of every entry, and three for each were an eighth of all that a
 * computation from scratch allocated.
 */
export function visitClustersOfAction(
  { filters, backends }: HttpRouteAction,
  visit: (cluster: ClusterName) => void,
): void {
  visitClustersOfFilters(filters, visit);
  for (const backend of backends) {
    if (backend.cluster !== undefined) visit(backend.cluster);
    visitClustersOfFilters(backend.filters, visit);
  }
}

function visitClustersOfFilters(
  filters: readonly HttpFilter[],
  visit: (cluster: ClusterName) => void,
): void {
  for (const filter of filters) {
    if (filter.type === "RequestMirror") visit(filter.mirror.cluster);
    else if (filter.type === "ExternalAuth") visit(filter.auth.cluster);
  }
}
