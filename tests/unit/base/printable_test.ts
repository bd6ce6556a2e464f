// What a user would lose: a terminal and logs that nothing in a manifest can steer or forge.

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { toPrintable } from "../../../src/base/printable.ts";

const cases: readonly [text: string, expected: string][] = [
  ["plain text, ünïcode 日本 🎉", "plain text, ünïcode 日本 🎉"],
  ["a\nb\r\tc", "a\\nb\\r\\tc"],
  ["\u001b[31mred", "\\u001b[31mred"],
  ["\u0000\u007f\u0085\u009b", "\\u0000\\u007f\\u0085\\u009b"],
  ["a\u2028b\u2029", "a\\u2028b\\u2029"],
  ["\u202eevil\u2066", "\\u202eevil\\u2066"],
  ["half \ud83d of a pair", "half \\ud83d of a pair"],
];

for (const [text, expected] of cases) {
  Deno.test(`toPrintable() shows ${expected}`, () => {
    assertEquals(toPrintable(text), expected);
  });
}

Deno.test("toPrintable() leaves nothing that is not printable, and is stable", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const printable = toPrintable(text);
    assertEquals(/\p{Cc}|\p{Cs}/u.test(printable), false);
    assertEquals(toPrintable(printable), printable);
  }));
});
