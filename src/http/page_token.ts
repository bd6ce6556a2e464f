/**
 * The `continue` parameter of a list: where the next page begins.
 *
 * It names the last object of a page, so a page begins right also when objects came or went in
 * between, and no state is kept for a client. Clients must not look inside; it may change.
 */

import type { ObjectName } from "./views.ts";

/** Longer than any pair of Kubernetes names. */
const tokenLengthMax = 1024;

/** The token of the page after `last`. */
export function encodePageToken(kind: string, last: ObjectName): string {
  const text = JSON.stringify([kind, last.namespace ?? null, last.name]);
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The object that `token` names; undefined when it is not a token of a list of `kind`. */
export function decodePageToken(kind: string, token: string): ObjectName | undefined {
  if (token.length > tokenLengthMax) return undefined;
  try {
    const bytes = atob(token.replaceAll("-", "+").replaceAll("_", "/"));
    const text = new TextDecoder("utf-8", { fatal: true })
      .decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
    const parts: unknown = JSON.parse(text);
    if (!Array.isArray(parts) || parts.length !== 3 || parts[0] !== kind) return undefined;
    const [, namespace, name]: unknown[] = parts;
    if (typeof name !== "string") return undefined;
    if (namespace === null) return { name };
    return typeof namespace === "string" ? { namespace, name } : undefined;
  } catch {
    // Whatever the fault is, the token is not one of ours; the caller refuses it.
    return undefined;
  }
}
