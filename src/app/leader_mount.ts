/** The leader election as a subsystem: what it is made of, and its metrics. */

import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import {
  type Family,
  type Histogram,
  type MetricsRegistry,
  requestSecondsBuckets,
} from "../base/metrics.ts";
import type { Config } from "../config/flags.ts";
import type { ClusterTransport } from "../kube/cluster_transport.ts";
import type { LeaderGate } from "../kube/leader_gate.ts";
import { leaseProblems } from "../kube/lease_client.ts";
import { LeaseElector } from "../kube/lease_elector.ts";
import type { LeaseMetrics } from "../kube/lease_metrics.ts";
import { leasePlaceOf, type ServedScope } from "./leader_names.ts";
import type { Subsystem } from "./subsystem.ts";

/** The settings of the election. */
export type LeaderSettings =
  & ServedScope
  & Pick<
    Config,
    | "leaderElectionNamespace"
    | "leaderElectionLeaseName"
    | "leaderElectionLeaseDurationMs"
    | "leaderElectionRenewDeadlineMs"
    | "leaderElectionRetryPeriodMs"
  >;

/** What the election is mounted on. */
export interface LeaderMountOptions {
  readonly config: LeaderSettings;
  /** Of the election alone: a renewal never waits behind other requests. */
  readonly transport: ClusterTransport;
  /** Of the pod or of the context. */
  readonly namespace: string;
  /** Of this process and no other, ever. */
  readonly identity: string;
  readonly registry: MetricsRegistry;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
}

/** The election, running as one subsystem. */
export interface LeaderMount {
  readonly gate: LeaderGate;
  /**
   * Started before all that writes, so that it stops after it. Ready whoever leads: every replica
   * computes and serves.
   */
  readonly subsystem: Subsystem;
}

/** Builds it. */
export function mountLeaderElection(options: LeaderMountOptions): LeaderMount {
  const { config, transport, identity, clock, random, registry } = options;
  const elector = new LeaseElector({
    transport,
    place: leasePlaceOf(config, options.namespace),
    identity,
    timing: {
      leaseMs: config.leaderElectionLeaseDurationMs,
      renewMs: config.leaderElectionRenewDeadlineMs,
      retryMs: config.leaderElectionRetryPeriodMs,
    },
    metrics: createLeaseMetrics(registry),
    clock,
    random,
    log: options.log.child({ subsystem: "leader-election" }),
  });
  const { gate } = elector;
  registry.read({
    name: "weir_leader",
    help: "1 while this replica leads and may write statuses, else 0.",
    type: "gauge",
    read: () => gate.isLeader() ? 1 : 0,
  });
  const subsystem: Subsystem = {
    name: "leader-election",
    onFailure: "restart",
    run: (signal) => elector.run(signal),
    ready: () => ({ ready: true, reason: elector.reason }),
  };
  return { gate, subsystem };
}

const actions = ["read", "create", "take", "renew"] as const;

function createLeaseMetrics(registry: MetricsRegistry): LeaseMetrics {
  const transitions = registry.counter({
    name: "weir_leader_transitions_total",
    help: "How often this replica began to lead, lost the lead, or gave it back as it stopped.",
    labels: { change: ["gained", "lost", "released"] },
  });
  const requests = registry.counter({
    name: "weir_leader_requests_total",
    help: "Requests about the Lease of the leader election, by what for and how they ended.",
    labels: { action: actions, outcome: ["ok", "absent", "conflict", ...leaseProblems] },
  });
  const seconds: Family<Histogram, { readonly action: typeof actions[number] }> = registry
    .histogram({
      name: "weir_leader_request_seconds",
      help:
        "How long requests about the Lease took; a renewal near the renew deadline is too late.",
      labels: { action: actions },
      buckets: requestSecondsBuckets,
    });
  for (const change of ["gained", "lost", "released"] as const) transitions.with({ change });
  return {
    transition: (change) => transitions.with({ change }).inc(),
    request(action, outcome, took) {
      requests.with({ action, outcome }).inc();
      seconds.with({ action }).observe(took);
    },
  };
}
