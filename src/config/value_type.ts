/**
 * What a flag's value may be: how it is read from text, written back, and described to a person.
 *
 * Every type keeps one law: what `format` writes, `parse` reads as the same value. All functions are
 * pure, and a value that cannot be read is an answer, never an exception.
 */

import { didYouMean } from "../base/nearest.ts";

/** A value, or what was wanted in its place; completes `"X" is not …`. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | {
  readonly ok: false;
  /** Such as `is not a duration, wanted a number with a unit such as "250ms"`. */
  readonly problem: string;
};

/** One type of value; a flag names one. */
export interface ValueType<T> {
  /** The word in the documentation: `string`, `duration` … */
  readonly name: string;
  /** The placeholder in help, such as `DURATION`. */
  readonly metavar: string;
  /** How to read one piece of text. */
  parse(text: string): Parsed<T>;
  /** The canonical text of a value. */
  format(value: T): string;
}

/** A flag that may be given several times; each occurrence adds items. */
export interface ListType<T> {
  readonly name: string;
  readonly metavar: string;
  readonly item: ValueType<T>;
  /** What stands between items in one occurrence of the flag; absent: one item each. */
  readonly separator?: ",";
  /** What stands between items in the environment variable. */
  readonly environmentSeparator: "," | ":";
}

/** Text as it is, never empty. */
export const stringType: ValueType<string> = {
  name: "string",
  metavar: "TEXT",
  parse: (text) => text === "" ? refused("is empty, wanted text") : accepted(text),
  format: (value) => value,
};

/** The path of a file or folder. */
export const pathType: ValueType<string> = {
  name: "path",
  metavar: "PATH",
  parse(text) {
    if (text === "") return refused("is empty, wanted the path of a file or folder");
    if (text.includes("\0")) return refused("has a NUL character, wanted a path");
    return accepted(text);
  },
  format: (value) => value,
};

/** `true`, `false`, `1` or `0`. */
export const booleanType: ValueType<boolean> = {
  name: "boolean",
  metavar: "",
  parse(text) {
    switch (text.toLowerCase()) {
      case "true":
      case "1":
        return accepted(true);
      case "false":
      case "0":
        return accepted(false);
      default:
        return refused(`is not a boolean, wanted "true" or "false"`);
    }
  },
  format: String,
};

/** A whole number between two bounds, both included. */
export function integerType(min: number, max: number): ValueType<number> {
  return {
    name: "integer",
    metavar: "N",
    parse(text) {
      const value = /^[+-]?\d{1,16}$/.test(text) ? Number(text) : NaN;
      if (!Number.isSafeInteger(value)) return refused("is not a whole number");
      return within(value, min, max, String);
    },
    format: String,
  };
}

/** One of a few words. */
export function enumType<const Words extends readonly string[]>(
  words: Words,
): ValueType<Words[number]> {
  return {
    name: words.join(" | "),
    metavar: words.join("|"),
    parse(text) {
      const word = words.find((candidate) => candidate === text);
      if (word !== undefined) return accepted(word);
      const wanted = words.map((candidate) => `"${candidate}"`).join(", ");
      return refused(`is not one of ${wanted}${didYouMean(text, words)}`);
    },
    format: (value) => value,
  };
}

const durationUnits = [["h", 3_600_000], ["m", 60_000], ["s", 1000], ["ms", 1]] as const;
const durationUnitMs: ReadonlyMap<string, number> = new Map(durationUnits);

/** A duration in milliseconds between two bounds, written as `250ms`, `1.5s`, `2m` or `1h30m`. */
export function durationType(minMs: number, maxMs: number): ValueType<number> {
  return {
    name: "duration",
    metavar: "DURATION",
    parse(text) {
      const ms = text === "0" ? 0 : durationMs(text);
      if (ms === undefined) {
        return refused(`is not a duration, wanted numbers with units such as "250ms" or "1m30s"`);
      }
      if (!Number.isInteger(ms)) return refused("is finer than a millisecond");
      return within(ms, minMs, maxMs, formatDuration);
    },
    format: formatDuration,
  };
}

function durationMs(text: string): number | undefined {
  if (!/^(\d{1,12}(\.\d{1,9})?(ms|s|m|h))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, digits = "", unit = ""] of text.matchAll(/([\d.]+)(ms|s|m|h)/g)) {
    sum += Number(digits) * (durationUnitMs.get(unit) ?? NaN);
  }
  // Decimal fractions such as 1.1 s are not exact in binary.
  return Math.abs(sum - Math.round(sum)) < 1e-6 ? Math.round(sum) : sum;
}

/** The shortest exact form with whole numbers, such as `1m30s`; `0s` for none. */
export function formatDuration(ms: number): string {
  let rest = ms;
  let text = "";
  for (const [unit, unitMs] of durationUnits) {
    const count = Math.floor(rest / unitMs);
    rest -= count * unitMs;
    if (count > 0) text += `${count}${unit}`;
  }
  return text === "" ? "0s" : text;
}

const byteUnits = [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]] as const;
const byteUnitSize: ReadonlyMap<string, number> = new Map(byteUnits);

/** A number of bytes between two bounds, written as `4096`, `60KiB`, `1MiB` or `2GiB`. */
export function bytesType(min: number, max: number): ValueType<number> {
  return {
    name: "bytes",
    metavar: "BYTES",
    parse(text) {
      const [, digits, unit = ""] = /^(\d{1,15})(|KiB|MiB|GiB)$/.exec(text) ?? [];
      if (digits === undefined) {
        return refused(`is not a number of bytes, wanted for example "65536", "60KiB" or "1MiB"`);
      }
      return within(Number(digits) * (byteUnitSize.get(unit) ?? 1), min, max, formatBytes);
    },
    format: formatBytes,
  };
}

/** With the largest unit that divides it. */
function formatBytes(count: number): string {
  const unit = count === 0 ? undefined : byteUnits.find(([, size]) => count % size === 0);
  return unit ? `${count / unit[1]}${unit[0]}` : String(count);
}

function within(
  value: number,
  min: number,
  max: number,
  format: (value: number) => string,
): Parsed<number> {
  if (value >= min && value <= max) return accepted(value);
  return refused(`is out of range, wanted ${format(min)} to ${format(max)}`);
}

/** The answer of a parser that could read the text. */
export function accepted<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

/** The answer of a parser that could not. */
export function refused<T>(problem: string): Parsed<T> {
  return { ok: false, problem };
}
