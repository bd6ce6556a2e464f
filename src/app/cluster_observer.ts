/** What the informers tell: to the log once per change, to the metrics always. */

import type { MetricsRegistry } from "../base/metrics.ts";
import type { Logger } from "../base/log.ts";
import { openLabel } from "../base/metrics_labels.ts";
import type { InformerObserver } from "../kube/kind_informer.ts";
import { type KindPhase, kindPhases, type KindState } from "../kube/kind_state.ts";
import { type Kind, kindNames } from "../kube/kinds.ts";

/** What the observer reads of the informers, and tells of them. */
export interface ObservedCluster {
  states(): ReadonlyMap<Kind, KindState>;
  count(kind: Kind): number;
  /** A kind came, or went. */
  onKindChange(): void;
}

/** Makes the observer, with its metrics. */
export function createClusterObserver(
  registry: MetricsRegistry,
  log: Logger,
  cluster: ObservedCluster,
): InformerObserver {
  registry.read({
    name: "weir_cluster_objects",
    help: "Objects of the cluster that are kept in memory, by kind.",
    type: "gauge",
    labels: { kind: kindNames },
    read: () => kindNames.map((kind) => [{ kind }, cluster.count(kind)] as const),
  });
  registry.read({
    name: "weir_cluster_kind_state",
    help: "How the reading of each kind is: 1 for the phase that it is in.",
    type: "gauge",
    labels: { kind: kindNames, phase: kindPhases },
    read: () => [...cluster.states()].map(([kind, { phase }]) => [{ kind, phase }, 1] as const),
  });
  const snapshots = registry.counter({
    name: "weir_cluster_snapshots_total",
    help: "How often all objects of a kind were read, by kind and way.",
    labels: { kind: kindNames, how: ["list", "stream"] },
  });
  const faults = registry.counter({
    name: "weir_cluster_faults_total",
    help: "Failures of reading the cluster, by kind of object and class of failure.",
    labels: { kind: kindNames, fault: openLabel },
  });
  const phases = new Map<Kind, KindPhase>();
  return {
    onState(kind, state) {
      const before = phases.get(kind);
      if (before === state.phase) return;
      phases.set(kind, state.phase);
      tell(log, kind, before, state);
      if (state.phase === "absent" || before === "absent") cluster.onKindChange();
    },
    onSnapshot: (kind, how) => snapshots.with({ kind, how }).inc(),
    onFault(kind, error, waitMs) {
      faults.with({ kind, fault: error.kind }).inc();
      log.debug("Reading failed, trying again", {
        kind,
        message: error.message,
        retryInMs: waitMs,
      });
    },
  };
}

function tell(
  log: Logger,
  kind: Kind,
  before: KindPhase | undefined,
  { phase, reason, hasSnapshot }: KindState,
): void {
  const why = reason === undefined ? {} : { reason };
  if (phase === "stale" || phase === "forbidden") {
    const isKnown = hasSnapshot && before !== undefined && before !== "starting";
    const message = isKnown
      ? "A kind cannot be read; what is known of it stays"
      : "A kind cannot be read; weir check says what to do";
    log.warn(message, { kind, phase, ...why });
  } else if (phase === "absent") {
    // Without these nothing is served, which nobody means.
    const isNeeded = kind === "GatewayClass" || kind === "Gateway";
    if (isNeeded) log.warn("The cluster does not have a kind; install the CRDs", { kind });
    else log.info("The cluster does not have a kind; it is looked for again", { kind });
  } else if (before === "stale" || before === "forbidden" || before === "absent") {
    log.info("A kind is read again", { kind, phase });
  }
}
