/** Which clusters an entry of a route leads to; one may come more than once. */

import { clustersOfAction } from "../../dataplane/action_clusters.ts";
import type { ClusterName, HttpRouteEntry, StreamRouteEntry } from "../../dataplane/model.ts";

/** For an entry of an HTTPRoute or GRPCRoute. */
export function clustersOfHttpEntry({ action }: HttpRouteEntry): Iterable<ClusterName> {
  return clustersOfAction(action);
}

/** For an entry of a TLSRoute, TCPRoute or UDPRoute. */
export function* clustersOfStreamEntry({ backends }: StreamRouteEntry): Generator<ClusterName> {
  for (const { cluster } of backends) if (cluster !== undefined) yield cluster;
}
