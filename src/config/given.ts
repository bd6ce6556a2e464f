/**
 * What was given for flags in one place, and what is wrong with it.
 *
 * A layer is what one place says: the command line, the environment or the file. Layers are read
 * apart from each other, so that the faults of all of them are told at once. Pure.
 */

import { toPrintable } from "../base/printable.ts";
import type { Flag } from "./flag.ts";
import type { ListType, Parsed, ValueType } from "./value_type.ts";

/** Where a value comes from. */
export type Origin =
  | { readonly place: "flag" }
  | { readonly place: "env"; readonly name: string }
  | { readonly place: "file"; readonly file: string; readonly line: number }
  | { readonly place: "default" };

/** One value, read, and where it was given. */
export interface Given {
  readonly value: unknown;
  readonly origin: Origin;
}

/** What one place says, by the name of the flag. */
export type Layer = ReadonlyMap<string, Given>;

/** Something that must be changed before anything can run. */
export interface ConfigFault {
  /** `--flag`, `WEIR_NAME` or `FILE:LINE key`: where to change it. */
  readonly where: string;
  /** What is there and what is wanted, without a final period. */
  readonly message: string;
}

/** Items that a list flag may have; more is a fault, because nobody writes so many by hand. */
export const listItemsMax = 1000;

/** `flag`, `env NAME`, `file FILE:LINE` or `default`. */
export function describeOrigin(origin: Origin): string {
  switch (origin.place) {
    case "env":
      return `env ${origin.name}`;
    case "file":
      return `file ${toPrintable(origin.file)}:${origin.line}`;
    case "flag":
    case "default":
      return origin.place;
  }
}

/** Where a person changes the flag `name` that was given at `origin`. */
export function whereToChange(name: string, origin: Origin): string {
  switch (origin.place) {
    case "env":
      return origin.name;
    case "file":
      return `${toPrintable(origin.file)}:${origin.line} ${name}`;
    case "flag":
    case "default":
      return `--${name}`;
  }
}

/** Reads one piece of text as a value of `type`; a refusal is a whole message. */
export function readValue<T>(type: ValueType<T>, text: string, isSecret: boolean): Parsed<T> {
  const parsed = type.parse(text);
  if (parsed.ok) return parsed;
  return { ok: false, problem: `${isSecret ? "the value" : quote(text)} ${parsed.problem}` };
}

/**
 * Reads the items in `text`. Empty text is the empty list, which is how a list from a place of less
 * weight is emptied.
 */
export function readItems<T>(
  type: ListType<T>,
  text: string,
  separator: string | undefined,
  isSecret: boolean,
): Parsed<readonly T[]> {
  if (text === "" && separator !== undefined) return { ok: true, value: [] };
  const pieces = separator === undefined ? [text] : text.split(separator);
  if (pieces.length > listItemsMax) {
    return { ok: false, problem: `has more than ${listItemsMax} items` };
  }
  const items: T[] = [];
  for (const piece of pieces) {
    const parsed = readValue(type.item, separator === "," ? piece.trim() : piece, isSecret);
    if (!parsed.ok) return parsed;
    items.push(parsed.value);
  }
  return { ok: true, value: items };
}

/** Reads the whole value of `flag` from the text of an environment variable or a scalar in a file. */
export function readText(
  flag: Flag,
  text: string,
  separator: string | undefined,
): Parsed<unknown> {
  const isSecret = flag.secret ?? false;
  return flag.shape === "scalar"
    ? readValue(flag.type, text, isSecret)
    : readItems(flag.type, text, separator, isSecret);
}

/** `text` in quotes, printable and not too long for a message. */
export function quote(text: string): string {
  const printable = toPrintable(text);
  return `"${printable.length > 80 ? `${printable.slice(0, 80)}…` : printable}"`;
}
