/**
 * The clusters and endpoints of a world: each that is referred to, once, with what it was made of.
 *
 * A cluster that stands behind several Gateways is made for each client certificate that it is shown.
 */

import { invariant } from "../../base/invariant.ts";
import type {
  CertificateName,
  Cluster,
  ClusterName,
  HttpRouteEntry,
  Listener,
  StreamRouteEntry,
} from "../../dataplane/model.ts";
import type { EnvoyCodec, ProtoObject } from "../codec.ts";
import { type EnvoyKind, messageNames } from "../resources.ts";
import { envoyClusterName, mergedClusterName, referredCluster } from "./cluster_names.ts";
import {
  assignmentMessage,
  clusterMessage,
  type ClusterOptions,
  hasNames,
  mergedAssignmentMessage,
  mergedClusterMessage,
  needsLookup,
} from "./cluster_resource.ts";
import { datagramCluster, type MergedCluster, sessionCluster } from "./merged_cluster.ts";
import type { ResourceMemo } from "./resource_memo.ts";
import type { UsedClusterIndex } from "./used_clusters.ts";

/** What a set is filled from, and into. */
export interface ClusterSetParts {
  readonly clusters: ReadonlyMap<ClusterName, Cluster>;
  readonly used: UsedClusterIndex;
  readonly memo: ResourceMemo;
  readonly codec: EnvoyCodec;
  readonly options: ClusterOptions;
}

type Certificate = CertificateName | undefined;

/** See the file's header. */
export class ClusterSet {
  readonly #parts: ClusterSetParts;
  readonly #seen = new Set<string>();

  constructor(parts: ClusterSetParts) {
    this.#parts = parts;
  }

  /** Puts the clusters of a listener's routes into the world. */
  addListener(listener: Listener, certificate: Certificate): void {
    const { names, sessions } = this.#parts.used.ofRoutes(listener);
    for (const name of names) this.#add(name, certificate);
    for (const entry of sessions) {
      const merged = this.sessionClusterOf(entry);
      if (merged !== undefined) {
        this.#addMerged(mergedClusterName(entry, certificate), merged, certificate);
      }
    }
    for (const { backends } of listener.streams) {
      for (const { cluster } of backends) {
        if (cluster !== undefined) this.#add(cluster, certificate);
      }
    }
  }

  /** The cluster for the sessions of `entry`, if it needs one and can have it. */
  sessionClusterOf(entry: HttpRouteEntry): MergedCluster | undefined {
    return sessionCluster(entry, this.#parts.clusters);
  }

  /** The name of the cluster for the datagrams of `entry`, which is put into the world. */
  datagramClusterOf(entry: StreamRouteEntry, certificate: Certificate): string {
    const merged = datagramCluster(entry, this.#parts.clusters);
    if (merged === undefined) {
      const only = entry.backends.find(({ weight, cluster }) =>
        weight > 0 && cluster !== undefined && this.#parts.clusters.has(cluster)
      );
      return referredCluster(only?.cluster, certificate);
    }
    const name = mergedClusterName(entry, certificate);
    this.#addMerged(name, merged, certificate);
    return name;
  }

  #add(clusterName: ClusterName, certificate: Certificate): void {
    const cluster = this.#parts.clusters.get(clusterName);
    const name = envoyClusterName(clusterName, certificate);
    if (cluster === undefined || this.#isSeen(name)) return;
    const { options } = this.#parts;
    const { origin, tls, addressType, appProtocol, endpoints } = cluster;
    const isLookedUp = hasNames(cluster);
    this.#put(
      "cluster",
      name,
      cluster,
      () => [origin, tls, addressType, appProtocol, isLookedUp && endpoints],
      [origin],
      () => clusterMessage(name, cluster, certificate, options),
    );
    if (isLookedUp) return;
    this.#put(
      "endpoints",
      name,
      cluster,
      () => [origin, endpoints],
      [origin],
      () => assignmentMessage(name, cluster),
    );
  }

  #addMerged(name: string, merged: MergedCluster, certificate: Certificate): void {
    if (this.#isSeen(name)) return;
    const { options } = this.#parts;
    const { shares, origin } = merged;
    const [first] = shares;
    invariant(first !== undefined, "A merged cluster has shares");
    const { tls, appProtocol } = first.cluster;
    const endpoints = shares.flatMap((
      { weight, cluster },
    ) => [weight, cluster.name, cluster.endpoints]);
    const isLookedUp = needsLookup(merged);
    const origins = [origin, ...new Set(shares.map(({ cluster }) => cluster.origin))];
    const parts = [...origins, tls, appProtocol, ...(isLookedUp ? endpoints : [])];
    const message = (): ProtoObject => mergedClusterMessage(name, merged, certificate, options);
    this.#put("cluster", name, shares, () => parts, origins, message);
    if (isLookedUp) return;
    const assignment = (): ProtoObject => mergedAssignmentMessage(name, merged);
    this.#put("endpoints", name, shares, () => [...origins, ...endpoints], origins, assignment);
  }

  #isSeen(name: string): boolean {
    if (this.#seen.has(name)) return true;
    this.#seen.add(name);
    return false;
  }

  #put(
    kind: EnvoyKind,
    name: string,
    whole: unknown,
    partsOf: () => readonly unknown[],
    origins: readonly Cluster["origin"][],
    message: () => ProtoObject,
  ): void {
    const { memo, codec } = this.#parts;
    const make = () => ({ bytes: codec.encode(messageNames[kind], message()), origins });
    memo.putOf(kind, name, whole, partsOf, make);
  }
}
