/** Heads of responses as clients get them: interim ones, and the one that counts. */

import type { IncomingMessage, InformationEvent, ServerResponse } from "node:http";
import { modifyLines, responseLines } from "./header_lines.ts";
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
 * which is the way back. Undefined: the runtime refuses to write what its own parser let pass.
 */
export function writeResponseHead(
  { response, route: { action }, backend, upgrade }: RoutedRequest,
  incoming: IncomingMessage,
  isDraining: boolean,
): WrittenHead | undefined {
  const { lines, ...written } = responseLines(incoming.rawHeaders);
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

/** Passes 103 Early Hints (RFC 8297) on; other interim responses are between two hops. */
export function writeEarlyHints(
  response: ServerResponse,
  { statusCode, headers: { link, ...others } }: InformationEvent,
): void {
  if (response.headersSent || statusCode !== 103 || !link) return;
  const hints: Record<string, string | string[]> = { link };
  for (const [name, value] of Object.entries(others)) if (value) hints[name] = value;
  response.writeEarlyHints(hints);
}
