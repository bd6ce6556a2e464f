/** The maps that outputs are: an entry that gets lost is a route that nobody serves. */

import fc from "fast-check";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { SortedMap } from "../../../src/base/sorted_map.ts";

const word = fc.string({ minLength: 1, maxLength: 2, unit: fc.constantFrom(..."abcdefgh") });
const change = fc.tuple(word, fc.option(fc.nat(), { nil: undefined }));

Deno.test("SortedMap.edit() makes what a Map would hold, sorted, and leaves the original alone", () => {
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 120 }), { maxLength: 12 }), (edits) => {
      const model = new Map<string, number>();
      let map = new SortedMap<string, number>();
      for (const changes of edits) {
        const before = map;
        const beforeEntries = [...before];
        map = map.edit(changes);
        for (const [key, value] of changes) {
          if (value === undefined) model.delete(key);
          else model.set(key, value);
        }
        const wanted = [...model].sort(([a], [b]) => a < b ? -1 : 1);
        assertEquals([...map], wanted);
        assertEquals([map.size, [...map.keys()], [...map.values()]], [
          wanted.length,
          wanted.map(([key]) => key),
          wanted.map(([, value]) => value),
        ]);
        for (const key of ["a", "bb", "zz"]) {
          assertEquals([map.get(key), map.has(key)], [model.get(key), model.has(key)]);
        }
        assertEquals([...before], beforeEntries);
        assert(map.runs.every(({ keys }) => keys.length > 0 && keys.length <= 64));
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("SortedMap.edit() of one entry shares all runs but one", () => {
  const entries = Array.from({ length: 10_000 }, (_, n): [string, number] => [`key-${n}`, n]);
  const map = new SortedMap<string, number>().edit(entries);
  const edited = map.edit([["key-77", -1]]);
  const shared = new Set(map.runs);
  assertEquals(edited.runs.filter((run) => !shared.has(run)).length, 1);
  assertEquals([edited.get("key-77"), map.get("key-77"), edited.size], [-1, 77, 10_000]);
  assertStrictEquals(map.edit([]), map);
});

Deno.test("SortedMap as JSON shows nothing, as a Map does", () => {
  assertEquals(JSON.stringify(new SortedMap<string, string>().edit([["a", "secret"]])), "{}");
});
