// What a user would lose: a plan that tells that a bundle of certificates is another one.

import { assert, assertEquals, assertMatch } from "@std/assert";
import { fingerprint } from "../../../src/base/fingerprint.ts";

Deno.test("fingerprint() is short, always the same, and another for another text", () => {
  assertMatch(fingerprint(""), /^[0-9a-f]{16}$/);
  assertEquals(fingerprint("bundle"), fingerprint("bundle"));
  const texts = ["", "a", "b", "ab", "ba", "\0", "\ud800", "a".repeat(10_000), "a".repeat(10_001)];
  for (let index = 0; index < 20_000; index++) texts.push(`certificate ${index}`);
  assert(new Set(texts.map(fingerprint)).size === texts.length);
});
