/**
 * The octets of a request body and of a response body, at the pace of the slower side.
 *
 * Nothing is collected: when the receiving side is full, the sending side is paused until it drains.
 * Trailers follow their body. Whoever owns a relay hears of every octet that moves and decides about
 * time limits and ends.
 */

import type { ClientRequest, IncomingMessage, OutgoingMessage, ServerResponse } from "node:http";
import { trailerPairs } from "./header_lines.ts";

/** Who hears what a relay does. */
export interface RelayOwner {
  /** Octets moved, or may move again. */
  touch(): void;
  /** The request body is larger than it may be; the relay has stopped. */
  bodyTooLarge(): void;
  /** The response ended as it should; its end is written. */
  responseEnded(): void;
  /** The response broke off. */
  responseBroken(): void;
}

/** Who is given the request body as well, whatever becomes of it. Must not throw. */
export interface BodyTap {
  take(chunk: Uint8Array): void;
  /** It is whole. */
  end(): void;
  /** It will not be whole; again, or after the end, is harmless. */
  abandon(): void;
}

/** From the client to the backend. */
export class RequestRelay {
  readonly #request: IncomingMessage;
  readonly #bytesMax: number;
  readonly #owner: RelayOwner;
  readonly #tap: BodyTap | undefined;
  #bytes = 0;
  #isStarted = false;
  #isBlocked = false;

  /** @param bytesMax 0: no limit */
  constructor(
    request: IncomingMessage,
    bytesMax: number,
    owner: RelayOwner,
    tap: BodyTap | undefined,
  ) {
    this.#request = request;
    this.#bytesMax = bytesMax;
    this.#owner = owner;
    this.#tap = tap;
  }

  /** Octets that the client sent. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether octets move, or will when there are any. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** Whether it is the client's turn to send. */
  get isWaitingForClient(): boolean {
    return this.#isStarted && !this.#isBlocked && !this.#request.complete;
  }

  /** Starts to move octets; again is harmless. */
  begin(upstream: ClientRequest): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#request.on("data", (chunk: Uint8Array) => this.#move(chunk, upstream));
    this.#request.on("end", () => {
      addTrailers(upstream, this.#request.rawTrailers);
      upstream.end();
      this.#tap?.end();
    });
  }

  #move(chunk: Uint8Array, upstream: ClientRequest): void {
    this.#owner.touch();
    this.#bytes += chunk.length;
    if (this.#bytesMax > 0 && this.#bytes > this.#bytesMax) return this.#owner.bodyTooLarge();
    this.#tap?.take(chunk);
    if (upstream.write(chunk)) return;
    this.#isBlocked = true;
    this.#request.pause();
    upstream.once("drain", () => {
      this.#isBlocked = false;
      this.#owner.touch();
      this.#request.resume();
    });
  }
}

/** From the backend to the client. */
export class ResponseRelay {
  readonly #incoming: IncomingMessage;
  readonly #response: ServerResponse;
  /** Of the Content-Length line; -1 without one. */
  readonly #expectedBytes: number;
  readonly #owner: RelayOwner;
  #bytes = 0;
  /** The last piece of a body of known length waits for the end, to be one write with it. */
  #last: Uint8Array | undefined;

  constructor(
    incoming: IncomingMessage,
    response: ServerResponse,
    expectedBytes: number,
    owner: RelayOwner,
  ) {
    this.#incoming = incoming;
    this.#response = response;
    this.#expectedBytes = expectedBytes;
    this.#owner = owner;
  }

  /** Octets that the backend sent. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Starts to move octets; the head of the response is written. Called at most once. */
  begin(): void {
    this.#incoming.on("data", (chunk: Uint8Array) => this.#move(chunk));
    this.#incoming.on("end", () => this.#end());
    this.#incoming.on("error", () => this.#owner.responseBroken());
    // Nobody knows when the first octet of an open-ended body comes: the head goes ahead.
    if (this.#expectedBytes < 0) this.#response.flushHeaders();
  }

  #move(chunk: Uint8Array): void {
    this.#owner.touch();
    this.#bytes += chunk.length;
    if (this.#bytes === this.#expectedBytes) {
      this.#last = chunk;
      return;
    }
    if (this.#response.write(chunk)) return;
    this.#incoming.pause();
    this.#response.once("drain", () => {
      this.#owner.touch();
      this.#incoming.resume();
    });
  }

  #end(): void {
    addTrailers(this.#response, this.#incoming.rawTrailers);
    if (this.#last === undefined) this.#response.end();
    else this.#response.end(this.#last);
    this.#owner.responseEnded();
  }
}

/** Trailers that the runtime does not take are left out, as a recipient may do with any. */
function addTrailers(message: OutgoingMessage, rawTrailers: readonly string[]): void {
  const trailers = trailerPairs(rawTrailers);
  if (trailers.length === 0) return;
  try {
    message.addTrailers(trailers);
  } catch {
    // Checked before anything is written.
  }
}
