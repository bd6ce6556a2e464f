/**
 * Texts of users as Envoy takes them where it would refuse them, or read more than a text in them.
 *
 * The same is done to them as by the embedded data plane: a space for what would end or break a line,
 * escapes for what may not stand in a target. One resource that Envoy refuses keeps back others.
 */

const encoder = new TextEncoder();

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

/** A header value without control characters. */
export function headerText(value: string): string {
  // deno-lint-ignore no-control-regex
  return value.replace(/[\u0000-\u0008\u000a-\u001f\u007f]/g, " ");
}

/** The same where Envoy would read `%…%` as the name of something to fill in. */
export function formattedText(value: string): string {
  return headerText(value).replaceAll("%", "%%");
}

/** A path with what is not printable ASCII escaped; what is escaped already stays as it is. */
export function pathText(path: string): string {
  let escaped = "";
  for (const octet of encoder.encode(path)) {
    escaped += octet > 0x20 && octet < 0x7f
      ? String.fromCharCode(octet)
      : `%${octet.toString(16).padStart(2, "0").toUpperCase()}`;
  }
  return escaped;
}

/** `text` as a regular expression that matches it and nothing else (RE2). */
export function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** `text` as the substitution of a regular expression that puts in just it (RE2). */
export function substitution(text: string): string {
  return text.replaceAll("\\", "\\\\");
}
