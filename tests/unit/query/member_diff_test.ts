/** A member that is missed is a route that is served for ever, or never. */

import fc from "fast-check";
import { assertEquals } from "@std/assert";
import { diffMembers } from "../../../src/query/member_diff.ts";

Deno.test("diffMembers() finds what came and what left, whatever the order", () => {
  const list = fc.shuffledSubarray(["a", "b", "c", "d", "e", "f"]);
  fc.assert(fc.property(list, list, (before, after) => {
    const { added, removed } = diffMembers(before, after);
    assertEquals([...added].sort(), after.filter((member) => !before.includes(member)).sort());
    assertEquals([...removed].sort(), before.filter((member) => !after.includes(member)).sort());
  }));
});

Deno.test("diffMembers() of lists of repeated beginnings counts nobody twice", () => {
  assertEquals(diffMembers(["a", "b"], ["a"]), { added: [], removed: ["b"] });
  assertEquals(diffMembers(["b", "a"], ["a"]), { added: [], removed: ["b"] });
  assertEquals(diffMembers<string>([], ["a"]), { added: ["a"], removed: [] });
});
