/**
 * The Kubernetes API on HTTP: one handler for every path, because the API decides about its paths
 * itself. Here are only headers, bodies and streams.
 *
 * Errors that are our fault are logged once and answered as a `metav1.Status`, never with their text.
 */

import { type Context, Hono } from "hono";
import type { Logger } from "../base/log.ts";
import type { HttpApp } from "./http_app.ts";
import { kubeStatusText } from "./kube_status.ts";
import type { LineSink, LineStreams } from "./line_streams.ts";
import { RefusedError } from "./problem.ts";
import { readBodyBytes } from "./read_body.ts";
import { cut } from "./register_routes.ts";
import { securityHeaders } from "./security_headers.ts";

/** One request to the Kubernetes API. */
export interface KubeRequest {
  readonly method: string;
  /** Percent-encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly contentType: string;
  readonly userAgent: string;
  readonly authorization: string;
  readonly readBytes: () => Promise<Uint8Array>;
}

/** A whole answer, or one of lines that goes on. */
export type KubeAnswer =
  | {
    readonly status: number;
    readonly contentType: string;
    readonly text: string;
    readonly warnings: readonly string[];
    readonly retryAfterSeconds?: number;
  }
  | { readonly contentType: string; readonly start: (sink: LineSink) => () => void };

/** Whoever knows the Kubernetes API. */
export interface KubeView {
  handle(request: KubeRequest): Promise<KubeAnswer>;
}

/** How the app is made. */
export interface KubeAppOptions {
  readonly view: KubeView;
  readonly streams: LineStreams;
  readonly log: Logger;
  readonly bodyMaxBytes: number;
}

/** Makes the app. */
export function createKubeApp(options: KubeAppOptions): HttpApp {
  const { view, streams, log, bodyMaxBytes } = options;
  const app: HttpApp = new Hono();
  app.all("*", async (context) => {
    const answer = await view.handle(toKubeRequest(context, bodyMaxBytes));
    if (!("start" in answer)) return textResponse(answer);
    if (!streams.hasRoom) return tooManyStreams();
    const headers = { ...securityHeaders, "content-type": answer.contentType };
    const { start } = answer;
    if (context.req.method === "HEAD") return new Response(null, { headers });
    return new Response(streams.open(start, () => cut(context.env)), { headers });
  });
  app.onError((error, context) => {
    if (error instanceof RefusedError) {
      return statusResponse(error.status, error.message, error.reason);
    }
    const fields = { method: context.req.method, path: context.req.path, error };
    if (context.req.raw.signal.aborted) log.debug("API request aborted by the client", fields);
    else log.error("API request failed", fields);
    return statusResponse(500, "Internal error occurred: the log says why");
  });
  return app;
}

function toKubeRequest({ req }: Context, bodyMaxBytes: number): KubeRequest {
  const url = new URL(req.url);
  return {
    method: req.method,
    path: url.pathname,
    query: url.searchParams,
    accept: req.header("accept") ?? "",
    contentType: req.header("content-type") ?? "",
    userAgent: req.header("user-agent") ?? "",
    authorization: req.header("authorization") ?? "",
    readBytes: () => readBodyBytes(req.raw.body, bodyMaxBytes),
  };
}

function textResponse(answer: Extract<KubeAnswer, { readonly text: string }>): Response {
  const { status, contentType, text, warnings, retryAfterSeconds } = answer;
  const headers = new Headers({ ...securityHeaders, "content-type": contentType });
  for (const warning of warnings) headers.append("warning", warningHeader(warning));
  if (retryAfterSeconds !== undefined) headers.set("retry-after", String(retryAfterSeconds));
  return new Response(text, { status, headers });
}

/** RFC 7234 5.5 as the API server writes it; only what a header can hold. */
function warningHeader(text: string): string {
  const plain = text.slice(0, 256).replaceAll(/[^\x20-\x7e]/g, "?").replaceAll(/["\\]/g, "\\$&");
  return `299 - "${plain}"`;
}

function tooManyStreams(): Response {
  const message = "too many watches are open, please try again later";
  return statusResponse(429, message, undefined, { "retry-after": "1" });
}

function statusResponse(
  code: number,
  message: string,
  cause?: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(kubeStatusText(code, message, cause), {
    status: code,
    headers: { ...securityHeaders, "content-type": "application/json", ...headers },
  });
}
