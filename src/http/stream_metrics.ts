/** Metrics of the event streams: how many are open, and why they ended. */

import type { MetricsRegistry } from "../base/metrics.ts";

const reasons = ["Left", "TooSlow", "Draining", "AccessEnded"] as const;

/** Registers the metrics; what is returned is told why each stream ended. */
export function createStreamMetrics(
  registry: MetricsRegistry,
  open: () => number,
): (reason: typeof reasons[number]) => void {
  registry.read({
    name: "weir_api_streams",
    help: "Event streams of the HTTP API that are open.",
    type: "gauge",
    read: open,
  });
  const ended = registry.counter({
    name: "weir_api_streams_ended_total",
    help: "Event streams of the HTTP API that ended; TooSlow: the client did not keep up.",
    labels: { reason: reasons },
  });
  return (reason) => ended.with({ reason }).inc();
}
