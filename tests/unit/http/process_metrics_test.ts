/**
 * What an operator would lose if these failed: CPU, memory and start time on existing dashboards.
 */

import { assertEquals, assertMatch } from "@std/assert";
import { MetricsRegistry } from "../../../src/base/metrics.ts";
import { registerProcessMetrics } from "../../../src/http/process_metrics.ts";

Deno.test("registerProcessMetrics() offers the usual names with values that are measured", () => {
  const registry = new MetricsRegistry();
  registerProcessMetrics(registry, Date.UTC(2026, 0, 1), "1.2.3");
  const text = registry.render();
  assertMatch(
    text,
    /^# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total [\d.]+$/m,
  );
  assertEquals(text.includes("process_cpu_seconds_total 0\n"), false);
  assertMatch(text, /^process_resident_memory_bytes \d{8,}$/m);
  assertMatch(text, /^process_heap_bytes \d{6,}$/m);
  assertMatch(text, /^process_start_time_seconds 1767225600$/m);
  assertMatch(text, /^weir_build_info\{version="1\.2\.3"\} 1$/m);
  assertEquals(text.includes("weir_metrics_read_errors_total"), false);
});
