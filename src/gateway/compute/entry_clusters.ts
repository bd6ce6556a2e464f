/** Which clusters an entry of a route leads to; one may come more than once. */

import { visitClustersOfAction } from "../../dataplane/action_clusters.ts";
import type { ClusterName, HttpRouteEntry, StreamRouteEntry } from "../../dataplane/model.ts";

/** For an entry of an HTTPRoute or GRPCRoute. */
export function visitClustersOfHttpEntry(
  { action }: HttpRouteEntry,
  visit: (cluster: ClusterName) => void,
): void {
  visitClustersOfAction(action, visit);
}

/** For an entry of a TLSRoute, TCPRoute or UDPRoute. */
export function visitClustersOfStreamEntry(
  { backends }: StreamRouteEntry,
  visit: (cluster: ClusterName) => void,
): void {
  for (const { cluster } of backends) if (cluster !== undefined) visit(cluster);
}
