/**
 * One log record as one line of text or JSON. Pure, and total: every value has a form.
 *
 * Values are bounded: long strings, long lists and deep objects are cut with a visible mark, because
 * a log line is read by people and collectors that both have limits.
 */

import { toPrintable } from "./printable.ts";

/** A record before it has a form. */
export interface LogLine {
  /** Milliseconds since the epoch. */
  readonly timeMs: number;
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const stringLengthMax = 4096;
const itemsMax = 100;
const depthMax = 5;

/** Field names that the JSON form uses itself; a field of that name gets an underscore behind it. */
const reservedNames = new Set(["time", "level", "message"]);

/** `TIME LEVEL MESSAGE name=value …` with a line break. */
export function formatTextLine(line: LogLine): string {
  let text = `${timeOf(line)} ${line.level.padEnd(5)} ${toPrintable(cut(line.message))}`;
  for (const [name, value] of Object.entries(line.fields)) {
    const plain = toPlainOrMark(value);
    if (plain === undefined) continue;
    text += ` ${toPrintable(name)}=${textOf(plain)}`;
  }
  return `${text}\n`;
}

/** One JSON object with a line break: `time`, `level`, `message`, then the fields in their order. */
export function formatJsonLine(line: LogLine): string {
  const record: Record<string, unknown> = {
    time: timeOf(line),
    level: line.level,
    message: cut(line.message),
  };
  for (const [name, value] of Object.entries(line.fields)) {
    const plain = toPlainOrMark(value);
    if (plain !== undefined) record[reservedNames.has(name) ? `${name}_` : name] = plain;
  }
  return `${JSON.stringify(record)}\n`;
}

function timeOf(line: LogLine): string {
  const time = new Date(line.timeMs);
  return Number.isNaN(time.getTime()) ? "-" : time.toISOString();
}

/** A bare word where no reader can mistake it, else a JSON string; a list of bare words has commas. */
function textOf(plain: unknown): string {
  if (Array.isArray(plain) && plain.length > 0 && plain.every(isBareWord)) return plain.join(",");
  const text = typeof plain === "string" ? plain : JSON.stringify(plain);
  return bareWord.test(text) ? text : toPrintable(JSON.stringify(text));
}

const bareWord = /^[\w.:/@+*,#%~-]+$/;

function isBareWord(item: unknown): boolean {
  return typeof item === "string" && bareWord.test(item) && !item.includes(",");
}

/** A getter or a proxy inside a value may throw: the record is worth more than the field. */
function toPlainOrMark(value: unknown): unknown {
  try {
    return toPlain(value, 0);
  } catch {
    return "[unprintable]";
  }
}

/** JSON-safe form of `value`; undefined for what is left out. Depth bounds cycles too. */
function toPlain(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case "string":
      return cut(value);
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "bigint":
      return String(value);
    case "object":
      return value === null ? null : objectToPlain(value, depth);
    case "symbol":
    case "function":
    case "undefined":
      return undefined;
  }
}

function objectToPlain(value: object, depth: number): unknown {
  if (value instanceof Error) return cut(errorText(value));
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "-" : value.toISOString();
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  if (depth >= depthMax) return "[…]";
  if (value instanceof Map) return entriesToPlain(value.entries(), depth);
  if (value instanceof Set || Array.isArray(value)) return itemsToPlain(value, depth);
  return entriesToPlain(Object.entries(value), depth);
}

function itemsToPlain(items: Iterable<unknown>, depth: number): unknown[] {
  const plain: unknown[] = [];
  for (const item of items) {
    if (plain.length === itemsMax) {
      plain.push("…");
      break;
    }
    plain.push(toPlain(item, depth + 1) ?? null);
  }
  return plain;
}

function entriesToPlain(entries: Iterable<readonly [unknown, unknown]>, depth: number): unknown {
  const plain: Record<string, unknown> = {};
  let count = 0;
  for (const [name, value] of entries) {
    if (count++ === itemsMax) {
      plain["…"] = "…";
      break;
    }
    plain[cut(String(name))] = toPlain(value, depth + 1);
  }
  return plain;
}

/** The messages of an error and of its causes, outermost first. */
function errorText(error: Error): string {
  let text = error.message === "" ? error.name : error.message;
  let cause = error.cause;
  for (let depth = 0; depth < depthMax && cause instanceof Error; depth++) {
    text += `: ${cause.message === "" ? cause.name : cause.message}`;
    cause = cause.cause;
  }
  return text;
}

function cut(text: string): string {
  return text.length <= stringLengthMax ? text : `${text.slice(0, stringLengthMax)}…`;
}
