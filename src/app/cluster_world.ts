/**
 * A real cluster as the world of the engine: informers that read it, a client that writes statuses.
 *
 * What may not be read, or is not there, is told per kind: in readiness, in the log, as a metric and
 * among the problems of the state.
 */

import type { Config } from "../config/flags.ts";
import { ClusterObjectSource } from "../kube/cluster_object_source.ts";
import { type CachedObjects, ClusterStatusClient } from "../kube/cluster_status_client.ts";
import type { ClusterTransport } from "../kube/cluster_transport.ts";
import { alwaysLeader } from "../kube/leader_gate.ts";
import { type WriteLimits, WritePermits } from "../kube/write_permits.ts";
import { ApiBundleWatch } from "./api_bundle_watch.ts";
import { createClusterObserver } from "./cluster_observer.ts";
import { clusterReadiness, problemsOf } from "./cluster_readiness.ts";
import type { EventMount } from "./event_mount.ts";
import { givenObjects } from "./given_objects.ts";
import type { LeaderMount } from "./leader_mount.ts";
import { aborted } from "./run_together.ts";
import type { Subsystem } from "./subsystem.ts";
import { unreadNote } from "./unread_note.ts";
import type { World, WorldSurroundings } from "./world.ts";

/** The settings that decide what is read. */
export type ClusterWorldSettings = Pick<
  Config,
  | "controllerName"
  | "namespaces"
  | "secretNamespaces"
  | "gatewayClass"
  | "without"
  | "writesPerSecond"
  | "writesParallel"
>;

/** What the world is built from. */
export interface ClusterWorldOptions extends WorldSurroundings {
  readonly config: ClusterWorldSettings;
  readonly transport: ClusterTransport;
  /** Who may write; absent: this process does, whoever else is there. */
  readonly leader?: Pick<LeaderMount, "gate" | "subsystem">;
  /** Where Events go; absent: nowhere. */
  readonly events?: EventMount;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** Builds it. Nothing is read before it is followed. */
export function createClusterWorld(options: ClusterWorldOptions): World {
  const { config, transport, leader, events, clock, random, registry } = options;
  const log = options.log.child({ subsystem: "cluster" });
  const known = Promise.withResolvers<void>();
  const onKnown = (): void => known.resolve();
  const bundle = new ApiBundleWatch({ transport, clock, log, random, onKnown });
  // The release is told by the status of a class, which is not ours to write then.
  const asksForRelease = config.gatewayClass === undefined;
  if (!asksForRelease) onKnown();
  const source: ClusterObjectSource = new ClusterObjectSource({
    transport,
    clock,
    random,
    given: givenObjects(config),
    ...config.namespaces.length > 0 ? { namespaces: config.namespaces } : {},
    ...config.secretNamespaces.length > 0
      ? { namespacesOf: new Map([["Secret", config.secretNamespaces]]) }
      : {},
    observer: createClusterObserver(registry, log, {
      states: () => source.states(),
      count: (kind) => source.count(kind),
      onKindChange: () => bundle.look(),
    }),
  });
  const subsystem: Subsystem = {
    name: "cluster",
    onFailure: "restart",
    run: (signal) => asksForRelease ? bundle.run(signal) : aborted(signal),
    ready: () => clusterReadiness(source.states(), bundle.fault),
  };
  const gate = leader?.gate ?? alwaysLeader;
  return {
    objects: source,
    source: {
      get: (kind, key) => source.get(kind, key),
      follow: (kind, handler, signal) => source.follow(kind, handler, signal),
      onApiBundle: (listener) => bundle.onBundle(listener),
    },
    statusClient: new ClusterStatusClient(transport, writableObjects(source), clock),
    gate,
    permits: new WritePermits(gate, clock, writeLimits(config)),
    ...events ? { events: events.recorder } : {},
    subsystems: [
      ...leader ? [leader.subsystem] : [],
      subsystem,
      ...events ? [events.subsystem] : [],
    ],
    loaded: known.promise,
    problems: {
      list: () => problemsOf(source.states()),
      count: () => problemsOf(source.states()).length,
    },
    forkBase: () => ({
      isReal: true,
      absent: [...source.states()].filter(([, { phase }]) => phase === "absent")
        .map(([kind]) => kind),
      hasNamespaces: source.count("Namespace") > 0,
    }),
    unread: (kind, namespace) =>
      unreadNote(kind, namespace, { states: source.states(), settings: config }),
    wasRead: (kind) => source.wasRead(kind),
    knowsAbsence: (kind) => source.states().get(kind)?.phase === "live",
  };
}

/** After a quiet time as much goes at once as otherwise in this time, seconds. */
const burstSeconds = 5;

function writeLimits({ writesPerSecond, writesParallel }: ClusterWorldSettings): WriteLimits {
  const burst = writesPerSecond * burstSeconds;
  return { perSecond: writesPerSecond, burst, parallel: writesParallel, distanceMs: 1_000 };
}

/** What may be written: what the operator gave is not in the cluster, or not ours to write. */
function writableObjects(source: ClusterObjectSource): CachedObjects {
  return {
    get: (kind, key) =>
      source.states().get(kind)?.phase === "off" ? undefined : source.get(kind, key),
    states: () => source.states(),
  };
}
