/** Without a true size, an object too large for a real cluster is kept, or one that fits is refused. */

import { assertEquals } from "@std/assert";
import { jsonSize, nestingMax } from "../../../src/localkube/object_size.ts";

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

Deno.test("jsonSize() is at least the size of the JSON, and hardly more", () => {
  const values = [
    null,
    true,
    -1.5,
    "plain",
    "ä€😀",
    [],
    {},
    [1, "two", [3]],
    { a: { b: ["c", { d: null }] }, "e/f": "g", "€": "😀" },
  ];
  for (const value of values) {
    const size = jsonSize(value, 1000);
    const bytes = bytesOf(value);
    // A list or an object counts one comma too many.
    assertEquals(size >= bytes && size <= bytes + 8, true, `${JSON.stringify(value)}: ${size}`);
  }
});

Deno.test("jsonSize() counts what JSON has: no undefined field, nothing inherited", () => {
  const object: object = Object.assign(Object.create({ inherited: "x".repeat(100) }), { a: 1 });
  assertEquals(jsonSize(object, 1000), jsonSize({ a: 1 }, 1000));
  assertEquals(jsonSize({ a: 1, b: undefined }, 1000), jsonSize({ a: 1 }, 1000));
  assertEquals(jsonSize(JSON.parse('{"__proto__":"12345678"}'), 1000) > 20, true);
});

Deno.test("jsonSize() is infinite beyond the limit of size and of depth", () => {
  assertEquals(jsonSize("x".repeat(98), 100), 100);
  assertEquals(jsonSize("x".repeat(99), 100), Infinity);
  assertEquals(jsonSize({ a: "x".repeat(50), b: "x".repeat(50) }, 100), Infinity);
  assertEquals(Number.isFinite(jsonSize(nested(nestingMax), 10_000)), true);
  assertEquals(jsonSize(nested(nestingMax + 1), 10_000), Infinity);
});
