/**
 * From a request's head to what serves it: checks, normalisation, listener, route, share, endpoint.
 *
 * Everything here happens in one turn, on one configuration. What cannot be served is answered
 * here; the rest becomes an exchange.
 */

import { ServerResponse } from "node:http";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { normalizeHost } from "../dataplane/host.ts";
import type { HttpRouteEntry } from "../dataplane/model.ts";
import { normalizeTarget } from "../dataplane/normalize_path.ts";
import type { CompiledBackend, CompiledRoute } from "./compiled_route.ts";
import { corsModifier, preflightReply, withCors } from "./cors_answer.ts";
import { Exchange, type ExchangeServer } from "./exchange.ts";
import { type LocalReply, replies, sendLocalReply } from "./local_reply.ts";
import type { RouteSeries } from "./proxy_metrics.ts";
import type { ProxyServices } from "./proxy_services.ts";
import { isBadRequest, readRequestHead, type RequestHead } from "./request_head.ts";
import { accessRecord, type FoundRequest } from "./routed_request.ts";
import type { ServedBinding, ServedListener } from "./served_binding.ts";
import { redirectLocation } from "./url_rewrite.ts";

/** A client's connection that asks to change the protocol, and what it sent already. */
export interface Upgrade {
  readonly socket: Socket;
  readonly head: Uint8Array;
}

/**
 * Most requests that wait on one connection; at one more it is closed. The runtime hands on all that
 * it has read however it is paused, and takes long to forget what was never answered.
 */
const PIPELINED_MAX = 256;

/** Requests of a connection that wait for an earlier one. */
interface RequestQueue {
  length: number;
  isPausing: boolean;
}

/** What a request needs from its server. */
export interface HandlerServer extends ExchangeServer {
  /** The configuration in service. */
  readonly served: ServedBinding;
}

/** Serves the requests of one server. */
export class RequestHandler {
  readonly #services: ProxyServices;
  readonly #server: HandlerServer;
  /** Connections on which a request was refused: what follows on them is not looked at. */
  readonly #refused = new WeakSet<Socket>();

  /** By connection; only of those on which a request has waited. */
  readonly #queues = new WeakMap<Socket, RequestQueue>();

  /** Requests that no listener has. */
  readonly #nobody: RouteSeries;

  constructor(services: ProxyServices, server: HandlerServer) {
    this.#services = services;
    this.#nobody = services.metrics.route("");
    this.#server = server;
  }

  /**
   * Serves an ordinary request. One that was sent before the response to an earlier one is over waits
   * for its turn: one connection is one request in progress.
   */
  onRequest(request: IncomingMessage, response: ServerResponse): void {
    if (response.socket !== null) return this.#serve(request, response, undefined);
    const { socket } = request;
    const queue = this.#queues.get(socket) ?? { length: 0, isPausing: false };
    this.#queues.set(socket, queue);
    if (++queue.length > PIPELINED_MAX) {
      this.#services.metrics.malformedRequests.inc();
      socket.destroy();
      return;
    }
    this.#pauseSoon(socket, queue);
    response.once("socket", () => {
      if (--queue.length === 0) socket.resume();
      this.#serve(request, response, undefined);
    });
  }

  /** At once, and again when the runtime is through with what it has read: each message resumes. */
  #pauseSoon(socket: Socket, queue: RequestQueue): void {
    if (queue.isPausing) return;
    queue.isPausing = true;
    socket.pause();
    queueMicrotask(() => {
      queue.isPausing = false;
      if (queue.length > 0) socket.pause();
    });
  }

  /** Serves a request that asks to change the protocol; the connection is the caller's no more. */
  onUpgrade(request: IncomingMessage, socket: Socket, head: Uint8Array): void {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on("finish", () => socket.destroySoon());
    socket.on("error", () => {});
    this.#serve(request, response, { socket, head });
  }

  #serve(request: IncomingMessage, response: ServerResponse, upgrade: Upgrade | undefined): void {
    if (this.#refused.has(request.socket)) return;
    const head = readRequestHead(request.url ?? "", request.httpVersion, request.rawHeaders);
    if (isBadRequest(head)) return this.#refuse(request, response, head);
    const { action, target } = normalizeTarget(head.target, this.#services.escapedSlashes);
    if (action === "reject") {
      const reason = "the request target is not a valid path";
      return this.#refuse(request, response, { status: 400, reason });
    }
    if (action === "redirect") {
      const reply = { status: 307, reason: "", lines: ["Location", target] };
      return this.#replyFor(undefined, request, response, reply, head);
    }
    const served = this.#server.served.hosts.find(head.host);
    if (served === undefined) {
      return this.#replyFor(undefined, request, response, replies.noListener, head);
    }
    if (this.#server.scheme === "https" && served !== this.#listenerOfConnection(request)) {
      return this.#replyFor(served, request, response, replies.misdirected, head);
    }
    const entry = findEntry(served, request, head, target);
    if (entry === undefined) {
      return this.#replyFor(served, request, response, replies.noRoute, head);
    }
    const route = served.compiled(entry);
    const policy = route.action.filters.cors;
    const cors = policy && corsModifier(policy, request.rawHeaders);
    this.#serveRoute({ request, response, head, target, served, route, cors, upgrade });
  }

  #serveRoute(found: FoundRequest): void {
    const { request, head, route, target } = found;
    const { redirect, cors } = route.action.filters;
    const preflight = cors && preflightReply(cors, request.method ?? "", request.rawHeaders);
    if (preflight !== undefined) return this.#answer({ ...found, cors: undefined }, preflight);
    if (redirect !== undefined) {
      const { address, port } = this.#server.served.binding;
      const location = redirectLocation(
        redirect,
        {
          scheme: this.#server.scheme,
          host: head.authority.replace(/:[0-9]*$/, ""),
          listenerPort: port,
          target,
        },
        (listenerPort) => this.#services.reachablePort(address, listenerPort),
      );
      const lines = ["Location", location];
      return this.#answer(found, { status: redirect.statusCode, reason: "", lines });
    }
    const chosen = chooseBackend(route);
    if ("status" in chosen) return this.#answer(found, chosen);
    const rotation = chosen.cluster === undefined
      ? undefined
      : this.#services.cluster(chosen.cluster);
    if (rotation === undefined) return this.#answer(found, replies.invalidBackend);
    if (rotation.size === 0) return this.#answer(found, replies.noEndpoint);
    if (!this.#services.enter()) return this.#answer(found, replies.tooManyRequests);
    const { scheme } = this.#server;
    const requestId = this.#services.requestId();
    const routed = { ...found, backend: chosen, rotation, requestId, scheme, tap: undefined };
    const tap = this.#services.mirror(routed);
    new Exchange(this.#services, this.#server, tap ? { ...routed, tap } : routed).begin();
  }

  /** Answers for a route. */
  #answer(found: FoundRequest, reply: LocalReply): void {
    const { served, request, response, head, route, cors } = found;
    this.#replyFor(served, request, response, withCors(reply, cors), head, route);
  }

  /** The listener whose certificate the client was shown. */
  #listenerOfConnection({ socket }: IncomingMessage): ServedListener | undefined {
    const serverName = "servername" in socket ? socket.servername : undefined;
    const host = typeof serverName === "string" ? normalizeHost(serverName) : "";
    return this.#server.served.hosts.find(host);
  }

  #reply(
    request: IncomingMessage,
    response: ServerResponse,
    reply: LocalReply,
    hasBody: boolean,
  ): void {
    const closes = reply.closes === true || this.#server.isDraining;
    sendLocalReply(request, response, { ...reply, closes }, hasBody, this.#services.timer);
  }

  /** Answers what must not be served, and nothing more on its connection. */
  #refuse(request: IncomingMessage, response: ServerResponse, reply: LocalReply): void {
    this.#services.metrics.malformedRequests.inc();
    this.#refused.add(request.socket);
    this.#reply(request, response, { ...reply, closes: true }, true);
  }

  /** Answers, and tells metrics and log about it. Without a listener it is nobody's. */
  #replyFor(
    served: ServedListener | undefined,
    request: IncomingMessage,
    response: ServerResponse,
    reply: LocalReply,
    head: RequestHead,
    route?: CompiledRoute,
  ): void {
    (route?.series ?? served?.unmatched ?? this.#nobody).observe(reply.status, 0);
    this.#services.accessLog?.(accessRecord({ request, head, served, route }, {
      status: reply.status,
      durationMs: 0,
      requestBytes: 0,
      responseBytes: 0,
      endpoint: "",
      requestId: "",
    }));
    this.#reply(request, response, reply, head.body !== "none");
  }
}

function findEntry(
  served: ServedListener,
  request: IncomingMessage,
  head: RequestHead,
  target: string,
): HttpRouteEntry | undefined {
  const queryAt = target.indexOf("?");
  return served.table.find({
    method: request.method ?? "",
    host: head.host,
    path: queryAt < 0 ? target : target.slice(0, queryAt),
    query: queryAt < 0 ? "" : target.slice(queryAt + 1),
    rawHeaders: request.rawHeaders,
  });
}

/** The backend whose turn it is, or why there is none. */
function chooseBackend({ action }: CompiledRoute): CompiledBackend | LocalReply {
  const backend = action.backends[action.choice.next()];
  if (backend === undefined) return replies.noBackend;
  return backend.cluster === undefined ? replies.invalidBackend : backend;
}
