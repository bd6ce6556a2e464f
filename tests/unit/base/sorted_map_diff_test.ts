// What is overlooked here is a change that never reaches a data plane.

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { SortedMap } from "../../../src/base/sorted_map.ts";
import { diffSortedMaps } from "../../../src/base/sorted_map_diff.ts";

const key = fc.nat(400).map((number) => `k${number}`);
const change = fc.tuple(key, fc.option(fc.nat(3), { nil: undefined }));
const changes = fc.array(change, { maxLength: 300, size: "max" });

function naiveDiff(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name))
    .sort();
}

Deno.test("diffSortedMaps() finds every key with another value, and no other", () => {
  fc.assert(fc.property(changes, changes, fc.boolean(), (first, second, isCopy) => {
    const a = new SortedMap<string, number>().edit(first);
    const b = (isCopy ? a : new SortedMap<string, number>()).edit(second);
    assertEquals(diffSortedMaps(a, b), naiveDiff(a, b));
    assertEquals(diffSortedMaps(b, a), naiveDiff(a, b));
    assertEquals(diffSortedMaps(a, a), []);
  }));
});
