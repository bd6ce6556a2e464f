/**
 * What a group of routes is made of, and what its handlers are given.
 *
 * A handler is thin: it takes checked parameters, asks a view, and answers. Everything that holds
 * for all routes (405, unknown parameters, headers, errors) is done once, in app.ts.
 */

import type { Endpoint } from "../api/endpoint.ts";
import type { AccessGrant } from "./access_gate.ts";

/** A request whose path matched and whose parameters have known names. */
export interface RouteRequest {
  /** Decoded; only names that the endpoint declares. */
  readonly path: Readonly<Record<string, string>>;
  /** Decoded; only names that the endpoint declares, each given once. */
  readonly query: Readonly<Record<string, string>>;
  /** Decoded values of the repeatable query parameters, in order; only names that were given. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** The `Accept` header, or the empty string. */
  readonly accept: string;
  /** The media type of the body, in lower case and without parameters, or the empty string. */
  readonly contentType: string;
  /** The `Last-Event-ID` header, or the empty string. */
  readonly lastEventId: string;
  /** Breaks the connection off, whatever of the answer is sent. For streams that nobody reads. */
  readonly cut: () => void;
  /** What the caller may be told: of probes nobody asked who they are. */
  readonly grant: AccessGrant;
  /** Aborts when the client goes away before it was answered. */
  readonly signal: AbortSignal;
  /** Reads the body, which is not larger than the server's limit; at most once. */
  readonly readText: () => Promise<string>;
}

/** An endpoint with its behaviour. */
export interface Route extends Endpoint {
  /** May throw {@linkcode RefusedError}; any other error is answered 500 and logged. */
  handle(request: RouteRequest): Response | Promise<Response>;
}

/** Routes that exist or not together. */
export interface RouteGroup {
  readonly routes: readonly Route[];
}

/** A JSON answer with the line feed that terminals like. */
export function jsonResponse(
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return jsonTextResponse(JSON.stringify(body), headers);
}

/** An answer of text that is JSON already. */
export function jsonTextResponse(
  text: string,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** An answer of bytes that are JSON already, with a line feed at their end. */
export function jsonBytesResponse(body: Uint8Array<ArrayBuffer>): Response {
  return new Response(body, { headers: { "content-type": "application/json" } });
}

/** A plain text answer. */
export function textResponse(body: string, status = 200): Response {
  return new Response(body, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}

/**
 * Whether the client would rather have `type` than `other` (RFC 9110 12.5.1). Without a preference,
 * or with one for neither, it is `other`.
 */
export function prefersType(accept: string, type: string, other: string): boolean {
  return qualityOf(accept, type) > qualityOf(accept, other);
}

function qualityOf(accept: string, type: string): number {
  const [major = ""] = type.split("/");
  let bestSpecificity = 0;
  let quality = 0;
  for (const range of accept.split(",")) {
    const [media = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const specificity = [`*/*`, `${major}/*`, type].indexOf(media) + 1;
    if (specificity === 0 || specificity < bestSpecificity) continue;
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    bestSpecificity = specificity;
    quality = weight === undefined ? 1 : Number(weight.slice(2)) || 0;
  }
  return quality;
}
