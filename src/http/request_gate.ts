/**
 * What every request must pass before anything of it is interpreted: the host guard and the limits
 * on its body, decided on the raw header lines.
 *
 * The web-standard `Headers` merges and drops lines, so two `Host` lines would look like one there.
 */

import type { IncomingMessage } from "node:http";
import { guardRequest, type HostPolicy } from "../auth/host_guard.ts";
import { bodyTooLarge, type ProblemOptions } from "./problem.ts";

/** What the gate decides by. */
export interface GateOptions {
  readonly policy: HostPolicy;
  /** Bytes of a body that a request may announce. */
  readonly bodyMaxBytes: number;
  /** Beginnings of paths whose answers are streams; these are guarded like changes. */
  readonly streamPaths: readonly string[];
}

/** The header lines that the gate reads, by lower-case name, each with all its values. */
type GateHeaders = Record<
  "host" | "origin" | "sec-fetch-site" | "content-length" | "transfer-encoding" | "expect",
  string[]
>;

/** The gate's answer. */
export interface GateVerdict {
  /** Whether a body follows the headers, or waits for 100 Continue. */
  readonly body: "none" | "sent" | "awaited";
  /** Why the request is refused; absent when it may pass. */
  readonly refusal?: ProblemOptions;
}

/** Decides about a request by its raw lines. */
export function checkRequest(
  incoming: Pick<IncomingMessage, "method" | "url" | "rawHeaders" | "socket">,
  options: GateOptions,
): GateVerdict {
  const { method = "GET", url: target = "/" } = incoming;
  const headers = collectHeaders(incoming.rawHeaders);
  const instance = pathOf(target);
  const routedPath = routedPathOf(instance);
  const length = Number(headers["content-length"][0] ?? "0");
  const hasBody = length > 0 || headers["transfer-encoding"].length > 0;
  const body = !hasBody ? "none" : headers.expect.length > 0 ? "awaited" : "sent";
  const verdict = guardRequest(options.policy, {
    method,
    target,
    hosts: headers.host,
    origins: headers.origin,
    fetchSite: headers["sec-fetch-site"][0],
    localAddress: incoming.socket.localAddress,
    isStream: options.streamPaths.some((start) => routedPath.startsWith(start)),
  });
  if (!verdict.allowed) return { body, refusal: { ...verdict, instance } };
  if (length > options.bodyMaxBytes) return { body, refusal: { ...bodyTooLarge, instance } };
  if (!hasBody || !isBodyless(method)) return { body };
  const reason = "ContentNotExpected";
  const detail = `Read body: a ${method} request has one, wanted none`;
  return { body, refusal: { status: 400, reason, detail, instance } };
}

/** Methods whose body would have no meaning (RFC 9110 9.3.1, 9.3.2, 9.3.7, 9.3.8). */
function isBodyless(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS" || method === "TRACE";
}

/** The path of a target, which may be an absolute URL. */
export function pathOf(target: string): string {
  const path = target.startsWith("/") ? target : target.replace(/^[a-z]+:\/\/[^/?#]*/i, "");
  const end = path.search(/[?#]/);
  return end < 0 ? path : path.slice(0, end);
}

/**
 * The path as the app routes it: without dot segments and with letters for their escapes. Otherwise a
 * page could ask for a guarded path by another spelling of it.
 */
function routedPathOf(path: string): string {
  const url = `http://host${path}`;
  const normal = URL.canParse(url) ? new URL(url).pathname : path;
  return normal.replaceAll(
    /%[2-7][0-9a-f]/gi,
    (escape) => String.fromCharCode(parseInt(escape.slice(1), 16)),
  );
}

function collectHeaders(rawHeaders: readonly string[]): GateHeaders {
  const headers: GateHeaders = {
    "host": [],
    "origin": [],
    "sec-fetch-site": [],
    "content-length": [],
    "transfer-encoding": [],
    "expect": [],
  };
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? "";
    if (isGateHeader(name)) headers[name].push(rawHeaders[index + 1] ?? "");
  }
  return headers;
}

function isGateHeader(name: string): name is keyof GateHeaders {
  return name === "host" || name === "origin" || name === "sec-fetch-site" ||
    name === "content-length" || name === "transfer-encoding" || name === "expect";
}
