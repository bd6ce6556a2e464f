/**
 * What an operator would lose if these failed: a scrape that Prometheus can read, label values that
 * cannot forge samples, and a memory that stays bounded however many routes come and go.
 */

import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { InvariantError } from "../../../src/base/invariant.ts";
import { bucketsMax, MetricsRegistry } from "../../../src/base/metrics.ts";
import { labelValueLengthMax, openLabel } from "../../../src/base/metrics_labels.ts";

/** The sample lines of one metric, without HELP and TYPE. */
function samples(registry: MetricsRegistry, name: string): string[] {
  return registry.render().split("\n").filter((line) =>
    line.startsWith(`${name} `) || line.startsWith(`${name}{`)
  );
}

Deno.test("MetricsRegistry.render() writes the exposition format that Prometheus reads", () => {
  const registry = new MetricsRegistry();
  const requests = registry.counter({
    name: "weir_http_requests_total",
    help: "Requests answered, by method and class of status.",
    labels: { method: ["GET", "POST"], code: ["2xx", "5xx"] },
  });
  requests.with({ method: "GET", code: "2xx" }).inc();
  requests.with({ method: "GET", code: "2xx" }).inc(2);
  requests.with({ method: "POST", code: "5xx" }).inc(0.5);
  registry.gauge({ name: "weir_revision", help: "Line one\nand C:\\two." }).with({}).set(-3);
  const recompute = registry.histogram({
    name: "weir_recompute_seconds",
    help: "Time of a recompute.",
    buckets: [0.25, 0.5, 1],
    labels: { cause: openLabel },
  }).with({ cause: "spec" });
  for (const seconds of [0.125, 0.25, 0.75, 4]) recompute.observe(seconds);
  registry.read({ name: "weir_temperature", help: "Read.", type: "gauge", read: () => NaN });

  assertEquals(
    registry.render(),
    `# HELP weir_http_requests_total Requests answered, by method and class of status.
# TYPE weir_http_requests_total counter
weir_http_requests_total{method="GET",code="2xx"} 3
weir_http_requests_total{method="POST",code="5xx"} 0.5
# HELP weir_recompute_seconds Time of a recompute.
# TYPE weir_recompute_seconds histogram
weir_recompute_seconds_bucket{cause="spec",le="0.25"} 2
weir_recompute_seconds_bucket{cause="spec",le="0.5"} 2
weir_recompute_seconds_bucket{cause="spec",le="1"} 3
weir_recompute_seconds_bucket{cause="spec",le="+Inf"} 4
weir_recompute_seconds_sum{cause="spec"} 5.125
weir_recompute_seconds_count{cause="spec"} 4
# HELP weir_revision Line one\\nand C:\\\\two.
# TYPE weir_revision gauge
weir_revision -3
# HELP weir_temperature Read.
# TYPE weir_temperature gauge
weir_temperature NaN
`,
  );
});

Deno.test("MetricsRegistry.render() keeps a hostile label value inside its quotes", () => {
  const registry = new MetricsRegistry();
  const family = registry.counter({
    name: "weir_x_total",
    help: "X.",
    labels: { route: openLabel },
  });
  const hostile = ['a"} 1\nweir_forged_total 7\n#', "b\\", "c\r\nweir_forged_total 8", '",x="'];
  for (const route of hostile) family.with({ route }).inc();

  const lines = registry.render().trimEnd().split(/\r\n|\n|\r/);
  assertEquals(lines.slice(2), [
    'weir_x_total{route="a\\"} 1\\nweir_forged_total 7\\n#"} 1',
    'weir_x_total{route="b\\\\"} 1',
    'weir_x_total{route="c \\nweir_forged_total 8"} 1',
    'weir_x_total{route="\\",x=\\""} 1',
  ]);
});

Deno.test("Family.with() answers the series other beyond the cap and counts it", () => {
  const registry = new MetricsRegistry();
  const family = registry.counter({
    name: "weir_x_total",
    help: "X.",
    labels: { route: openLabel, code: ["2xx", "5xx"] },
    seriesMax: 2,
  });
  family.with({ route: "ns/a", code: "2xx" }).inc();
  family.with({ route: "ns/b", code: "2xx" }).inc();
  for (const route of ["ns/c", "ns/d"]) {
    family.with({ route, code: "2xx" }).inc(10);
    family.with({ route, code: "5xx" }).inc(100);
  }
  family.with({ route: "ns/a", code: "2xx" }).inc();

  assertEquals(samples(registry, "weir_x_total"), [
    'weir_x_total{route="ns/a",code="2xx"} 2',
    'weir_x_total{route="ns/b",code="2xx"} 1',
    'weir_x_total{route="other",code="2xx"} 20',
    'weir_x_total{route="other",code="5xx"} 200',
  ]);
  assertEquals(samples(registry, "weir_metrics_series_overflow_total"), [
    'weir_metrics_series_overflow_total{metric="weir_x_total"} 4',
  ]);
});

Deno.test("Family.with() gives neither an unlisted nor an oversized value a series", () => {
  const registry = new MetricsRegistry();
  const family = registry.counter<{ readonly a: typeof openLabel; readonly b: readonly string[] }>({
    name: "weir_x_total",
    help: "X.",
    labels: { a: openLabel, b: ["known"] },
  });
  family.with({ a: "x".repeat(labelValueLengthMax + 1), b: "known" }).inc();
  family.with({ a: "x", b: "made up by a client" }).inc();
  assertEquals(samples(registry, "weir_x_total"), [
    'weir_x_total{a="other",b="known"} 1',
    'weir_x_total{a="other",b="other"} 1',
  ]);
});

Deno.test("Family.with() tells apart labels whose values run together", () => {
  const registry = new MetricsRegistry();
  const family = registry.counter({
    name: "weir_x_total",
    help: "X.",
    labels: { a: openLabel, b: openLabel },
  });
  family.with({ a: "1:x", b: "y" }).inc();
  family.with({ a: "1", b: "x1:y" }).inc(5);
  assertEquals(samples(registry, "weir_x_total").length, 2);
});

Deno.test("Family.with() answers the same handle, so that a kept one and a new one agree", () => {
  const registry = new MetricsRegistry();
  const family = registry.gauge({ name: "weir_x", help: "X.", labels: { a: openLabel } });
  const kept = family.with({ a: "1" });
  kept.set(4);
  family.with({ a: "1" }).add(-1);
  assertEquals(kept === family.with({ a: "1" }), true);
  assertEquals(samples(registry, "weir_x"), ['weir_x{a="1"} 3']);
});

Deno.test("Family.remove() frees the places of routes that are gone, but never the series other", () => {
  const registry = new MetricsRegistry();
  const family = registry.counter({
    name: "weir_x_total",
    help: "X.",
    labels: { route: openLabel, code: ["2xx", "5xx"] },
    seriesMax: 2,
  });
  family.with({ route: "ns/a", code: "2xx" }).inc();
  family.with({ route: "ns/a", code: "5xx" }).inc();
  family.with({ route: "ns/b", code: "2xx" }).inc(7);

  assertEquals(family.remove({ route: "ns/a" }), 2);
  assertEquals(family.remove({ route: "ns/a" }), 0);
  assertEquals(family.remove({ route: "other" }), 0);
  family.with({ route: "ns/b", code: "2xx" }).inc();
  assertEquals(samples(registry, "weir_x_total"), [
    'weir_x_total{route="other",code="2xx"} 7',
    'weir_x_total{route="ns/b",code="2xx"} 1',
  ]);
});

Deno.test("MetricsRegistry.read() asks at each scrape and caps what it is told", () => {
  const registry = new MetricsRegistry();
  let ready = 1;
  registry.read({
    name: "weir_objects",
    help: "Objects by kind.",
    type: "gauge",
    labels: { kind: openLabel },
    seriesMax: 2,
    read: () => [
      [{ kind: "Gateway" }, ready],
      [{ kind: "HTTPRoute" }, 2],
      [{ kind: "Secret" }, 3],
      [{ kind: "Service" }, 4],
    ],
  });
  assertStringIncludes(registry.render(), 'weir_objects{kind="Gateway"} 1\n');
  ready = 5;
  assertEquals(samples(registry, "weir_objects"), [
    'weir_objects{kind="Gateway"} 5',
    'weir_objects{kind="HTTPRoute"} 2',
    'weir_objects{kind="other"} 7',
  ]);
});

Deno.test("MetricsRegistry.render() survives a metric that cannot be read, and says so", () => {
  const registry = new MetricsRegistry();
  registry.read({
    name: "weir_a",
    help: "A.",
    type: "gauge",
    read: () => {
      throw new Error("gone");
    },
  });
  registry.gauge({ name: "weir_b", help: "B." }).with({}).set(1);
  assertEquals(
    registry.render().split("\n").filter((line) => line !== "" && !line.startsWith("#")),
    ["weir_b 1", 'weir_metrics_read_errors_total{metric="weir_a"} 1'],
  );
});

Deno.test("Histogram.observe() puts a bound into its own bucket and the rest into +Inf", () => {
  const registry = new MetricsRegistry();
  const histogram = registry.histogram({ name: "weir_s_seconds", help: "S.", buckets: [1, 2] });
  for (const value of [1, 1.0000001, 2, Infinity]) histogram.with({}).observe(value);
  assertEquals(samples(registry, "weir_s_seconds_bucket"), [
    'weir_s_seconds_bucket{le="1"} 1',
    'weir_s_seconds_bucket{le="2"} 3',
    'weir_s_seconds_bucket{le="+Inf"} 4',
  ]);
  assertEquals(samples(registry, "weir_s_seconds_sum"), ["weir_s_seconds_sum +Inf"]);
});

Deno.test("MetricsRegistry refuses what Prometheus would refuse or misread", () => {
  const registry = new MetricsRegistry();
  registry.gauge({ name: "weir_taken", help: "T." });
  const refused: (() => unknown)[] = [
    () => registry.gauge({ name: "weir_taken", help: "T." }),
    () => registry.gauge({ name: "weir-dash", help: "D." }),
    () => registry.counter({ name: "weir_requests", help: "No _total." }),
    () => registry.gauge({ name: "weir_requests_total", help: "A gauge." }),
    () => registry.gauge({ name: "weir_l", help: "L.", labels: { __name__: openLabel } }),
    () => registry.gauge({ name: "weir_l", help: "L.", labels: { "a-b": openLabel } }),
    () =>
      registry.histogram({ name: "weir_h", help: "H.", labels: { le: openLabel }, buckets: [1] }),
    () => registry.histogram({ name: "weir_h", help: "H.", buckets: [1, 1] }),
    () => registry.histogram({ name: "weir_h", help: "H.", buckets: [1, Infinity] }),
    () =>
      registry.histogram({
        name: "weir_h",
        help: "H.",
        buckets: Array.from({ length: bucketsMax + 1 }, (_, index) => index),
      }),
    () => registry.counter({ name: "weir_down_total", help: "D." }).with({}).inc(-1),
    () => registry.counter({ name: "weir_nan_total", help: "N." }).with({}).inc(NaN),
  ];
  for (const attempt of refused) assertThrows(attempt, InvariantError);
});

Deno.test("Family.remove() with every label removes that series alone, and makes room for one", () => {
  const registry = new MetricsRegistry();
  const labels = { a: openLabel, b: openLabel } as const;
  const family = registry.counter({ name: "x_total", help: "X.", labels, seriesMax: 2 });
  family.with({ a: "1", b: "1" });
  family.with({ a: "1", b: "2" });
  assertEquals(family.remove({ a: "1", b: "3" }), 0);
  assertEquals(family.remove({ a: "1", b: "1" }), 1);
  assertEquals(family.remove({ a: "1", b: "1" }), 0);
  family.with({ a: "3", b: "3" });
  const text = registry.render();
  assertEquals(/^x_total\{a="1",b="1"\}/m.test(text), false);
  assertEquals(/^x_total\{a="1",b="2"\}/m.test(text), true);
  assertEquals(/^x_total\{a="3",b="3"\}/m.test(text), true);
});
