/**
 * How large a value is as JSON, without writing it down.
 *
 * It is the first thing that happens to an object from outside: later steps may walk it recursively,
 * because depth and size are bounded here.
 */

import { isRecord } from "../kube/json_value.ts";

/** Deeper values are refused: the API server refuses them too, and recursion stays shallow. */
export const nestingMax = 100;

/**
 * The length of `value` as JSON in UTF-8 bytes, exact but for escapes in strings, which count as the
 * characters they stand for. Infinity when it is larger than `bytesMax` or nested deeper than
 * {@linkcode nestingMax}; then the walk stopped early.
 */
export function jsonSize(value: unknown, bytesMax: number): number {
  const size = measure(value, bytesMax, nestingMax);
  return size > bytesMax ? Infinity : size;
}

function measure(value: unknown, budget: number, depthLeft: number): number {
  if (typeof value === "string") return utf8Length(value) + 2;
  if (typeof value !== "object" || value === null) return String(value).length;
  if (depthLeft === 0) return Infinity;
  let size = 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      size += measure(item, budget - size, depthLeft - 1) + 1;
      if (size > budget) return Infinity;
    }
    return size;
  }
  if (!isRecord(value)) return size;
  for (const key in value) {
    const item = value[key];
    if (item === undefined || !Object.hasOwn(value, key)) continue;
    size += utf8Length(key) + 4 + measure(item, budget - size, depthLeft - 1);
    if (size > budget) return Infinity;
  }
  return size;
}

function utf8Length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    // Each half of a surrogate pair counts two of the four bytes of its character.
    length += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return length;
}
