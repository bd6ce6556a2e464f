// What a user would lose: log lines of a size that collectors take, whatever a field holds.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { formatJsonLine, formatTextLine } from "../../../src/base/log_line.ts";

function json(fields: Record<string, unknown>): unknown {
  const line = formatJsonLine({ timeMs: 0, level: "info", message: "m", fields });
  const { time: _time, level: _level, message: _message, ...rest } = JSON.parse(line);
  return rest;
}

const circular: Record<string, unknown> = { name: "a" };
circular.self = circular;

const throwing = {
  get value(): never {
    throw new Error("no");
  },
};

const cases: readonly [name: string, value: unknown, expected: unknown][] = [
  ["error with causes", new Error("a", { cause: new Error("b", { cause: 1 }) }), "a: b"],
  ["error without a message", new TypeError(), "TypeError"],
  ["date", new Date(0), "1970-01-01T00:00:00.000Z"],
  ["invalid date", new Date(NaN), "-"],
  ["map", new Map([["a", 1]]), { a: 1 }],
  ["set", new Set([1, 2]), [1, 2]],
  ["bigint", 12n, "12"],
  ["not a number", NaN, "NaN"],
  ["null", null, null],
  ["bytes", new Uint8Array(3), "[3 bytes]"],
  ["getter that throws", throwing, "[unprintable]"],
  ["list with a hole", [undefined, 1], [null, 1]],
  ["function", () => 1, undefined],
  ["absent", undefined, undefined],
];

for (const [name, value, expected] of cases) {
  Deno.test(`formatJsonLine() has a form for a field: ${name}`, () => {
    assertEquals(json({ value }), expected === undefined ? {} : { value: expected });
  });
}

Deno.test("formatJsonLine() ends for an object that holds itself", () => {
  assertStringIncludes(JSON.stringify(json({ circular })), "[…]");
});

Deno.test("formatJsonLine() never lets a field replace time, level or message", () => {
  assertEquals(json({ time: 1, level: 2, message: 3 }), { time_: 1, level_: 2, message_: 3 });
});

Deno.test("formatTextLine() and formatJsonLine() bound what a field may add", () => {
  const fields = {
    text: "x".repeat(100_000),
    list: Array.from({ length: 10_000 }, () => 1),
    object: Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 1])),
  };
  const line = { timeMs: 0, level: "info", message: "m".repeat(100_000), fields };
  assert(formatTextLine(line).length < 12_000);
  assert(formatJsonLine(line).length < 12_000);
});

Deno.test("formatTextLine() writes lists of words with commas, other lists as JSON", () => {
  const fields = { hosts: ["a.example", "*.b"], odd: ["a,b"], none: [] };
  const line = formatTextLine({ timeMs: 0, level: "info", message: "m", fields });
  assertStringIncludes(line, `m hosts=a.example,*.b odd="[\\"a,b\\"]" none="[]"\n`);
});

Deno.test("formatTextLine() quotes a value that could be read as two", () => {
  const line = formatTextLine({
    timeMs: 0,
    level: "warn",
    message: "m",
    fields: { a: "x y=1", b: 'say "hi"', c: "", d: "ns/name:80", e: { k: 1 } },
  });
  assertEquals(
    line,
    '1970-01-01T00:00:00.000Z warn  m a="x y=1" b="say \\"hi\\"" c="" d=ns/name:80 e="{\\"k\\":1}"\n',
  );
});
