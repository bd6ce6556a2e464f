/** It is used where routes are computed: a list that lost an element would be a rule that is not served. */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { append } from "../../../src/base/append.ts";

Deno.test("append() makes a list of the first element and keeps it for the next ones", () => {
  const list = append(undefined, "a");
  assertStrictEquals(append(list, "b"), list);
  assertEquals(list, ["a", "b"]);
});
