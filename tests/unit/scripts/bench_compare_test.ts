/** Without these a slower program could be reported as noise, or noise as a slower program. */

import { assertEquals, assertThrows } from "@std/assert";
import {
  type BenchFigures,
  compareBenches,
  formatDifferences,
  formatNanoseconds,
  readBenches,
} from "../../../scripts/bench_compare.ts";

function figures(min: number, avg: number, p75: number): BenchFigures {
  return { min, avg, p75, p99: p75 };
}

Deno.test("readBenches() names benchmarks by group and leaves failures out", () => {
  const ok = figures(1, 2, 3);
  const text = JSON.stringify({
    version: 1,
    benches: [
      { group: null, name: "a", results: [{ ok }] },
      { group: "match", name: "b", results: [{ ok }] },
      { group: null, name: "c", results: [{ failed: {} }] },
    ],
  });
  assertEquals([...readBenches(text).keys()], ["a", "match / b"]);
  assertThrows(() => readBenches("[]"), Error, "no report");
});

Deno.test("compareBenches() tells change from noise by the spread of both runs", () => {
  const before = new Map([
    ["gone", figures(1, 1, 1)],
    ["same", figures(90, 100, 110)],
    ["slow", figures(90, 100, 110)],
    ["fast", figures(90, 100, 110)],
  ]);
  const after = new Map([
    ["same", figures(105, 120, 130)],
    ["slow", figures(111, 120, 130)],
    ["fast", figures(70, 80, 89)],
    ["added", figures(1, 1, 1)],
  ]);
  assertEquals(compareBenches(before, after).map(({ name, verdict }) => [name, verdict]), [
    ["added", "new"],
    ["fast", "faster"],
    ["gone", "gone"],
    ["same", "noise"],
    ["slow", "slower"],
  ]);
});

Deno.test("formatDifferences() prints both averages and their ratio", () => {
  const before = new Map([["recompute", figures(1e6, 2e6, 2e6)]]);
  const after = new Map([["recompute", figures(3e6, 4e6, 4e6)]]);
  assertEquals(formatDifferences(compareBenches(before, after)), [
    "recompute   2.00 ms   4.00 ms  x2.00  slower",
  ]);
  assertEquals([5, 5e3, 5e9].map(formatNanoseconds), ["5.00 ns", "5.00 us", "5.00 s"]);
});
