/**
 * Texts of users as Envoy takes them where it would refuse them, or read more than a text in them.
 *
 * The same is done to them as by the embedded data plane: a space for what would end or break a line,
 * escapes for what may not stand in a target. One resource that Envoy refuses keeps back others.
 */

import { withoutControls } from "../../dataplane/writable_text.ts";

/** Names that are not a route's to say: how a message is framed, what becomes of its connection. */
const forConnection: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "upgrade",
  "http2-settings",
  "transfer-encoding",
  "content-length",
]);

/** Whether routes may change fields of this name; `host` is changed by other means. */
export function isModifiable(name: string): boolean {
  return !name.startsWith(":") && !forConnection.has(name.toLowerCase());
}

/** A header value where Envoy would read `%…%` as the name of something to fill in. */
export function formattedText(value: string): string {
  return withoutControls(value).replaceAll("%", "%%");
}

/** `text` as a regular expression that matches it and nothing else (RE2). */
export function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** `text` as the substitution of a regular expression that puts in just it (RE2). */
export function substitution(text: string): string {
  return text.replaceAll("\\", "\\\\");
}
