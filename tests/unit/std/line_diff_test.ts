/** Without these a failed test could not be read: the change drowned, or shown on the wrong side. */

import { assertEquals } from "@std/assert";
import { comparedLinesMax, diffLines } from "../../std/line_diff.ts";

function diff(actual: string, expected: string): string[] {
  return diffLines(actual.replaceAll(" ", "\n"), expected.replaceAll(" ", "\n"))
    .replaceAll("   ", "").split("\n");
}

Deno.test("diffLines() keeps common lines and marks both sides", () => {
  assertEquals(diff("a b c d", "a x c d e"), [" a", "-b", "+x", " c", " d", "+e"]);
  assertEquals(diff("a", "b"), ["-a", "+b"]);
  assertEquals(diff("a b", "b"), ["-a", " b"]);
});

Deno.test("diffLines() folds what is equal and far from a change", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `l${index}`);
  const changed = lines.with(10, "new");
  assertEquals(diffLines(lines.join("\n"), changed.join("\n")).split("\n"), [
    "    … 7 equal lines",
    "    l7",
    "    l8",
    "    l9",
    "-   l10",
    "+   new",
    "    l11",
    "    l12",
    "    l13",
    "    … 6 equal lines",
  ]);
});

Deno.test("diffLines() lists both sides when they are too long to compare", () => {
  const count = comparedLinesMax + 1;
  const side = (name: string): string =>
    Array.from({ length: count }, (_, index) => `${name}${index}`).join("\n");
  const lines = diffLines(side("a"), side("b")).split("\n");
  assertEquals(lines.length, 2 * count);
  assertEquals([lines[0], lines.at(-1)], ["-   a0", `+   b${count - 1}`]);
});
