/**
 * What an operator would lose if these failed: a scrape that no object's name can break, whatever
 * characters it holds.
 */

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { MetricsRegistry } from "../../../src/base/metrics.ts";
import { openLabel } from "../../../src/base/metrics_labels.ts";
import { formatNumber } from "../../../src/base/metrics_text.ts";

/** A sample line as the format defines it; undefined when it is not one. */
function parseSample(line: string): { labels: Record<string, string>; value: string } | undefined {
  const match = /^[a-z_]+\{((?:[a-z]+="(?:[^"\\]|\\["\\n])*",?)*)\} (\S+)$/s.exec(line);
  if (!match) return undefined;
  const labels: Record<string, string> = {};
  for (
    const [, name = "", text = ""] of match[1]?.matchAll(/([a-z]+)="((?:[^"\\]|\\.)*)"/gs) ?? []
  ) {
    labels[name] = text.replaceAll(
      /\\(.)/gs,
      (_, character: string) => character === "n" ? "\n" : character,
    );
  }
  return { labels, value: match[2] ?? "" };
}

Deno.test("Any label value is one line and comes back as it was", () => {
  const text = fc.string({ unit: "binary", maxLength: 30 });
  const nasty = fc.string({ unit: fc.constantFrom("\\", '"', "\n", "\r", "}", " ", "n", "1") });
  fc.assert(fc.property(fc.oneof(text, nasty), fc.oneof(text, nasty), (a, b) => {
    const registry = new MetricsRegistry();
    registry.counter({ name: "x_total", help: a, labels: { a: openLabel, b: openLabel } })
      .with({ a, b }).inc(3);
    const lines = registry.render().split("\n");
    assertEquals(lines.length, 4);
    assertEquals(lines.map((line) => line.startsWith("#")), [true, true, false, false]);
    const expected = { a: a.replaceAll("\r", " "), b: b.replaceAll("\r", " ") };
    assertEquals(parseSample(lines[2] ?? ""), { labels: expected, value: "3" });
  }));
});

Deno.test("formatNumber() writes what the format reads back", () => {
  assertEquals(
    [0, -0, 1.5, 1e21, 1e-7, Infinity, -Infinity, NaN].map(formatNumber),
    ["0", "0", "1.5", "1e+21", "1e-7", "+Inf", "-Inf", "NaN"],
  );
});
