/** The engine's and the status writers' metrics, registered in the process's registry. */

import { computeSecondsBuckets, type MetricsRegistry } from "../base/metrics.ts";
import { openLabel } from "../base/metrics_labels.ts";
import type { EngineMetrics } from "../gateway/engine_metrics.ts";
import { isStatusKind, statusKinds } from "../gateway/outputs.ts";
import { kindNames } from "../kube/kinds.ts";
import { type StatusWriteMetrics, writeConflicts } from "../kube/status_client.ts";

const outcomes = [
  "noop",
  "ok",
  "conflict",
  "dropped-stale",
  "gone",
  "forbidden",
  "invalid",
  "overloaded",
  "failed",
] as const;

const sampleResults = ["same", "different", "cut-short"] as const;

/** Registers the engine's metrics. */
export function mountEngineMetrics(registry: MetricsRegistry): EngineMetrics {
  const durations = registry.histogram({
    name: "weir_recompute_duration_seconds",
    help: "Time of one recompute with its diff.",
    buckets: computeSecondsBuckets,
  }).with({});
  const changes = registry.counter({
    name: "weir_recompute_changes_total",
    help: "Input changes that recomputes covered; per recompute it tells how many were coalesced.",
  }).with({});
  const inputs = registry.gauge({
    name: "weir_inputs",
    help: "Objects that the engine computes from, by kind.",
    labels: { kind: kindNames },
  });
  const samples = registry.counter({
    name: "weir_check_samples_total",
    help: "Gateways whose outputs were computed once more from scratch, by what was found.",
    labels: { result: sampleResults },
  });
  // There from the start: an alert on the increase does not see a series that begins with 1.
  for (const result of sampleResults) samples.with({ result });
  const depth = registry.gauge({
    name: "weir_event_source_depth",
    help: "Keys that wait for a status writer to start, by kind.",
    labels: { kind: kindNames },
  });
  return {
    recomputed(durationMs, changeCount) {
      durations.observe(durationMs / 1000);
      changes.inc(changeCount);
    },
    sampled: (result) => samples.with({ result }).inc(),
    inputCount: (kind, count) => inputs.with({ kind }).set(count),
    eventSourceDepth: (kind, count) => depth.with({ kind }).set(count),
  };
}

/**
 * Registers the revisions. They are read at each scrape, so that a lag shows also when the engine has
 * stopped.
 */
export function mountRevisionMetrics(
  registry: MetricsRegistry,
  state: { readonly revision: number; readonly outputs: { readonly revision: number } },
): void {
  registry.read({
    name: "weir_revision",
    help: "Revision of the inputs and of the published outputs; their distance is the lag.",
    type: "gauge",
    labels: { of: ["inputs", "outputs"] },
    read: () => [
      [{ of: "inputs" }, state.revision] as const,
      [{ of: "outputs" }, state.outputs.revision] as const,
    ],
  });
}

/** Registers the status writers' metrics. */
export function mountStatusMetrics(registry: MetricsRegistry): StatusWriteMetrics {
  const writes = registry.counter({
    name: "weir_status_writes_total",
    help:
      "Statuses that were looked at, by kind and outcome; only ok, conflict and faults were sent.",
    labels: { kind: statusKinds, outcome: outcomes },
  });
  const limited = registry.counter({
    name: "weir_status_limited_total",
    help: "Statuses with a list that had no room for all entries, by kind and list.",
    labels: { kind: statusKinds, list: openLabel },
  });
  const conflicts = registry.counter({
    name: "weir_status_conflicts_total",
    help: "Writes of a status that met a conflict (HTTP 409), by kind and reason.",
    labels: { kind: statusKinds, reason: writeConflicts },
  });
  return {
    conflict(kind, reason) {
      if (isStatusKind(kind)) conflicts.with({ kind, reason }).inc();
    },
    outcome(kind, outcome) {
      if (isStatusKind(kind)) writes.with({ kind, outcome }).inc();
    },
    limited(kind, list) {
      if (isStatusKind(kind)) limited.with({ kind, list }).inc();
    },
  };
}
