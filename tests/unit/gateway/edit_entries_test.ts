/** A list that is edited must be the one that sorting gives: by it the proxy serves. */

import fc from "fast-check";
import { assertEquals } from "@std/assert";
import { editEntries } from "../../../src/gateway/compute/edit_entries.ts";

interface Entry {
  readonly rank: number;
}

function byRank(a: Entry, b: Entry): number {
  return a.rank - b.rank;
}

Deno.test("editEntries() gives what sorting gives, however many come and go", () => {
  fc.assert(fc.property(
    fc.uniqueArray(fc.nat({ max: 500 }), { maxLength: 80 }),
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: 0, max: 60 }),
    (ranks, each, addedCount) => {
      const all = ranks.map((rank): Entry => ({ rank }));
      const added = all.slice(0, addedCount);
      const entries = all.slice(addedCount).sort(byRank);
      const before = [...entries];
      const removed = entries.filter((_, index) => index % each === 0).reverse();
      const wanted = [...entries.filter((entry) => !removed.includes(entry)), ...added];
      assertEquals(editEntries(entries, removed, added, byRank), wanted.sort(byRank));
      assertEquals(entries, before, "the list that was edited stays as it is");
    },
  ));
});
