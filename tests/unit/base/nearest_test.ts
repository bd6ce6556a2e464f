// What a user would lose: "did you mean" that helps after a typing error and stays silent otherwise.

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { didYouMean, editDistance, nearestName } from "../../../src/base/nearest.ts";

const names = ["serve", "translate", "check", "version", "api-address", "port-shift"];

const cases: readonly [given: string, expected: string | undefined][] = [
  ["serv", "serve"],
  ["sevre", "serve"],
  ["SERVE", "serve"],
  ["translaet", "translate"],
  ["api-adress", "api-address"],
  ["api_address", "api-address"],
  ["portshift", "port-shift"],
  ["banana", undefined],
  ["x", undefined],
  ["", undefined],
  ["s".repeat(1000), undefined],
];

for (const [given, expected] of cases) {
  Deno.test(`nearestName() suggests ${expected ?? "nothing"} for "${given.slice(0, 20)}"`, () => {
    assertEquals(nearestName(given, names), expected);
  });
}

Deno.test("didYouMean() is a clause to append, or nothing", () => {
  assertEquals(didYouMean("serv", names), `, did you mean "serve"?`);
  assertEquals(didYouMean("banana", names), "");
});

Deno.test("editDistance() is a distance: zero for itself, symmetric, at most the longer length", () => {
  const word = fc.string({ maxLength: 12 });
  fc.assert(fc.property(word, word, (a, b) => {
    assertEquals(editDistance(a, a), 0);
    assertEquals(editDistance(a, b), editDistance(b, a));
    assertEquals(editDistance(a, b) <= Math.max(a.length, b.length), true);
    assertEquals(editDistance(a, b) === 0, a === b);
  }));
});
