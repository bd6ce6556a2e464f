/** A real cluster with all that belongs to it: who leads, what is read, Events. */

import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { MetricsRegistry } from "../base/metrics.ts";
import type { FeatureName } from "../config/features.ts";
import type { Config } from "../config/flags.ts";
import { alwaysLeader } from "../kube/leader_gate.ts";
import { createClusterWorld } from "./cluster_world.ts";
import { mountEvents } from "./event_mount.ts";
import { mountLeaderElection } from "./leader_mount.ts";
import { identityOf } from "./leader_names.ts";
import { mountClusterRequests, type OpenCluster } from "./open_cluster.ts";
import type { World } from "./world.ts";

/** What a cluster is mounted with. */
export interface ClusterMountOptions {
  readonly config: Config;
  readonly cluster: OpenCluster;
  readonly enabled: ReadonlySet<FeatureName>;
  readonly registry: MetricsRegistry;
  readonly clock: Clock;
  readonly random: () => number;
  /** A new RFC 4122 identifier at each call. */
  readonly newId: () => string;
  readonly log: Logger;
}

/** Builds it. Nothing is asked before its subsystems run. */
export function mountCluster(options: ClusterMountOptions): World {
  const { config, cluster, enabled, registry, clock, random, log } = options;
  const { transport, leaseTransport, namespace = "default", processName = "weir" } = cluster;
  const around = { config, registry, clock, random, log };
  mountClusterRequests(registry, cluster);
  const identity = identityOf(config.leaderElectionIdentity ?? processName, options.newId());
  const leader = enabled.has("leader-election")
    ? mountLeaderElection({ ...around, transport: leaseTransport, namespace, identity })
    : undefined;
  const events = mountEvents({
    ...around,
    transport,
    gate: leader?.gate ?? alwaysLeader,
    origin: { controllerName: config.controllerName, identity },
  });
  return createClusterWorld({ ...around, transport, events, ...leader ? { leader } : {} });
}
