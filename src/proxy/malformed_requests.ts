/**
 * What the parser of the runtime refuses, and how it is answered.
 *
 * Such a connection cannot go on: nobody knows where the next request would begin. It is told why,
 * unless an answer is on its way already, and closed.
 */

import { ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { ProxyMetrics } from "./proxy_metrics.ts";

interface Refusal {
  readonly status: number;
  readonly reason: string;
}

const BAD_REQUEST: Refusal = { status: 400, reason: "the request is not valid HTTP/1.1" };

/** By the code that the runtime gives the error. */
const REFUSALS: ReadonlyMap<string, Refusal> = new Map([
  ["HPE_HEADER_OVERFLOW", { status: 431, reason: "the request headers are too large" }],
  ["ERR_HTTP_REQUEST_TIMEOUT", { status: 408, reason: "the request did not arrive in time" }],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", { status: 413, reason: "a chunk extension is too large" }],
]);

const NO_CONNECT: Refusal = { status: 405, reason: "the CONNECT method is not served" };

/** Answers what never becomes a request. */
export class MalformedRequests {
  readonly #metrics: ProxyMetrics;
  /** Each piece that arrives behind an error is another error: one answer is enough. */
  readonly #refused = new WeakSet<Duplex>();

  constructor(metrics: ProxyMetrics) {
    this.#metrics = metrics;
  }

  /** A CONNECT request. */
  onConnect(socket: Duplex): void {
    this.#refuse(socket, NO_CONNECT);
  }

  /** A parse error, a time-out, or a broken connection. */
  onError(
    error: Error & { readonly code?: string; readonly bytesParsed?: number },
    socket: Duplex,
  ): void {
    const code = error.code ?? "";
    if (!code.startsWith("HPE_") && !REFUSALS.has(code)) {
      // The connection itself broke: there is nobody to tell.
      socket.destroy();
      return;
    }
    this.#refuse(socket, REFUSALS.get(code) ?? BAD_REQUEST);
  }

  #refuse(socket: Duplex, { status, reason }: Refusal): void {
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    // The runtime adds a listener for each of them, and would warn of a leak that ends here.
    socket.setMaxListeners(0);
    this.#metrics.malformedRequests.inc();
    if (!socket.writable || isAnswering(socket)) {
      // What is written already still goes out; the end of the connection says that it is not all.
      socket.end(() => socket.destroy());
      return;
    }
    const text = `${reason}\n`;
    socket.on("error", () => {});
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
        `Content-Length: ${text.length}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
        `Connection: close\r\n\r\n${text}`,
      () => socket.destroy(),
    );
  }
}

/**
 * Whether the connection owes or sends the response of a request that arrived whole, or sends one: a
 * refusal would be taken for it, or for a part of it.
 */
function isAnswering(socket: Duplex): boolean {
  const message: unknown = Reflect.get(socket, "_httpMessage");
  return message instanceof ServerResponse && (message.headersSent || message.req.complete);
}
