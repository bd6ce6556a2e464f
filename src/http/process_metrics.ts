/**
 * Metrics of the process itself, under the names that Prometheus client libraries share, so that
 * existing dashboards find them. Read at each scrape; nothing runs in between.
 */

import process from "node:process";
import type { MetricsRegistry } from "../base/metrics.ts";
import { openLabel } from "../base/metrics_labels.ts";

/**
 * Registers the metrics.
 *
 * @param startedMs wall time of the start, milliseconds since the epoch
 * @param version version of the program
 */
export function registerProcessMetrics(
  registry: MetricsRegistry,
  startedMs: number,
  version: string,
): void {
  registry.read({
    name: "process_cpu_seconds_total",
    help: "User and system CPU time spent in seconds.",
    type: "counter",
    read: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  });
  registry.read({
    name: "process_resident_memory_bytes",
    help: "Resident memory size in bytes.",
    type: "gauge",
    read: () => Deno.memoryUsage().rss,
  });
  registry.read({
    name: "process_heap_bytes",
    help: "Memory that the JavaScript heap uses, in bytes.",
    type: "gauge",
    read: () => Deno.memoryUsage().heapUsed,
  });
  registry.read({
    name: "process_start_time_seconds",
    help: "Start time of the process since unix epoch in seconds.",
    type: "gauge",
    read: () => startedMs / 1000,
  });
  registry.gauge({
    name: "weir_build_info",
    help: "Always 1; the label says which version runs.",
    labels: { version: openLabel },
  }).with({ version }).set(1);
}
