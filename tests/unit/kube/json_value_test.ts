// Comparing JSON decides whether something is written or told again. A difference that is none means
// writes for ever; a missed one means a change that nobody sees.

import { assert, assertEquals } from "@std/assert";
import { compareStrings, equalJson } from "../../../src/kube/json_value.ts";

const same: readonly (readonly [unknown, unknown])[] = [
  [null, null],
  [{ a: 1, b: [2] }, { b: [2], a: 1 }],
  [{ a: undefined }, {}],
  [[{ a: undefined }], [{}]],
];
const different: readonly (readonly [unknown, unknown])[] = [
  [null, undefined],
  [null, {}],
  [{}, []],
  [[], {}],
  [[1, 2], [2, 1]],
  [[1], [1, 2]],
  [{ a: 1 }, { a: "1" }],
  [{ a: 1 }, { b: 1 }],
  [{}, { toString: 1 }],
  [{ a: { b: 1 } }, { a: { b: 1, c: null } }],
];

for (const [a, b] of same) {
  Deno.test(`equalJson() takes ${Deno.inspect(a)} and ${Deno.inspect(b)} for equal`, () => {
    assert(equalJson(a, b));
    assert(equalJson(b, a));
  });
}

for (const [a, b] of different) {
  Deno.test(`equalJson() tells ${Deno.inspect(a)} from ${Deno.inspect(b)}`, () => {
    assert(!equalJson(a, b));
    assert(!equalJson(b, a));
  });
}

Deno.test("compareStrings() orders by code unit, whatever the locale", () => {
  assertEquals(["b", "a", "Z", "ä", "a-b", "aa"].sort(compareStrings), [
    "Z",
    "a",
    "a-b",
    "aa",
    "b",
    "ä",
  ]);
});
