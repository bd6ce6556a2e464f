/** Heads of responses as clients get them: interim ones, and the one that counts. */

import type { IncomingMessage, InformationEvent, ServerResponse } from "node:http";
import { isEndToEnd, modifyLines, removeLines, responseLines } from "./header_lines.ts";
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
 * which is the way back. Undefined: the body is in a coding that nobody here undoes, or the runtime
 * refuses to write what its own parser let pass.
 */
export function writeResponseHead(
  { response, route: { action }, backend, upgrade }: RoutedRequest,
  incoming: IncomingMessage,
  isDraining: boolean,
): WrittenHead | undefined {
  const { lines, isUnderstood, ...written } = responseLines(incoming.rawHeaders);
  if (!isUnderstood) return undefined;
  // It has no body to be long (RFC 9110, section 8.6).
  if (incoming.statusCode === NO_CONTENT) removeLines(lines, "content-length");
  for (const modifier of backend.filters.responseModifiers) modifyLines(lines, modifier);
  for (const modifier of action.filters.responseModifiers) modifyLines(lines, modifier);
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

const NO_CONTENT = 204;

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
