/** Heads of responses as clients get them: interim ones, and the one that counts. */

import type { IncomingMessage, InformationEvent, ServerResponse } from "node:http";
import type { HeaderModifier } from "../dataplane/http_filters.ts";
import {
  type HeaderLines,
  isEndToEnd,
  joinLines,
  modifyLines,
  removeLines,
  responseLines,
} from "./header_lines.ts";
import type { RoutedRequest } from "./routed_request.ts";

/** What the backend's head says about what follows. */
export interface WrittenHead {
  /** Octets of the body as announced; -1: not announced. */
  readonly contentLength: number;
  /** Seconds for which the backend keeps an idle connection; undefined: it did not say. */
  readonly keepAliveSeconds: number | undefined;
}

/**
 * Writes the backend's head to the client: filters of the backend first, those of the rule after,
 * which is the way back, and its CORS policy last. Undefined: the body is in a coding that nobody here undoes, or the runtime
 * refuses to write what its own parser let pass.
 */
export function writeResponseHead(
  { response, route: { action }, backend, cors, upgrade }: RoutedRequest,
  incoming: IncomingMessage,
  isDraining: boolean,
): WrittenHead | undefined {
  const { lines, isUnderstood, ...written } = responseLines(incoming.rawHeaders);
  if (!isUnderstood) return undefined;
  // It has no body to be long (RFC 9110, section 8.6).
  if (incoming.statusCode === NO_CONTENT) removeLines(lines, "content-length");
  modifyAll(lines, backend.filters.responseModifiers, action.filters.responseModifiers);
  if (cors !== undefined) modifyLines(lines, cors);
  if (isDraining || upgrade !== undefined || !response.shouldKeepAlive) {
    lines.push("Connection", "close");
  } else response.removeHeader("connection");
  try {
    response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, lines);
    return written;
  } catch {
    return undefined;
  }
}

/**
 * The head with which the backend agreed to change the protocol, filtered like any other, as text.
 * Undefined: it cannot be written.
 */
export function switchingHead(
  { route: { action }, backend }: RoutedRequest,
  { rawHeaders, headers, statusMessage = "" }: IncomingMessage,
): string | undefined {
  const { lines } = responseLines(rawHeaders);
  modifyAll(lines, backend.filters.responseModifiers, action.filters.responseModifiers);
  // The runtime does not look at what it does not write.
  if (lines.some((text, index) => index % 2 === 0 && !NAME.test(text))) return undefined;
  lines.push("Connection", "Upgrade", "Upgrade", headers.upgrade ?? "");
  return `HTTP/1.1 101 ${statusMessage}\r\n${joinLines(lines)}\r\n`;
}

const NO_CONTENT = 204;

/** A field name (RFC 9110, section 5.1). */
const NAME = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]+$/;

function modifyAll(lines: HeaderLines, ...modifiers: (readonly HeaderModifier[])[]): void {
  for (const list of modifiers) for (const modifier of list) modifyLines(lines, modifier);
}

/**
 * Passes 103 Early Hints (RFC 8297) on; other interim responses are between two hops. Hints that the
 * runtime does not take for well-formed are left out: the response that follows is what counts.
 */
export function writeEarlyHints(
  response: ServerResponse,
  { statusCode, headers: { link, ...others } }: InformationEvent,
): void {
  if (response.headersSent || statusCode !== 103 || !link) return;
  const hints: Record<string, string | string[]> = { link };
  for (const [name, value] of Object.entries(others)) {
    if (value && isEndToEnd(name)) hints[name] = value;
  }
  try {
    response.writeEarlyHints(hints);
  } catch {
    // Checked before anything is written.
  }
}
