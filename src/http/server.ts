/**
 * The HTTP server of the API: sockets, limits, the gate, draining.
 *
 * Limits and what happens at each: slow headers or body 408, headers too large 431, body too large
 * 413 before it is parsed, too many connections closed at once. While draining every answer closes
 * its connection and idle ones are closed; after the grace period the rest is cut.
 * Routing and answers belong to the app; who may call belongs to the host guard.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { HostPolicy } from "../auth/host_guard.ts";
import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import { type AccessGate, type AccessGrant, fullGrant, probeGrant } from "./access_gate.ts";
import type { HttpApp } from "./http_app.ts";
import { discardBody } from "./discard_body.ts";
import type { HttpLimits } from "./http_limits.ts";
import { InFlight } from "./in_flight.ts";
import { closeServer, listen, urlOf } from "./listen.ts";
import { problemFormat, type RefusalFormat } from "./problem.ts";
import { type Refusal, refuseConnection, refuseRequest } from "./refusal.ts";
import { checkRequest, type GateVerdict, pathOf } from "./request_gate.ts";
import { securityHeaders } from "./security_headers.ts";

/** How often timeouts are looked for: the error of a timeout, and one timer for all connections. */
const timeoutCheckMs = 1_000;

/** The refusal of a request whose URL the adapter cannot make. */
const malformedTarget = {
  status: 400,
  reason: "MalformedRequest",
  detail: "Read request: its target is not a valid URL",
  instance: "",
} as const;

/** What the server is made of. */
export interface HttpServerOptions {
  /** The subsystem's name. */
  readonly name: string;
  /** A name or an IP address without brackets. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The flag that says where to listen, for errors: `--api-address`. */
  readonly flag: string;
  readonly policy: HostPolicy;
  /** Asks who the caller is; absent: whoever reaches the server is trusted. */
  readonly access?: AccessGate;
  /** How refusals that the app does not see are worded; absent: as problems. */
  readonly refusalFormat?: RefusalFormat;
  readonly app: Pick<HttpApp, "fetch">;
  readonly limits: HttpLimits;
  /** Beginnings of paths whose answers are streams. */
  readonly streamPaths: readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
  /** Called with the URL once requests are taken. */
  readonly onListening?: (url: string) => void;
  /** What to serve TLS with; absent: plain HTTP. Asked at every start. PEM. */
  readonly tls?: () => { readonly cert: string; readonly key: string } | undefined;
  /** Told the reason of every refusal that the app does not see. */
  readonly onRefused?: (reason: string) => void;
}

/** A subsystem that serves an app; see the file's header for the promises. */
export class HttpServer {
  readonly name: string;
  readonly onFailure = "restart";
  readonly #options: HttpServerOptions;
  /** What requests that were let in may have, by their message. */
  readonly #grants = new WeakMap<WeakKey, AccessGrant>();
  #inFlight = new InFlight();
  /** Kept after the first start, so that a restart comes back on the same free port. */
  #port: number;
  #server: Server | undefined;
  #url: string | undefined;
  #isDraining = false;
  #connectionCount = 0;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.name = options.name;
    this.#port = options.port;
  }

  /** Where the server can be reached from this machine; undefined unless it listens. */
  get url(): string | undefined {
    return this.#url;
  }

  /** Connections that are open. */
  get connectionCount(): number {
    return this.#connectionCount;
  }

  /** Whether requests are taken. */
  ready(): { readonly ready: boolean; readonly reason: string } {
    if (this.#isDraining) return { ready: false, reason: "is draining before the end" };
    if (this.#url === undefined) return { ready: false, reason: "is not listening" };
    return { ready: true, reason: `is listening on ${this.#url}` };
  }

  /**
   * Listens until `signal` aborts, then lets requests in flight finish within the grace period.
   *
   * @throws {ListenError} when the address cannot be used
   */
  async run(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { clock, flag, host, limits, onListening } = this.#options;
    const server = this.#createServer();
    const failed = Promise.withResolvers<never>();
    const stopped = Promise.withResolvers<void>();
    const stop = (): void => stopped.resolve();
    signal.addEventListener("abort", stop, { once: true });
    try {
      this.#port = await listen(server, { host, port: this.#port, flag });
      server.on("error", failed.reject);
      this.#server = server;
      this.#url = urlOf(host, this.#port, this.#options.tls?.() ? "https" : "http");
      onListening?.(this.#url);
      await Promise.race([stopped.promise, failed.promise]);
    } finally {
      signal.removeEventListener("abort", stop);
      this.#sendClientsAway();
      await closeServer(server, limits.stopTimeoutMs, clock);
      this.#server = undefined;
      this.#url = undefined;
    }
  }

  /**
   * Reports unready from now on, asks every client to leave, and waits for the requests that are in
   * flight, at most until `signal` aborts. Later ones, such as probes, are still answered.
   */
  async drain(signal: AbortSignal): Promise<void> {
    this.#sendClientsAway();
    await this.#inFlight.settle(signal);
  }

  get #format(): RefusalFormat {
    return this.#options.refusalFormat ?? problemFormat;
  }

  #sendClientsAway(): void {
    this.#isDraining = true;
    this.#inFlight.closeConnections();
    this.#server?.closeIdleConnections();
  }

  #createServer(): Server {
    const { limits } = this.#options;
    const format = this.#format;
    this.#isDraining = false;
    this.#inFlight = new InFlight();
    const { app } = this.#options;
    const fetch = (request: Request, env: { readonly incoming: WeakKey }) => {
      const grant = this.#grants.get(env.incoming) ?? probeGrant;
      return app.fetch(request, { ...env, grant });
    };
    const toApp = getRequestListener(fetch, {
      // The adapter would otherwise replace the process's Request and Response.
      overrideGlobalObjects: false,
      // Unread bodies are discarded below, with the clock and the limits of this server.
      autoCleanupIncoming: false,
      errorHandler: () =>
        new Response(format.body(malformedTarget), {
          status: malformedTarget.status,
          headers: { ...securityHeaders, "content-type": format.contentType },
        }),
    });
    const settings = {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: timeoutCheckMs,
      maxHeaderSize: limits.headerMaxBytes,
      // The gate answers a missing Host, with a body that says so.
      requireHostHeader: false,
    };
    const tls = this.#options.tls?.();
    const server = tls ? createTlsServer({ ...settings, ...tls }) : createServer(settings);
    server.maxConnections = limits.connectionsMax;
    server.on("request", (incoming, outgoing) => this.#answer(incoming, outgoing, toApp));
    server.on("checkContinue", (incoming, outgoing) => {
      this.#answer(incoming, outgoing, (request, response) => {
        response.writeContinue();
        return toApp(request, response);
      });
    });
    server.on("connection", (socket) => {
      this.#connectionCount++;
      socket.once("close", () => this.#connectionCount--);
    });
    server.on("clientError", (error, socket) => this.#refuse(error, socket));
    return server;
  }

  /** Answers bytes that are no request, or nothing when an answer has begun already. */
  #refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    const isLost = error.code === "ECONNRESET" || !socket.writable;
    if (isLost || this.#inFlight.hasBegun(socket)) {
      socket.destroy();
      return;
    }
    this.#options.onRefused?.(refuseConnection(socket, error.code, this.#format));
  }

  #answer(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    toApp: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
  ): void {
    this.#inFlight.add(outgoing);
    const { limits: { bodyMaxBytes }, access } = this.#options;
    const { body, refusal } = checkRequest(incoming, { ...this.#options, bodyMaxBytes });
    if (refusal) return this.#refuseRequest(incoming, outgoing, refusal, body);
    const pass = (grant: AccessGrant): Promise<void> =>
      this.#pass(incoming, outgoing, grant, toApp);
    // What is not awaited is answered in the same turn, as it always was.
    const answered = access === undefined
      ? pass(fullGrant)
      : access.admit(incoming, outgoing).then(async (admission) => {
        if (outgoing.destroyed) return;
        if ("grant" in admission) await pass(admission.grant);
        else this.#refuseRequest(incoming, outgoing, admission.refusal, body);
      });
    answered.catch((error: unknown) => {
      // Only the adapter itself can fail here; the app answers its own errors.
      const path = pathOf(incoming.url ?? "");
      this.#options.log.error("API answer could not be sent", { path, error });
      outgoing.destroy();
    });
  }

  #refuseRequest(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    refusal: Refusal,
    body: GateVerdict["body"],
  ): void {
    this.#options.onRefused?.(refusal.reason);
    refuseRequest(incoming, outgoing, refusal, this.#format, body, this.#options.clock);
  }

  #pass(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    grant: AccessGrant,
    toApp: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
  ): Promise<void> {
    this.#grants.set(incoming, grant);
    outgoing.once("finish", () => {
      if (incoming.complete) return;
      discardBody(incoming, this.#options.clock, (isComplete) => {
        if (!isComplete) incoming.socket.destroySoon();
      });
    });
    return toApp(incoming, outgoing);
  }
}
