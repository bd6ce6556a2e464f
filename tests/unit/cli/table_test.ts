// What a user would lose: tables that stay aligned, fit the terminal and cannot steer it.

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { renderTable } from "../../../src/cli/table.ts";
import { cutText, wrap } from "../../../src/cli/wrap.ts";

const columns = [{ head: "NAME", isElastic: true }, { head: "STATE" }, {
  head: "DETAIL",
  isElastic: true,
}];

Deno.test("renderTable() aligns columns and leaves no spaces at the end of lines", () => {
  assertEquals(
    renderTable(columns, [["a", "ok", ""], ["longer", "wrong", "x y"]], 80),
    "NAME    STATE  DETAIL\na       ok\nlonger  wrong  x y\n",
  );
});

Deno.test("renderTable() cuts the widest elastic column first and keeps the others whole", () => {
  const rows = [["short-name", "inelastic-state", "d".repeat(50)]];
  assertEquals(
    renderTable(columns, rows, 50),
    "NAME        STATE            DETAIL\n" +
      `short-name  inelastic-state  ${"d".repeat(20)}…\n`,
  );
});

Deno.test("renderTable() makes control characters visible", () => {
  assertEquals(renderTable([{ head: "A" }], [["\u001b[31m\n"]], undefined), "A\n\\u001b[31m\\n\n");
});

Deno.test("renderTable() fits every width that the inelastic columns leave room for", () => {
  const cell = fc.string({ maxLength: 60, unit: "grapheme" });
  const state = fc.constantFrom("ok", "wrong", "waits");
  const rows = fc.array(fc.tuple(cell, state, cell), { maxLength: 8 });
  fc.assert(fc.property(rows, fc.integer({ min: 40, max: 120 }), (given, width) => {
    for (const line of renderTable(columns, given, width).split("\n")) {
      assert([...line].length <= width, line);
    }
  }));
});

Deno.test("cutText() counts characters, not code units", () => {
  assertEquals(cutText("🎉🎉🎉", 3), "🎉🎉🎉");
  assertEquals(cutText("🎉🎉🎉", 2), "🎉…");
  assertEquals(cutText("abc", 0), "");
});

Deno.test("wrap() breaks at spaces, indents every line and keeps long words whole", () => {
  assertEquals(wrap("one two three", 9, "  "), "  one two\n  three");
  assertEquals(wrap("a very-long-word b", 6), "a\nvery-long-word\nb");
  assertEquals(wrap("", 10), "");
});
