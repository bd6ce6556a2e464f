/**
 * The part of `@std/assert` that the tests use, with the same names and signatures.
 *
 * The import map points `@std/assert` here; docs/decisions/0001-std-from-small-files.md says how to
 * point it at the real package. Equality is deep and strict: prototypes, `-0` and present keys that
 * hold `undefined` make a difference.
 */

import { isDeepStrictEqual } from "node:util";
import { diffLines } from "./line_diff.ts";

/** A failed assertion. */
export class AssertionError extends Error {
  override name = "AssertionError";
}

// deno-lint-ignore no-explicit-any -- The signature of @std/assert: any constructor will do.
type AnyConstructor = new (...args: any[]) => any;
// deno-lint-ignore no-explicit-any -- As above; abstract classes can be asked for too.
type AnyAbstractConstructor = abstract new (...args: any[]) => any;
// deno-lint-ignore no-explicit-any -- As above; error classes may take any arguments.
type ErrorClass<E extends Error> = abstract new (...args: any[]) => E;

/** Throws {@linkcode AssertionError} unless `expr` is truthy. */
export function assert(expr: unknown, msg = ""): asserts expr {
  if (!expr) throw new AssertionError(msg);
}

/** Fails always. */
export function fail(msg?: string): never {
  throw new AssertionError(`Failed assertion${suffix(msg)}`);
}

/** Throws unless `actual` is deeply equal to `expected`; the message is a line diff. */
export function assertEquals<T>(actual: T, expected: T, msg?: string): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new AssertionError(
    `Values are not equal${suffix(msg)}\n\n    [Diff] - actual / + expected\n\n${
      diffLines(format(actual), format(expected))
    }\n`,
  );
}

/** Throws when `actual` is deeply equal to `expected`. */
export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void {
  if (!isDeepStrictEqual(actual, expected)) return;
  throw new AssertionError(
    `Expected actual: ${format(actual)} not to be: ${format(expected)}${suffix(msg)}`,
  );
}

/** Throws unless both are the same value (`Object.is`). */
export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  msg?: string,
): asserts actual is T {
  if (Object.is(actual, expected)) return;
  const left = format(actual);
  const right = format(expected);
  throw new AssertionError(
    left === right
      ? `Values have the same structure but are not reference-equal${suffix(msg)}\n\n${left}\n`
      : `Values are not strictly equal${suffix(msg)}\n\n    [Diff] - actual / + expected\n\n${
        diffLines(left, right)
      }\n`,
  );
}

/** Throws when both are the same value (`Object.is`). */
export function assertNotStrictEquals<T>(actual: T, expected: T, msg?: string): void {
  if (!Object.is(actual, expected)) return;
  throw new AssertionError(
    `Expected "actual" to not be strictly equal to: ${format(actual)}${suffix(msg)}`,
  );
}

/** Throws when `actual` is null or undefined. */
export function assertExists<T>(actual: T, msg?: string): asserts actual is NonNullable<T> {
  if (actual !== undefined && actual !== null) return;
  throw new AssertionError(
    `Expected actual: "${actual}" to not be null or undefined${suffix(msg)}`,
  );
}

/** Throws unless `actual` contains `expected`. */
export function assertStringIncludes(actual: string, expected: string, msg?: string): void {
  if (actual.includes(expected)) return;
  throw new AssertionError(
    `Expected actual: ${format(actual)} to contain: ${format(expected)}${suffix(msg)}`,
  );
}

/** Throws unless `actual` matches `expected`. */
export function assertMatch(actual: string, expected: RegExp, msg?: string): void {
  if (expected.test(actual)) return;
  throw new AssertionError(
    `Expected actual: ${format(actual)} to match: ${expected}${suffix(msg)}`,
  );
}

/** Throws when `actual` matches `expected`. */
export function assertNotMatch(actual: string, expected: RegExp, msg?: string): void {
  if (!expected.test(actual)) return;
  throw new AssertionError(
    `Expected actual: ${format(actual)} to not match: ${expected}${suffix(msg)}`,
  );
}

/** Throws unless `actual` is an instance of `expectedType`. */
export function assertInstanceOf<T extends AnyAbstractConstructor>(
  actual: unknown,
  expectedType: T,
  msg?: string,
): asserts actual is InstanceType<T> {
  if (actual instanceof expectedType) return;
  throw new AssertionError(
    `Expected object to be an instance of "${expectedType.name}" but was "${describeType(actual)}"${
      suffix(msg)
    }`,
  );
}

/** Throws unless `fn` throws; returns what it threw. */
export function assertThrows(fn: () => unknown, msg?: string): unknown;
/** Throws unless `fn` throws an `errorClass` whose message includes `msgIncludes`. */
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  errorClass: ErrorClass<E>,
  msgIncludes?: string,
  msg?: string,
): E;
export function assertThrows(
  fn: () => unknown,
  errorClassOrMsg?: ErrorClass<Error> | string,
  msgIncludes?: string,
  msg?: string,
): unknown {
  const wanted = wantedError(errorClassOrMsg, msgIncludes, msg);
  try {
    fn();
  } catch (error) {
    return checkError(error, wanted);
  }
  throw new AssertionError(`Expected function to throw${suffix(wanted.msg)}`);
}

/** Throws unless `fn` rejects; resolves to what it rejected with. */
export function assertRejects(fn: () => PromiseLike<unknown>, msg?: string): Promise<unknown>;
/** Throws unless `fn` rejects with an `errorClass` whose message includes `msgIncludes`. */
export function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  errorClass: ErrorClass<E>,
  msgIncludes?: string,
  msg?: string,
): Promise<E>;
export async function assertRejects(
  fn: () => PromiseLike<unknown>,
  errorClassOrMsg?: ErrorClass<Error> | string,
  msgIncludes?: string,
  msg?: string,
): Promise<unknown> {
  const wanted = wantedError(errorClassOrMsg, msgIncludes, msg);
  let pending: PromiseLike<unknown>;
  try {
    pending = fn();
  } catch {
    // A synchronous throw is another promise to the caller than a rejection.
    throw new AssertionError(`Function throws when expected to reject${suffix(wanted.msg)}`);
  }
  try {
    await pending;
  } catch (error) {
    return checkError(error, wanted);
  }
  throw new AssertionError(`Expected function to reject${suffix(wanted.msg)}`);
}

interface WantedError {
  readonly errorClass: ErrorClass<Error> | undefined;
  readonly msgIncludes: string | undefined;
  readonly msg: string | undefined;
}

function wantedError(
  errorClassOrMsg: ErrorClass<Error> | string | undefined,
  msgIncludes: string | undefined,
  msg: string | undefined,
): WantedError {
  return typeof errorClassOrMsg === "function"
    ? { errorClass: errorClassOrMsg, msgIncludes, msg }
    : { errorClass: undefined, msgIncludes: undefined, msg: errorClassOrMsg };
}

function checkError(error: unknown, wanted: WantedError): unknown {
  if (wanted.errorClass === undefined) return error;
  if (!(error instanceof wanted.errorClass)) {
    throw new AssertionError(
      `Expected error to be instance of "${wanted.errorClass.name}", but was "${
        describeType(error)
      }"${suffix(wanted.msg)}: ${error instanceof Error ? error.message : format(error)}`,
    );
  }
  if (wanted.msgIncludes !== undefined && !error.message.includes(wanted.msgIncludes)) {
    throw new AssertionError(
      `Expected error message to include ${format(wanted.msgIncludes)}, but got ${
        format(error.message)
      }${suffix(wanted.msg)}`,
    );
  }
  return error;
}

function describeType(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  const { constructor } = value as { constructor?: AnyConstructor };
  return constructor?.name ?? "Object";
}

function suffix(msg: string | undefined): string {
  return msg === undefined || msg === "" ? "" : `: ${msg}`;
}

function format(value: unknown): string {
  return Deno.inspect(value, {
    depth: Infinity,
    sorted: true,
    trailingComma: true,
    compact: false,
    iterableLimit: Infinity,
    strAbbreviateSize: Infinity,
    breakLength: 80,
    escapeSequences: false,
  });
}
