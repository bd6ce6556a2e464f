/**
 * Values from specifications as they go over the wire. The API takes nearly any text for them.
 *
 * Header values: the octets of their UTF-8 text, with a space for what would end or break the line
 * (RFC 9110, section 5.5); the parser of the runtime hands out octets as characters and takes them
 * back in the same way. Paths: what may not stand in a target is escaped.
 */

import type { HeaderModifier, HeaderValue, PathModifier } from "../dataplane/http_filters.ts";
import { escapePath, withoutControls } from "../dataplane/writable_text.ts";
import { isForConnection } from "./header_lines.ts";

const encoder = new TextEncoder();

/**
 * `modifier` with values that can be written, without what is not a route's to say: how a message is
 * framed and what becomes of its connection. Otherwise one route could make a backend, or a client,
 * read a part of one message as the next one. The Host line can be set, like a rewrite of the
 * hostname does, and not doubled or dropped.
 */
export function writableModifier(modifier: HeaderModifier): HeaderModifier {
  return {
    set: modifier.set.filter(({ name }) => !isForConnection(name)).map(writableHeader),
    add: modifier.add.filter(({ name }) => isModifiable(name)).map(writableHeader),
    remove: modifier.remove.filter(isModifiable),
  };
}

function isModifiable(name: string): boolean {
  return !isForConnection(name) && name.toLowerCase() !== "host";
}

/** The value with one character for each octet. */
export function writableValue(value: string): string {
  const clean = withoutControls(value);
  // deno-lint-ignore no-control-regex
  if (/^[\u0000-\u007f]*$/.test(clean)) return clean;
  return Array.from(encoder.encode(clean), (octet) => String.fromCharCode(octet)).join("");
}

/** `modifier` with a replacement that can be written into a target or a location. */
export function writablePath(modifier: PathModifier): PathModifier {
  return { ...modifier, value: escapePath(modifier.value) };
}

function writableHeader({ name, value }: HeaderValue): HeaderValue {
  return { name, value: writableValue(value) };
}
