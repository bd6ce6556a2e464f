/**
 * One connection to an endpoint, and the agent that gives it to a request.
 *
 * The runtime's own agent is not used: it looks up its pools by a text that it builds for each
 * request, and knows no limit for connecting. What it does for a request is small and is done here:
 * hand over a socket, and take it back at its `free` event.
 */

import http from "node:http";
import type { Socket } from "node:net";

/** Who is told what becomes of a connection. */
export interface ConnectionOwner {
  connected(connection: UpstreamConnection): void;
  released(connection: UpstreamConnection): void;
  left(connection: UpstreamConnection): void;
}

/** When a connection is given up. */
export interface ConnectionTimes {
  readonly connectDeadlineMs: number;
  readonly idleTimeoutMs: number;
}

/** Closed before the backend does it, so that no request meets a closing connection. */
const KEEP_ALIVE_MARGIN_MS = 1_000;

/** See the file's header. */
export class UpstreamConnection {
  readonly socket: Socket;
  readonly connectDeadlineMs: number;
  readonly #owner: ConnectionOwner;
  #idleTimeoutMs: number;
  #isIdle = false;
  #hasLeft = false;
  /** Whether a request was served on it before. */
  #isReused = false;
  #bytesReadAtRest = 0;
  /** Monotonic; only while it is idle. */
  idleDeadlineMs = Infinity;

  constructor(socket: Socket, owner: ConnectionOwner, times: ConnectionTimes) {
    this.socket = socket;
    this.connectDeadlineMs = times.connectDeadlineMs;
    this.#idleTimeoutMs = times.idleTimeoutMs;
    this.#owner = owner;
    socket.once("connect", () => owner.connected(this));
    socket.on("free", () => this.#free());
    socket.on("agentRemove", () => this.#leave());
    socket.on("end", () => {
      if (this.#isIdle) this.destroy();
    });
    socket.on("close", () => this.#leave());
    // The request that uses the socket hears of the error by itself; `close` follows in any case.
    socket.on("error", () => {});
  }

  /** Whether an earlier request used it: then the backend may be closing it right now. */
  get isReused(): boolean {
    return this.#isReused;
  }

  /**
   * Leaves the idle state for a request. False: it cannot serve one, because the backend said
   * something while it was not asked, which would be taken for the answer.
   */
  take(): boolean {
    this.#isIdle = false;
    this.#isReused = true;
    return this.socket.bytesRead === this.#bytesReadAtRest;
  }

  /** Enters the idle state. */
  rest(nowMs: number): void {
    this.#isIdle = true;
    this.#bytesReadAtRest = this.socket.bytesRead;
    this.idleDeadlineMs = this.#idleTimeoutMs > 0 ? nowMs + this.#idleTimeoutMs : Infinity;
  }

  /** Learns how long the backend keeps an idle connection. */
  limitIdle(keepAliveSeconds: number): void {
    const limitMs = Math.max(1, keepAliveSeconds * 1_000 - KEEP_ALIVE_MARGIN_MS);
    if (this.#idleTimeoutMs === 0 || limitMs < this.#idleTimeoutMs) this.#idleTimeoutMs = limitMs;
  }

  /** Goes back unused. */
  giveBack(): void {
    this.#free();
  }

  /** Closes it at once. */
  destroy(): void {
    this.socket.destroy();
    this.#leave();
  }

  #free(): void {
    if (this.#hasLeft) return;
    if (this.socket.destroyed || !this.socket.writable) this.destroy();
    else this.#owner.released(this);
  }

  #leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#owner.left(this);
  }
}

/** Gives each request the connection that was chosen for it. */
export class HandOverAgent extends http.Agent {
  #connection: UpstreamConnection | undefined;

  constructor() {
    super({ keepAlive: true });
  }

  /** The connection for the one request that is made next, in the same turn. */
  prepare(connection: UpstreamConnection): this {
    this.#connection = connection;
    return this;
  }

  /** Called by the runtime when a request is made. */
  addRequest(request: http.ClientRequest): void {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection === undefined) {
      request.destroy(new Error("Cannot send the request: no connection was prepared for it"));
      return;
    }
    // `reusedSocket` stays unset: with it, this runtime would send some requests again by itself.
    request.onSocket(connection.socket);
  }
}
