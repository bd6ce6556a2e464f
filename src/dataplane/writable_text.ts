/**
 * Texts of specifications as every data plane may write them. The API takes nearly any text for them.
 */

const encoder = new TextEncoder();

/** A header value with a space for what would end or break its line (RFC 9110, section 5.5). */
export function withoutControls(value: string): string {
  // deno-lint-ignore no-control-regex
  return value.replace(/[\u0000-\u0008\u000a-\u001f\u007f]/g, " ");
}

/** A path with what is not printable ASCII escaped; what is escaped already stays as it is. */
export function escapePath(path: string): string {
  let escaped = "";
  for (const octet of encoder.encode(path)) {
    escaped += octet > 0x20 && octet < 0x7f
      ? String.fromCharCode(octet)
      : `%${octet.toString(16).padStart(2, "0").toUpperCase()}`;
  }
  return escaped;
}
