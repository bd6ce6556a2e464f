/** Without these every other test could pass for the wrong reason. */

import {
  assert,
  assertEquals,
  assertExists,
  assertInstanceOf,
  AssertionError,
  assertMatch,
  assertNotEquals,
  assertNotMatch,
  assertNotStrictEquals,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
  fail,
} from "@std/assert";

/** The message of the AssertionError that `fn` throws; independent of the assertions under test. */
function failureOf(fn: () => unknown): string {
  try {
    fn();
  } catch (error) {
    if (error instanceof AssertionError) return error.message;
    throw error;
  }
  throw new Error("Assertion passed, a failure was wanted");
}

async function rejectionOf(fn: () => Promise<unknown>): Promise<string> {
  const outcome = await fn().then(() => undefined, (error: unknown) => error);
  if (outcome instanceof AssertionError) return outcome.message;
  throw new Error("Assertion passed, a failure was wanted", { cause: outcome });
}

const equalPairs: readonly (readonly [unknown, unknown])[] = [
  [{ a: 1, b: [2, { c: 3 }] }, { b: [2, { c: 3 }], a: 1 }],
  [new Map([["a", new Set([1])]]), new Map([["a", new Set([1])]])],
  [NaN, NaN],
  [new Date(5), new Date(5)],
  [new Uint8Array([1, 2]), new Uint8Array([1, 2])],
];
const differentPairs: readonly (readonly [unknown, unknown])[] = [
  [{ a: 1 }, { a: 1, b: undefined }],
  [[1, 2], [2, 1]],
  [0, -0],
  ["1", 1],
  [null, undefined],
  [new Map([["a", 1]]), new Map([["a", 2]])],
  [new (class A {})(), new (class B {})()],
  [new Uint8Array([1]), [1]],
];

Deno.test("assertEquals() and assertNotEquals() agree on what is equal", () => {
  for (const [a, b] of equalPairs) {
    assertEquals(a, b);
    failureOf(() => assertNotEquals(a, b));
  }
  for (const [a, b] of differentPairs) {
    failureOf(() => assertEquals(a, b));
    assertNotEquals(a, b);
  }
});

Deno.test("assertEquals() shows the lines that differ, with sorted keys, and the message", () => {
  const message = failureOf(() => assertEquals({ b: 1, a: 2 }, { a: 2, b: 3 }, "totals"));
  assertMatch(message, /^Values are not equal: totals\n/);
  assertMatch(message, / {5}a: 2,\n- {5}b: 1,\n\+ {5}b: 3,/);
});

Deno.test("assertStrictEquals() compares identity", () => {
  const a = { x: 1 };
  assertStrictEquals(a, a);
  assertNotStrictEquals(a, { x: 1 });
  assertStringIncludes(failureOf(() => assertStrictEquals(a, { x: 1 })), "not reference-equal");
  failureOf(() => assertStrictEquals(1, 2));
  failureOf(() => assertNotStrictEquals(a, a));
});

Deno.test("assert(), assertExists() and fail() refuse what they say", () => {
  assert("x");
  assertExists(0);
  for (const value of [0, "", null, undefined, NaN, false]) failureOf(() => assert(value, "no"));
  for (const value of [null, undefined]) failureOf(() => assertExists(value));
  assertStringIncludes(failureOf(() => fail("why")), "why");
});

Deno.test("assertMatch(), assertNotMatch() and assertStringIncludes() look at the text", () => {
  assertMatch("abc", /b/);
  assertNotMatch("abc", /x/);
  assertStringIncludes("abc", "bc");
  failureOf(() => assertMatch("abc", /x/));
  failureOf(() => assertNotMatch("abc", /b/));
  failureOf(() => assertStringIncludes("abc", "cb"));
});

Deno.test("assertInstanceOf() names both types", () => {
  assertInstanceOf(new TypeError("x"), Error);
  const message = failureOf(() => assertInstanceOf(new Error("x"), TypeError));
  assertStringIncludes(message, '"TypeError" but was "Error"');
});

Deno.test("assertThrows() checks the class and the message, and returns the error", () => {
  const boom = () => {
    throw new RangeError("too far");
  };
  assertStrictEquals(assertThrows(boom, RangeError, "far").message, "too far");
  assertInstanceOf(assertThrows(boom), RangeError);
  failureOf(() => assertThrows(boom, TypeError));
  failureOf(() => assertThrows(boom, RangeError, "near"));
  failureOf(() => assertThrows(() => 1));
});

Deno.test("assertRejects() checks rejections, and is not satisfied by a synchronous throw", async () => {
  const boom = () => Promise.reject(new RangeError("too far"));
  const error = await assertRejects(boom, RangeError, "far");
  assertStrictEquals(error.message, "too far");
  await rejectionOf(() => assertRejects(boom, TypeError));
  await rejectionOf(() => assertRejects(boom, RangeError, "near"));
  await rejectionOf(() => assertRejects(() => Promise.resolve()));
  const message = await rejectionOf(() =>
    assertRejects(() => {
      throw new RangeError("at once");
    })
  );
  assertStringIncludes(message, "throws when expected to reject");
});
