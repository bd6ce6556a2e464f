/** Kubernetes Events as a subsystem: the writer behind what is told, and its metric. */

import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { MetricsRegistry } from "../base/metrics.ts";
import type { EventRecorder } from "../gateway/event_recorder.ts";
import type { ClusterTransport } from "../kube/cluster_transport.ts";
import type { EventOrigin } from "../kube/event_object.ts";
import { eventWriteOutcomes } from "../kube/event_outcome.ts";
import { EventWriter } from "../kube/event_writer.ts";
import type { LeaderGate } from "../kube/leader_gate.ts";
import type { Subsystem } from "./subsystem.ts";

/** What the writer is mounted on. */
export interface EventMountOptions {
  readonly transport: Pick<ClusterTransport, "request">;
  readonly gate: LeaderGate;
  readonly origin: EventOrigin;
  readonly registry: MetricsRegistry;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
}

/** The writer, running as one subsystem. */
export interface EventMount {
  readonly recorder: EventRecorder;
  /** Always ready: nobody waits for an Event. */
  readonly subsystem: Subsystem;
}

/** Builds it. */
export function mountEvents(options: EventMountOptions): EventMount {
  const { registry, log, ...parts } = options;
  const writes = registry.counter({
    name: "weir_event_writes_total",
    help: "Events that were written to the cluster, or dropped and why.",
    labels: { outcome: eventWriteOutcomes },
  });
  const writer = new EventWriter({
    ...parts,
    log: log.child({ subsystem: "events" }),
    onOutcome: (outcome) => writes.with({ outcome }).inc(),
  });
  const subsystem: Subsystem = {
    name: "events",
    onFailure: "restart",
    run: (signal) => writer.run(signal),
    ready: () => ({ ready: true, reason: "writes what changes, when it leads" }),
  };
  return { recorder: writer, subsystem };
}
