/** One request to one port, and what of the answer two data planes must agree on. */

import http, { type IncomingMessage, type Server } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";

/** A request; `host` is written as it is. */
export interface AskedRequest {
  readonly host: string;
  readonly target: string;
  readonly method?: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Asks with TLS for this name. */
  readonly serverName?: string;
}

/** What is compared. */
export interface Answer {
  readonly status: number;
  /** `name: value` of the headers that routes can change, sorted. */
  readonly headers: readonly string[];
  /** What the backend was sent; empty when none was asked. */
  readonly received: string;
}

const compared = /^(?:location|x-test-.*)$/;
const comparedWithCors = /^(?:location|x-test-.*|access-control-(?:allow|max|expose)-.*)$/;

/** Sends `request` to `port` of loopback. Rejects when the connection is closed without an answer. */
export async function ask(port: number, request: AskedRequest): Promise<Answer> {
  const { host, target, method = "GET", headers = {}, serverName } = request;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options = {
    host: "127.0.0.1",
    port,
    method,
    path: target,
    agent: false as const,
    setHost: false,
    headers: {
      host,
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          typeof value === "string" ? value : [...value],
        ]),
      ),
    },
  };
  const sent = serverName === undefined
    ? http.request(options, resolve)
    : https.request({ ...options, servername: serverName, rejectUnauthorized: false }, resolve);
  sent.on("error", reject);
  sent.end();
  const response = await promise;
  let body = "";
  for await (const chunk of response.setEncoding("utf8")) body += chunk;
  // Without an origin in it a browser looks at nothing else of an answer to a preflight.
  const isReadable = response.headers["access-control-allow-origin"] !== undefined;
  return {
    status: response.statusCode ?? 0,
    headers: linesOf(response.headers, isReadable ? comparedWithCors : compared),
    received: body.startsWith("received ") ? body : "",
  };
}

/** A backend that says what it was sent. Answers `/slow…` after `slowMs`. */
export class SayingBackend implements AsyncDisposable {
  readonly #server: Server;
  /** Targets of all requests so far. */
  readonly targets: string[] = [];

  constructor(name: string, slowMs: number) {
    this.#server = http.createServer((request, response) => {
      this.targets.push(request.url ?? "");
      const lines = linesOf(request.headers, /^(?:host|x-test-.*)$/);
      const answer = (): void => {
        response.setHeader("x-test-back", "backend");
        response.end(`received by ${name}: ${request.method} ${request.url} ${lines.join("; ")}`);
      };
      if (!request.url?.startsWith("/slow")) return answer();
      const timer = setTimeout(answer, slowMs);
      response.on("close", () => clearTimeout(timer));
    });
  }

  /** Opens it; the port. */
  async open(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return portOf(this.#server.address());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("Cannot tell the port");
  return address.port;
}

function linesOf(headers: IncomingMessage["headers"], wanted: RegExp): string[] {
  return Object.entries(headers).filter(([name]) => wanted.test(name))
    .map(([name, value]) => `${name}: ${String(value).replaceAll(/\s*,\s*/g, ",")}`).sort();
}
