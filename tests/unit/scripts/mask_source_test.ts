/** Without these the gates would find banned calls in comments, or miss them in templates. */

import { assertEquals } from "@std/assert";
import { lineAt, maskSource } from "../../../scripts/mask_source.ts";

const cases: readonly (readonly [name: string, source: string, masked: string])[] = [
  ["line comments", "a(); // b\nc();", "a();     \nc();"],
  ["block comments over lines", "a /* b\n b */ c", "a     \n      c"],
  ["an open block comment", "a /* b", "a     "],
  ["both kinds of quotes", `f("a", 'b')`, "f(   ,    )"],
  ["escaped quotes", String.raw`f("a\"b") + g`, "f(      ) + g"],
  ["comment signs in strings", `f("// no") + g`, "f(       ) + g"],
  ["quotes in comments", `f() // it's\ng("x")`, "f()        \ng(   )"],
  ["template text", "f(`a b`)", "f(     )"],
  ["template expressions are kept", "`a${b(1)}c` + d", "    b(1)    + d"],
  ["templates in templates", "`a${`x${y}z`}c` + d", "        y       + d"],
  ["braces in template expressions", "`${f({ a: 1 })} t`", "   f({ a: 1 })    "],
  ["regular expressions", `x = /"[/]'/g; y`, "x =         ; y"],
  ["a division", `a / b / c`, "a / b / c"],
  ["a division after a call", `f(a) / 2 + "x"`, "f(a) / 2 +    "],
  ["a regular expression after return", `return /'/.test(a)`, "return    .test(a)"],
];
for (const [name, source, masked] of cases) {
  Deno.test(`maskSource() handles ${name}`, () => {
    assertEquals(maskSource(source), masked);
  });
}

Deno.test("maskSource() keeps the length and the line breaks", () => {
  const source = 'const a = `\n${b}\n`;\n/* c\n */ const d = "e";\n';
  const masked = maskSource(source);
  assertEquals(masked.length, source.length);
  assertEquals(masked.split("\n").length, source.split("\n").length);
});

Deno.test("lineAt() counts from one", () => {
  assertEquals([0, 1, 2, 3, 4].map((index) => lineAt("a\nb\nc", index)), [1, 1, 2, 2, 3]);
});
