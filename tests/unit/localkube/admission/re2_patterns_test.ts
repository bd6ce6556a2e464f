/** Patterns are matched as the API server does, and their cache cannot grow without end. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { Re2Patterns } from "../../../../src/localkube/admission/re2_patterns.ts";

Deno.test("Re2Patterns.test() matches anywhere unless the pattern is anchored", () => {
  const patterns = new Re2Patterns();
  assertEquals(
    [patterns.test("b", "abc"), patterns.test("^b", "abc"), patterns.test("^(?i)ABC$", "abc")],
    [true, false, true],
  );
});

Deno.test("Re2Patterns.compile() keeps a compiled pattern, and drops the oldest past its limit", () => {
  const patterns = new Re2Patterns();
  const first = patterns.compile("first");
  assert(patterns.compile("first") === first);
  for (let index = 0; index < 255; index++) patterns.compile(`p${index}`);
  assert(patterns.compile("first") === first);
  patterns.compile("one more");
  assert(patterns.compile("first") !== first);
});

Deno.test("Re2Patterns.compile() refuses what RE2 does not have", () => {
  assertThrows(() => new Re2Patterns().compile("(?=a)"));
});
