/** A wrong answer here hides a change from everybody, or wakes everybody for none. */

import fc from "fast-check";
import { assertEquals, assertStrictEquals } from "@std/assert";
import { equal, share } from "../../../src/base/equal.ts";

const cases: readonly (readonly [unknown, unknown, boolean])[] = [
  [1, 1, true],
  [1, "1", false],
  [NaN, NaN, true],
  [null, undefined, false],
  [null, {}, false],
  [[], {}, false],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [[1], [1, 2], false],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: undefined }, {}, false],
  [{ a: undefined }, { b: undefined }, false],
  [{ toString: 1 }, {}, false],
  [{}, { toString: 1 }, false],
  [new Map([["a", [1]]]), new Map([["a", [1]]]), true],
  [new Map([["a", 1]]), new Map([["a", 2]]), false],
  [new Map([["a", undefined]]), new Map([["b", undefined]]), false],
  [new Map(), {}, false],
  [{}, new Map(), false],
];

for (const [a, b, wanted] of cases) {
  Deno.test(`equal(${Deno.inspect(a)}, ${Deno.inspect(b)}) is ${wanted}`, () => {
    assertEquals(equal(a, b), wanted);
    assertEquals(equal(b, a), wanted);
  });
}

Deno.test("equal() says of JSON what its text says", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
    assertEquals(equal(a, structuredClone(a)), true);
    if (JSON.stringify(a) === JSON.stringify(b)) assertEquals(equal(a, b), true);
    else if (equal(a, b)) assertEquals(sortedText(a), sortedText(b));
  }));
});

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (Object.is(part, -0)) return 0;
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => a < b ? -1 : 1));
  });
}

Deno.test("share() returns data equal to the newer argument and leaves both unchanged", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
    const beforeText = JSON.stringify(before);
    const afterText = JSON.stringify(after);
    assertEquals(equal(share(before, after), after), true);
    assertEquals(JSON.stringify(before), beforeText);
    assertEquals(JSON.stringify(after), afterText);
  }));
});

Deno.test("share() of equal data is the older argument itself", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    assertStrictEquals(share(value, structuredClone(value)), value);
  }));
});

Deno.test("share() keeps the elements around an insertion, so that one new route changes one", () => {
  const before = [{ id: 1 }, { id: 2 }, { id: 3 }];
  const after = share(before, [{ id: 1 }, { id: 9 }, { id: 2 }, { id: 3 }]);
  assertEquals(after, [{ id: 1 }, { id: 9 }, { id: 2 }, { id: 3 }]);
  assertStrictEquals(after[0], before[0]);
  assertStrictEquals(after[2], before[1]);
  assertStrictEquals(after[3], before[2]);
});

Deno.test("share() keeps what is left after a removal and the parts beside a change", () => {
  const before = { list: [{ id: 1 }, { id: 2 }], other: { deep: [1] } };
  const after = share(before, { list: [{ id: 2 }], other: { deep: [1] } });
  assertStrictEquals(after.list[0], before.list[1]);
  assertStrictEquals(after.other, before.other);
});
