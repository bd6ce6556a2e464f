/** Sets that are read in order: a member out of place would be looked for in vain. */

import fc from "fast-check";
import { assertEquals } from "@std/assert";
import { editSorted, noteEdit } from "../../../src/base/sorted_edits.ts";

Deno.test("editSorted() gives what a set would hold, sorted, whatever came and left meanwhile", () => {
  const step = fc.record({ text: fc.constantFrom(..."abcdefghij"), enters: fc.boolean() });
  fc.assert(fc.property(fc.array(fc.array(step, { maxLength: 12 })), (rounds) => {
    const model = new Set<string>();
    let list: readonly string[] = [];
    for (const steps of rounds) {
      const edits = new Map<string, boolean>();
      for (const { text, enters } of steps) {
        if (model.has(text) === enters) continue;
        if (enters) model.add(text);
        else model.delete(text);
        noteEdit(edits, text, enters);
      }
      const before = list;
      const copy = [...before];
      list = editSorted(list, edits);
      assertEquals(list, [...model].sort());
      assertEquals(before, copy);
    }
  }));
});
