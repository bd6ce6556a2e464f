/**
 * All backends of a rule as one cluster, for what Envoy cannot spread over several: sessions, which
 * name an endpoint and must find it whatever share is chosen, and datagrams.
 *
 * Each backend is a locality with its weight. That needs backends that are spoken to in one way and
 * have nothing of their own; others stay apart, and sessions hold within each.
 */

import { equal } from "../../base/equal.ts";
import type {
  Cluster,
  ClusterName,
  HttpRouteEntry,
  Origin,
  StreamRouteEntry,
} from "../../dataplane/model.ts";

/** See the file's header. */
export interface MergedCluster {
  readonly origin: Origin;
  /** At least two, each with a weight above 0. */
  readonly shares: readonly MergedShare[];
}

/** The endpoints of one backend. */
export interface MergedShare {
  readonly weight: number;
  readonly cluster: Cluster;
}

/** The cluster for the sessions of `entry`; undefined: it has none, or needs none. */
export function sessionCluster(
  { action, origin }: HttpRouteEntry,
  clusters: ReadonlyMap<ClusterName, Cluster>,
): MergedCluster | undefined {
  if (action.sessionPersistence === undefined) return undefined;
  const backends = action.backends.filter(({ weight }) => weight > 0);
  if (backends.some(({ filters }) => filters.length > 0)) return undefined;
  const shares = sharesOf(backends, clusters);
  if (shares.length < Math.max(2, backends.length)) return undefined;
  return { origin, shares };
}

/** The cluster for the datagrams of `entry`: those of backends that are not there go to the others. */
export function datagramCluster(
  { backends, origin }: StreamRouteEntry,
  clusters: ReadonlyMap<ClusterName, Cluster>,
): MergedCluster | undefined {
  const shares = sharesOf(backends, clusters);
  return shares.length < 2 ? undefined : { origin, shares };
}

/** Those that can share a cluster with the first. */
function sharesOf(
  backends: readonly { readonly weight: number; readonly cluster?: ClusterName }[],
  clusters: ReadonlyMap<ClusterName, Cluster>,
): MergedShare[] {
  const shares: MergedShare[] = [];
  for (const { weight, cluster: name } of backends) {
    const cluster = name && clusters.get(name);
    if (cluster === undefined || weight === 0) continue;
    const first = shares[0]?.cluster ?? cluster;
    if (isSpokenToAlike(first, cluster)) shares.push({ weight, cluster });
  }
  return shares;
}

function isSpokenToAlike(a: Cluster, b: Cluster): boolean {
  return a.appProtocol === b.appProtocol && equal(a.tls, b.tls);
}
