/** A request as it goes to a backend: target and header lines, with the filters applied. */

import http, { type ClientRequest } from "node:http";
import { modifyLines, requestLines } from "./header_lines.ts";
import { remoteAddressOf, type SentRequest } from "./routed_request.ts";
import { rewriteTarget } from "./url_rewrite.ts";

/** Methods that say it when they have no body (RFC 9110, section 8.6). */
const SAYS_LENGTH_ZERO: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/**
 * Begins the request on the connection that `agent` has for it; nothing is written yet. Undefined:
 * the runtime refuses to write it.
 *
 * @param headerBytesMax of the response's head; more is an error of the returned request
 */
export function createUpstreamRequest(
  agent: http.Agent,
  routed: SentRequest,
  headerBytesMax: number,
): ClientRequest | undefined {
  try {
    const upstream = http.request({
      agent,
      method: routed.request.method ?? "GET",
      path: backendTarget(routed),
      headers: backendLines(routed),
      setHost: false,
      maxHeaderSize: headerBytesMax,
    });
    // The size is limited; lines beyond a number would be lost without a word.
    upstream.maxHeadersCount = 0;
    return upstream;
  } catch {
    return undefined;
  }
}

function backendTarget({ target, route: { action }, backend }: SentRequest): string {
  const path = backend.filters.rewrite?.path ?? action.filters.rewrite?.path;
  return path === undefined ? target : rewriteTarget(target, path);
}

/** Filters of the rule first, those of the backend after, so that the more specific one wins. */
function backendLines(routed: SentRequest): string[] {
  const { request, head, route: { action }, backend, upgrade, scheme, requestId } = routed;
  const lines = requestLines(request.rawHeaders, head, {
    remoteAddress: remoteAddressOf(request),
    scheme,
    requestId,
    hostname: backend.filters.rewrite?.hostname ?? action.filters.rewrite?.hostname,
    saysLengthZero: SAYS_LENGTH_ZERO.has(request.method ?? ""),
  });
  for (const modifier of action.filters.requestModifiers) modifyLines(lines, modifier);
  for (const modifier of backend.filters.requestModifiers) modifyLines(lines, modifier);
  if (upgrade !== undefined) lines.push("Connection", "Upgrade", "Upgrade", head.upgrade ?? "");
  return lines;
}
