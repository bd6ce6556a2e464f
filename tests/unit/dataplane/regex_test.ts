/** What a user would lose: memory, or the whole process, to expressions that others write. */

import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import {
  compileRegex,
  REGEX_LENGTH_MAX,
  RegexCache,
  RegexError,
} from "../../../src/dataplane/regex.ts";

Deno.test("compileRegex() refuses what RE2 does not have, and what is too long", () => {
  for (const pattern of ["(", "(?=a)", "\\1", "a".repeat(REGEX_LENGTH_MAX + 1)]) {
    assertThrows(() => compileRegex(pattern), RegexError, "Cannot compile regular expression");
  }
});

Deno.test("compileRegex() takes linear time where backtracking would not end", () => {
  const regex = compileRegex("(a+)+b");
  assert(!regex.matches("a".repeat(5_000)));
  assert(regex.matches(`${"a".repeat(5_000)}b`));
});

Deno.test("RegexCache.get() keeps a bounded number of patterns, the latest ones", () => {
  const cache = new RegexCache(2);
  const a = cache.get("a");
  cache.get("b");
  assertStrictEquals(cache.get("a"), a);
  cache.get("c");
  assertEquals(cache.size, 2);
  assertStrictEquals(cache.get("a"), a);
});

Deno.test("RegexCache.get() answers an invalid pattern with its error", () => {
  const cache = new RegexCache();
  const error = cache.get("(");
  assert(error instanceof RegexError);
  assertStrictEquals(cache.get("("), error);
});
