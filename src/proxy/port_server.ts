/**
 * One listening socket with the connections that came in through it.
 *
 * The configuration that it serves is swapped between two requests; connections stay. Draining stops
 * to listen, lets what is in flight finish, closes what is idle, and cuts the rest after a time.
 * Limits: connections, the size of a head, the time for a head, the idle time between requests.
 */

import http, { type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";
import https from "node:https";
import { Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { normalizeHost } from "../dataplane/host.ts";
import { NOT_TIMED } from "./coarse_timer.ts";
import { MalformedRequests } from "./malformed_requests.ts";
import type { ProxyServices } from "./proxy_services.ts";
import { type HandlerServer, RequestHandler } from "./request_handler.ts";
import type { ServedBinding } from "./served_binding.ts";
import { chooseCredential } from "./tls_credentials.ts";
import type { Tunnel } from "./tunnel.ts";

/** How often the runtime looks for connections that are slow to send a head. */
const HEAD_CHECK_PERIOD_MS = 500;

/** How long a drain waits for the first octet of a connection that may just have been opened. */
const SILENT_DRAIN_MS = 1_000;

/** A protocol that a client only offers: it is fine with HTTP/1.1 (RFC 9113, section 3.1). */
const OFFERED_PROTOCOL = /^h2c$/i;

/** See the file's header for the promises. */
export class PortServer implements HandlerServer {
  readonly scheme: "http" | "https";
  readonly #services: ProxyServices;
  readonly #server: Server;
  readonly #tunnels = new Set<Tunnel>();
  /** All that are open, also those that have yet to shake hands. */
  readonly #sockets = new Set<Socket>();
  #served: ServedBinding;
  #port = 0;
  #isDraining = false;
  #closed: Promise<void> | undefined;

  constructor(services: ProxyServices, served: ServedBinding) {
    this.#services = services;
    this.#served = served;
    this.scheme = served.binding.protocol === "HTTPS" ? "https" : "http";
    const options = {
      maxHeaderSize: services.limits.headerBytesMax,
      headersTimeout: services.limits.headersTimeoutMs,
      // Bodies are watched by the exchange: a long upload that moves is fine.
      requestTimeout: 0,
      keepAliveTimeout: services.limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: HEAD_CHECK_PERIOD_MS,
      insecureHTTPParser: false,
      // Checked with the rest of the head, which also answers it.
      requireHostHeader: false,
      noDelay: true,
      shouldUpgradeCallback: ({ headers }: IncomingMessage) =>
        !OFFERED_PROTOCOL.test(headers.upgrade ?? "") && !hasBody(headers),
    };
    this.#server = this.scheme === "http" ? http.createServer(options) : https.createServer({
      ...options,
      handshakeTimeout: services.limits.headersTimeoutMs,
      SNICallback: this.#onServerName,
    });
    // All or nothing: the size of a head is limited, and no line of it may be lost on the way.
    this.#server.maxHeadersCount = 0;
    this.#listen(new RequestHandler(services, this));
  }

  get served(): ServedBinding {
    return this.#served;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** The port that is really open; 0 before {@linkcode open}. */
  get port(): number {
    return this.#port;
  }

  /** Open connections. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Starts to listen. Rejects with the error of the system; then the server is of no more use. */
  async open(address: string, port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      const { reusePort } = this.#services;
      this.#server.listen({ host: address, port, exclusive: true, reusePort }, () => {
        this.#server.off("error", reject);
        // Such as a lack of file descriptors: it passes, and what is open goes on.
        this.#server.on("error", () => this.#services.metrics.connectionsRefused.inc());
        resolve();
      });
    });
    const bound = this.#server.address();
    this.#port = typeof bound === "object" && bound !== null ? bound.port : port;
  }

  /** Serves `served` from the next request on. */
  swap(served: ServedBinding): void {
    this.#served = served;
  }

  adopt(tunnel: Tunnel): void {
    this.#tunnels.add(tunnel);
  }

  disown(tunnel: Tunnel): void {
    this.#tunnels.delete(tunnel);
  }

  /** Stops to listen at once; resolves when all connections are closed, after a bounded time. */
  drain(): Promise<void> {
    return this.#closed ??= this.#drain();
  }

  async #drain(): Promise<void> {
    this.#isDraining = true;
    const { timer, limits } = this.#services;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const startedMs = timer.now();
    const deadlineMs = startedMs + limits.drainTimeoutMs;
    const watch = {
      timerSlot: NOT_TIMED,
      check: (nowMs: number): void => {
        if (nowMs >= deadlineMs) return this.#cut();
        this.#server.closeIdleConnections();
        if (nowMs - startedMs >= SILENT_DRAIN_MS) this.#closeSilent();
      },
    };
    timer.add(watch);
    await closed;
    timer.delete(watch);
  }

  /** Closes what was opened ahead of need, which for the runtime is not idle but slow. */
  #closeSilent(): void {
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  #cut(): void {
    for (const tunnel of this.#tunnels) tunnel.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #listen(handler: RequestHandler): void {
    const server = this.#server;
    const malformed = new MalformedRequests(this.#services.metrics);
    server.on("connection", (socket) => this.#onConnection(socket));
    server.on("request", (request, response) => handler.onRequest(request, response));
    // Expectations are checked with the rest of the head, and the backend answers them.
    server.on("checkContinue", (request, response) => handler.onRequest(request, response));
    server.on("checkExpectation", (request, response) => handler.onRequest(request, response));
    server.on("upgrade", (request, socket, head) => {
      if (socket instanceof Socket) handler.onUpgrade(request, socket, head);
      else socket.destroy();
    });
    server.on("connect", (_request, socket) => malformed.onConnect(socket));
    server.on("clientError", (error, socket) => malformed.onError(error, socket));
  }

  #onConnection(socket: Socket): void {
    const { limits, metrics } = this.#services;
    if (this.#sockets.size >= limits.connectionsMax) {
      metrics.connectionsRefused.inc();
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    metrics.connections.add(1);
    socket.once("close", () => {
      this.#sockets.delete(socket);
      metrics.connections.add(-1);
    });
  }

  /** Also called without a server name, with an empty one. */
  readonly #onServerName = (
    serverName: string,
    done: (error: Error | null, context?: SecureContext) => void,
  ): void => {
    const name = normalizeHost(serverName);
    const listener = this.#served.hosts.find(name);
    const credential = listener && chooseCredential(listener.credentials, name);
    if (credential === undefined) done(new Error("Cannot shake hands: no listener for the name"));
    else done(null, credential.context);
  };
}

/**
 * Whether a body follows: the runtime would take it for the first octets of the new protocol. Such a
 * request is served as one that does not ask for another (RFC 9110, section 7.8).
 */
function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}
