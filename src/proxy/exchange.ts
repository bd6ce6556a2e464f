/**
 * One request on its way to a backend and the response on its way back.
 *
 * A state machine driven by the events of two messages; it ends exactly once, with the client's
 * response closed. A side that breaks off takes the other with it, so that a client never takes a
 * cut response for a whole one. A request is sent again only when nothing of it was sent, or when it
 * is idempotent, had no body, and the connection was an old one that closed before it answered.
 * Not here: choosing the route, moving octets.
 */

import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { type RelayOwner, RequestRelay, ResponseRelay } from "./body_relay.ts";
import { NOT_TIMED, type Timed } from "./coarse_timer.ts";
import { withCors } from "./cors_answer.ts";
import { type LocalReply, replies, sendLocalReply } from "./local_reply.ts";
import type { ProxyServices } from "./proxy_services.ts";
import { switchingHead, writeEarlyHints, writeResponseHead } from "./response_head.ts";
import { accessRecord, isRepeatable, type RoutedRequest } from "./routed_request.ts";
import { Tunnel } from "./tunnel.ts";
import { createUpstreamRequest } from "./upstream_request.ts";
import type { UpstreamConnection } from "./upstream_connection.ts";
import type { Acquired, EndpointConnections } from "./upstream_pool.ts";

/** The server that received the request. */
export interface ExchangeServer {
  /** Responses close their connections from now on. */
  readonly isDraining: boolean;
  readonly scheme: "http" | "https";
  /** Keeps `tunnel` until it closes, to close it when the server does. */
  adopt(tunnel: Tunnel): void;
  /** Forgets `tunnel`. */
  disown(tunnel: Tunnel): void;
}

/** How long a backend is waited for to ask for a body. */
const CONTINUE_TIMEOUT_MS = 1_000;

/** Interim responses of one exchange that a client may get: they do not wait for it to read. */
const HINTS_MAX = 16;

const NONE: readonly EndpointConnections[] = [];

/** See the file's header for the promises. */
export class Exchange implements Timed, RelayOwner {
  timerSlot: number = NOT_TIMED;
  readonly #services: ProxyServices;
  readonly #server: ExchangeServer;
  readonly #routed: RoutedRequest;
  readonly #startedMs: number;
  /** Monotonic times at which it is given up; Infinity: never. */
  readonly #deadlineMs: number;
  #tryDeadlineMs = Infinity;
  /** When a body is asked for that the backend has said nothing about. */
  #continueDeadlineMs = Infinity;
  /** When the last octet moved. */
  #activityMs: number;
  #attempts = 0;
  #hints = 0;
  #unreachable: readonly EndpointConnections[] = NONE;
  #giveUpAcquiring: (() => void) | undefined;
  #endpoint: EndpointConnections | undefined;
  #connection: UpstreamConnection | undefined;
  #upstream: ClientRequest | undefined;
  #requestRelay: RequestRelay | undefined;
  #responseRelay: ResponseRelay | undefined;
  /** Answered from here or cut; what still comes from the backend is of no interest. */
  #hasFailed = false;
  #isDone = false;

  constructor(services: ProxyServices, server: ExchangeServer, routed: RoutedRequest) {
    this.#services = services;
    this.#server = server;
    this.#routed = routed;
    this.#startedMs = this.#activityMs = services.timer.now();
    const timeoutMs = routed.route.action.requestTimeoutMs ?? services.limits.requestTimeoutMs;
    this.#deadlineMs = timeoutMs > 0 ? this.#startedMs + timeoutMs : Infinity;
  }

  /** Starts it. Called once; returns at once. */
  begin(): void {
    const { request, response, head, tap } = this.#routed;
    const { bodyBytesMax } = this.#services.limits;
    response.on("close", () => this.#onClose());
    this.#services.timer.add(this);
    if (head.body !== "none") {
      this.#requestRelay = new RequestRelay(request, bodyBytesMax, this, tap);
    }
    if (bodyBytesMax > 0 && head.contentLength > bodyBytesMax) this.bodyTooLarge();
    else this.#acquire();
  }

  check(nowMs: number): void {
    const { bodyIdleTimeoutMs, streamIdleTimeoutMs } = this.#services.limits;
    const idleMs = nowMs - this.#activityMs;
    const waitsForClient = this.#requestRelay?.isWaitingForClient ?? false;
    if (nowMs >= this.#continueDeadlineMs) this.#beginBody();
    if (nowMs >= this.#deadlineMs) this.#fail(replies.requestTimeout);
    else if (nowMs >= this.#tryDeadlineMs) this.#fail(replies.backendTimeout);
    else if (waitsForClient && bodyIdleTimeoutMs > 0 && idleMs >= bodyIdleTimeoutMs) {
      this.#fail(replies.bodyTimeout);
    } else if (streamIdleTimeoutMs > 0 && idleMs >= streamIdleTimeoutMs) {
      this.#fail(replies.backendTimeout);
    }
  }

  touch(): void {
    this.#activityMs = this.#services.timer.recentMs;
  }

  bodyTooLarge(): void {
    this.#fail(replies.bodyTooLarge);
  }

  /** A backend may answer without waiting for the whole request: nothing more is taken in then. */
  responseEnded(): void {
    const { request, response } = this.#routed;
    if (this.#requestRelay === undefined || request.complete) return;
    this.#dropUpstream();
    request.pause();
    response.once("finish", () => request.socket.destroySoon());
  }

  responseBroken(): void {
    this.#cut();
  }

  #acquire(): void {
    const { rotation } = this.#routed;
    const endpoint = rotation.next(this.#unreachable, this.#services.timer.recentMs);
    if (endpoint === undefined) return this.#fail(replies.connectFailed);
    this.#attempts++;
    this.#endpoint = endpoint;
    this.#giveUpAcquiring = undefined;
    const giveUp = endpoint.acquire((acquired) => this.#onAcquired(acquired));
    if (this.#upstream === undefined) this.#giveUpAcquiring ??= giveUp;
  }

  #onAcquired(acquired: Acquired): void {
    if (this.#hasFailed || this.#isDone) {
      if (acquired.type === "connection") acquired.connection.giveBack();
      return;
    }
    if (acquired.type === "connection") return this.#send(acquired.connection);
    if (this.#endpoint !== undefined) this.#unreachable = [...this.#unreachable, this.#endpoint];
    const { rotation } = this.#routed;
    if (this.#attempts < Math.min(rotation.size, this.#services.limits.attemptsMax)) {
      this.#services.metrics.upstreamRetries.inc();
      return this.#acquire();
    }
    this.#fail(acquired.reason === "limit" ? replies.upstreamLimit : replies.connectFailed);
  }

  #send(connection: UpstreamConnection): void {
    const { head, route: { action } } = this.#routed;
    this.#connection = connection;
    if (action.backendRequestTimeoutMs > 0) {
      this.#tryDeadlineMs = this.#services.timer.now() + action.backendRequestTimeoutMs;
    }
    const upstream = this.#upstream = createUpstreamRequest(
      this.#services.agent.prepare(connection),
      this.#routed,
      this.#services.limits.headerBytesMax,
    );
    if (upstream === undefined) {
      connection.giveBack();
      return this.#fail(replies.unsendable);
    }
    upstream.on("response", (incoming) => this.#onResponse(upstream, incoming));
    upstream.on("error", (error) => this.#onUpstreamError(upstream, error));
    upstream.on("information", (information) => {
      if (this.#hasFailed || ++this.#hints > HINTS_MAX) return;
      writeEarlyHints(this.#routed.response, information);
    });
    upstream.on("upgrade", (...change) => this.#onUpgrade(...change));
    if (this.#requestRelay === undefined) upstream.end();
    else if (head.expectsContinue) {
      this.#continueDeadlineMs = this.#services.timer.recentMs + CONTINUE_TIMEOUT_MS;
      upstream.once("continue", () => this.#onContinue());
      upstream.flushHeaders();
    } else this.#requestRelay.begin(upstream);
  }

  #onContinue(): void {
    const { response } = this.#routed;
    if (this.#hasFailed || response.headersSent || this.#requestRelay?.isStarted) return;
    response.writeContinue();
    this.#beginBody();
  }

  /** Many backends know nothing of expectations, and a client sends after a while anyhow. */
  #beginBody(): void {
    this.#continueDeadlineMs = Infinity;
    if (this.#upstream !== undefined) this.#requestRelay?.begin(this.#upstream);
  }

  #onResponse(upstream: ClientRequest, incoming: IncomingMessage): void {
    if (this.#upstream !== upstream) return;
    this.#tryDeadlineMs = Infinity;
    this.touch();
    const head = writeResponseHead(this.#routed, incoming, this.#server.isDraining);
    if (head === undefined) return this.#fail(replies.invalidResponse);
    const { keepAliveSeconds, contentLength } = head;
    if (keepAliveSeconds !== undefined) this.#connection?.limitIdle(keepAliveSeconds);
    const { response } = this.#routed;
    this.#responseRelay = new ResponseRelay(incoming, response, contentLength, this);
    this.#responseRelay.begin();
  }

  /** The backend changes the protocol, which it may do only when it was asked to. */
  #onUpgrade(incoming: IncomingMessage, socket: Socket, head: Uint8Array): void {
    const { upgrade } = this.#routed;
    const start = upgrade && switchingHead(this.#routed, incoming);
    if (this.#hasFailed || this.#isDone || upgrade === undefined || start === undefined) {
      socket.destroy();
      return this.#fail(replies.invalidResponse);
    }
    this.#services.timer.delete(this);
    this.#routed.response.detachSocket(upgrade.socket);
    const { timer, limits: { streamIdleTimeoutMs } } = this.#services;
    const tunnel = new Tunnel(upgrade.socket, socket, timer, streamIdleTimeoutMs, () => {
      this.#server.disown(tunnel);
      this.#finish(101);
    });
    this.#server.adopt(tunnel);
    tunnel.begin(start, head, upgrade.head);
  }

  #onUpstreamError(upstream: ClientRequest, error: Error & { readonly code?: string }): void {
    if (this.#upstream !== upstream || this.#responseRelay !== undefined) return;
    if (this.#isStaleConnection(error.code)) {
      this.#services.metrics.upstreamRetries.inc();
      this.#endpoint?.closeIdle();
      this.#upstream = undefined;
      return this.#acquire();
    }
    const isInvalid = error.code?.startsWith("HPE_") ?? false;
    this.#fail(isInvalid ? replies.invalidResponse : replies.backendClosed);
  }

  #isStaleConnection(code: string | undefined): boolean {
    return this.#connection?.isReused === true && isRepeatable(this.#routed) &&
      (code === "ECONNRESET" || code === "EPIPE") &&
      this.#attempts < this.#services.limits.attemptsMax;
  }

  /** Answers `reply`, or cuts the response where it has begun. */
  #fail(reply: LocalReply): void {
    if (this.#hasFailed || this.#isDone) return;
    const { request, response, head, cors } = this.#routed;
    if (response.headersSent) return this.#cut();
    this.#dropUpstream();
    const hasBody = head.body !== "none";
    sendLocalReply(request, response, withCors(reply, cors), hasBody, this.#services.timer);
  }

  /** Lets the client see that the response is not whole. */
  #cut(): void {
    this.#dropUpstream();
    this.#routed.request.socket.destroy();
  }

  #dropUpstream(): void {
    this.#hasFailed = true;
    this.#services.timer.delete(this);
    this.#giveUpAcquiring?.();
    const upstream = this.#upstream;
    this.#upstream = undefined;
    upstream?.destroy();
  }

  #onClose(): void {
    const { response } = this.#routed;
    if (!response.writableFinished) this.#dropUpstream();
    this.#finish(response.headersSent ? response.statusCode : 0);
  }

  #finish(status: number): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#routed.tap?.abandon();
    const { timer, accessLog } = this.#services;
    timer.delete(this);
    this.#services.leave();
    const durationMs = timer.now() - this.#startedMs;
    this.#routed.route.series.observe(status, durationMs);
    accessLog?.(accessRecord(this.#routed, {
      status,
      durationMs,
      requestBytes: this.#requestRelay?.bytes ?? 0,
      responseBytes: this.#responseRelay?.bytes ?? 0,
      endpoint: this.#connection === undefined ? "" : this.#endpoint?.key ?? "",
      requestId: this.#routed.requestId,
    }));
  }
}
