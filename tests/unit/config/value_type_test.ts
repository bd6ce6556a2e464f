// What a user would lose: values that are read as they were meant, and refusals that say what to write.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import {
  booleanType,
  bytesType,
  durationType,
  enumType,
  integerType,
  pathType,
  stringType,
  type ValueType,
} from "../../../src/config/value_type.ts";

const day = 86_400_000;
const duration = durationType(0, day);
const bytes = bytesType(0, 2 ** 40);
const integer = integerType(-5, 100);
const word = enumType(["text", "json"]);

const good: readonly [type: ValueType<unknown>, text: string, value: unknown][] = [
  [duration, "250ms", 250],
  [duration, "10s", 10_000],
  [duration, "1.5s", 1500],
  [duration, "1.1s", 1100],
  [duration, "2m", 120_000],
  [duration, "1m30s", 90_000],
  [duration, "24h", day],
  [duration, "0", 0],
  [duration, "0s", 0],
  [bytes, "0", 0],
  [bytes, "4096", 4096],
  [bytes, "60KiB", 61_440],
  [bytes, "1MiB", 1_048_576],
  [bytes, "2GiB", 2_147_483_648],
  [integer, "100", 100],
  [integer, "-5", -5],
  [integer, "+7", 7],
  [booleanType, "true", true],
  [booleanType, "FALSE", false],
  [booleanType, "1", true],
  [booleanType, "0", false],
  [word, "json", "json"],
  [stringType, "any thing", "any thing"],
  [pathType, "a,b", "a,b"],
];

for (const [type, text, value] of good) {
  Deno.test(`${type.name} reads "${text}"`, () => {
    assertEquals(type.parse(text), { ok: true, value });
  });
}

const bad: readonly [type: ValueType<unknown>, text: string, problem: string][] = [
  [duration, "10", "is not a duration"],
  [duration, "", "is not a duration"],
  [duration, "-1s", "is not a duration"],
  [duration, "1d", "is not a duration"],
  [duration, "1s ", "is not a duration"],
  [duration, "1.0005s", "finer than a millisecond"],
  [duration, "25h", "out of range, wanted 0s to 24h"],
  [bytes, "60KB", "is not a number of bytes"],
  [bytes, "1.5MiB", "is not a number of bytes"],
  [bytes, "-1", "is not a number of bytes"],
  [bytes, "2000GiB", "out of range"],
  [integer, "101", "out of range, wanted -5 to 100"],
  [integer, "1.0", "is not a whole number"],
  [integer, "0x10", "is not a whole number"],
  [integer, "1e3", "is not a whole number"],
  [integer, "", "is not a whole number"],
  [integer, "9999999999999999", "is not a whole number"],
  [booleanType, "yes", `wanted "true" or "false"`],
  [word, "jsno", `did you mean "json"?`],
  [word, "JSON", `is not one of "text", "json"`],
  [stringType, "", "is empty"],
  [pathType, "", "is empty"],
  [pathType, "a\0b", "NUL"],
];

for (const [type, text, problem] of bad) {
  Deno.test(`${type.name} refuses "${text}" and says why`, () => {
    const parsed = type.parse(text);
    assert(!parsed.ok);
    assertStringIncludes(parsed.problem, problem);
  });
}

Deno.test("durations and sizes are read back as they were written", () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: day }), (ms) => {
    assertEquals(duration.parse(duration.format(ms)), { ok: true, value: ms });
  }));
  fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 40 }), (count) => {
    assertEquals(bytes.parse(bytes.format(count)), { ok: true, value: count });
  }));
});
