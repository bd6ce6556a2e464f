/**
 * Answers that the gateway gives itself: short plain text in the API's words, nothing internal.
 *
 * A client that is still sending its body gets the answer at once and is listened to for a short
 * while longer: closing right away would reset the connection, and the answer would be lost.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type CoarseTimer, NOT_TIMED, type Timed } from "./coarse_timer.ts";

/** What is answered. */
export interface LocalReply {
  readonly status: number;
  /** One short sentence without a period; it is sent. */
  readonly reason: string;
  /** Header lines besides those of the text. */
  readonly lines?: readonly string[];
  /** Whether the connection is closed behind it. */
  readonly closes?: boolean;
}

/** The answers that need no more than their name. */
export const replies = {
  misdirected: { status: 421, reason: "the host belongs to another listener than the server name" },
  noListener: { status: 404, reason: "no listener serves this host" },
  noRoute: { status: 404, reason: "no HTTPRoute matches this request" },
  noBackend: { status: 500, reason: "the HTTPRoute rule has no backend" },
  invalidBackend: { status: 500, reason: "the backend reference is invalid" },
  noEndpoint: { status: 503, reason: "the backend has no ready endpoint" },
  connectFailed: { status: 503, reason: "no endpoint of the backend could be reached" },
  backendClosed: { status: 503, reason: "the backend closed the connection before it answered" },
  invalidResponse: { status: 502, reason: "the backend did not answer with valid HTTP" },
  unsendable: { status: 500, reason: "the request cannot be sent as the HTTPRoute says" },
  upstreamLimit: { status: 503, reason: "there are too many connections to the backend" },
  tooManyRequests: { status: 503, reason: "the gateway has too many requests in progress" },
  requestTimeout: { status: 504, reason: "the request timeout of the HTTPRoute has passed" },
  backendTimeout: { status: 504, reason: "the backend did not answer in time" },
  bodyTimeout: { status: 408, reason: "the request body did not arrive in time", closes: true },
  bodyTooLarge: { status: 413, reason: "the request body is too large", closes: true },
} as const satisfies Readonly<Record<string, LocalReply>>;

/** How long and how much of an unwanted body is taken in behind an answer. */
const LINGER_MS = 2_000;
const LINGER_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Sends `reply`. The response must not have begun.
 *
 * @param hasBody whether the request has a body, which may not be there yet
 */
export function sendLocalReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: LocalReply,
  hasBody: boolean,
  timer: CoarseTimer,
): void {
  const text = reply.reason === "" ? "" : `${reply.reason}\n`;
  const bodyPending = hasBody && !request.complete;
  const lines = [...reply.lines ?? [], "Content-Length", String(text.length)];
  if (text !== "") lines.push("Content-Type", "text/plain; charset=utf-8");
  if (reply.closes || bodyPending || !response.shouldKeepAlive) lines.push("Connection", "close");
  else response.removeHeader("connection");
  response.writeHead(reply.status, lines);
  if (!bodyPending) {
    response.end(text);
    return;
  }
  response.write(text);
  timer.add(new Linger(request, response, timer));
}

/** Takes in what is left of a request body, then closes the connection. */
class Linger implements Timed {
  timerSlot: number = NOT_TIMED;
  readonly #socket: Socket;
  readonly #timer: CoarseTimer;
  readonly #deadlineMs: number;
  #bytes = 0;
  #isDone = false;

  constructor(request: IncomingMessage, response: ServerResponse, timer: CoarseTimer) {
    this.#socket = request.socket;
    this.#timer = timer;
    this.#deadlineMs = timer.now() + LINGER_MS;
    request.removeAllListeners("data");
    request.on("data", (chunk: Uint8Array) => {
      this.#bytes += chunk.length;
      if (this.#bytes > LINGER_BYTES_MAX) this.#finish();
    });
    request.once("end", this.#finish);
    response.once("close", this.#finish);
    request.resume();
  }

  check(nowMs: number): void {
    if (nowMs >= this.#deadlineMs) this.#finish();
  }

  readonly #finish = (): void => {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#timer.delete(this);
    // The answer has gone out whole; `end()` would write nothing, which TLS sockets never confirm.
    this.#socket.destroySoon();
  };
}
