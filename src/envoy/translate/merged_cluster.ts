/**
 * All backends of a rule as one cluster, for what Envoy cannot spread over several: sessions, which
 * name an endpoint and must find it whatever share is chosen, and datagrams.
 *
 * Each backend is a locality with its weight. That needs backends that are spoken to in one way and
 * have nothing of their own; others stay apart, and sessions hold within each.
 */

import { equal } from "../../base/equal.ts";
import {
  type Cluster,
  type ClusterName,
  clusterName,
  type Endpoint,
  type HttpRouteEntry,
  type Origin,
  type StreamRouteEntry,
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

/**
 * The cluster for the datagrams of `entry`, of which shares without an endpoint are dropped; undefined:
 * one backend takes all, or nobody any.
 */
export function datagramCluster(
  { backends, origin }: StreamRouteEntry,
  clusters: ReadonlyMap<ClusterName, Cluster>,
): MergedCluster | undefined {
  const wanted = backends.filter(({ weight }) => weight > 0);
  const shares = wanted.map(({ weight, cluster: name }) => {
    const cluster = name && clusters.get(name);
    const isServed = cluster !== undefined && cluster.endpoints.length > 0;
    return { weight, cluster: isServed ? cluster : discarding(origin) };
  });
  return shares.length < 2 ? undefined : { origin, shares };
}

/**
 * Envoy would give the share of a locality without endpoints to the others, so it has one where nobody
 * listens, or somebody who throws datagrams away (RFC 863); they never leave the machine.
 */
function discarding(origin: Origin): Cluster {
  const name = clusterName("", "discard", discard.port, "UDP");
  return { name, origin, port: discard.port, endpoints: discardEndpoints };
}

const discard: Endpoint = { address: "127.0.0.1", port: 9 };
const discardEndpoints = [discard];

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
