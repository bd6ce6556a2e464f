/**
 * Header values from specifications as they go over the wire: the octets of their UTF-8 text, with a
 * space for what would end or break the line (RFC 9110, section 5.5). The parser of the runtime
 * hands out octets as characters, and takes them back in the same way.
 */

import type { HeaderModifier, HeaderValue } from "../dataplane/model.ts";

const encoder = new TextEncoder();

/** `modifier` with values that can be written. */
export function writableModifier(modifier: HeaderModifier): HeaderModifier {
  return {
    set: modifier.set.map(writableHeader),
    add: modifier.add.map(writableHeader),
    remove: modifier.remove,
  };
}

/** The value with one character for each octet. */
export function writableValue(value: string): string {
  // deno-lint-ignore no-control-regex
  const clean = value.replace(/[\u0000-\u0008\u000a-\u001f\u007f]/g, " ");
  // deno-lint-ignore no-control-regex
  if (/^[\u0000-\u007f]*$/.test(clean)) return clean;
  return Array.from(encoder.encode(clean), (octet) => String.fromCharCode(octet)).join("");
}

function writableHeader({ name, value }: HeaderValue): HeaderValue {
  return { name, value: writableValue(value) };
}
