/**
 * The way to a real API server: HTTP/1.1 on `node:http`, with one pool of connections.
 *
 * Each watch has its own connection, so that one that is read slowly delays nobody. Everything has a
 * limit: connecting, waiting for an answer, silence in a stream, bytes of an answer, connections. A
 * 401 makes the credential be read anew, once per request. Redirects are not followed: they would
 * carry the credential elsewhere. Not here: retries, beyond one for a kept connection that the server
 * had closed already.
 */

import { Buffer } from "node:buffer";
import http from "node:http";
import type { Clock } from "../base/clock.ts";
import type { ClusterAccess, ClusterIdentity } from "./cluster_access.ts";
import { ClusterError, clusterErrorOf, toClusterError } from "./cluster_error.ts";
import type { ClusterRequest, ClusterStream, ClusterTransport } from "./cluster_transport.ts";
import { IdentityAgents } from "./identity_agents.ts";
import { hostOf } from "./open_socket.ts";
import { impersonationHeaders } from "./impersonation_headers.ts";
import { RequestDeadline } from "./request_deadline.ts";
import type { RequestPace } from "./request_pace.ts";

/** What the transport allows. */
export interface TransportLimits {
  /** TCP, proxy and TLS together, milliseconds. */
  readonly connectMs: number;
  /** An answer, where the request does not say, milliseconds. The server itself ends a write at 34 s. */
  readonly answerMs: number;
  /** One answer that is not a stream, bytes. */
  readonly answerBytesMax: number;
  /** The text of a refusal, bytes; what is beyond is not read. */
  readonly refusalBytesMax: number;
  /** Connections at the same time, watches included. */
  readonly connectionsMax: number;
}

/** Enough for 15 kinds in a cluster of 10,000 routes. */
export const defaultTransportLimits: TransportLimits = {
  connectMs: 10_000,
  answerMs: 35_000,
  answerBytesMax: 64 << 20,
  refusalBytesMax: 64 << 10,
  connectionsMax: 256,
};

/** How a transport is built. */
export interface HttpTransportOptions {
  readonly access: ClusterAccess;
  readonly clock: Clock;
  readonly pace: RequestPace;
  /** Told to the server with every request: `weir/0.1.0`. */
  readonly userAgent: string;
  readonly limits?: Partial<TransportLimits>;
}

/** See the file's header. */
export class HttpTransport implements ClusterTransport {
  readonly #access: ClusterAccess;
  readonly #clock: Clock;
  readonly #pace: RequestPace;
  readonly #limits: TransportLimits;
  readonly #agents: IdentityAgents;
  readonly #headers: Readonly<Record<string, string | string[]>>;

  constructor({ access, clock, pace, userAgent, limits }: HttpTransportOptions) {
    this.#access = access;
    this.#clock = clock;
    this.#pace = pace;
    this.#limits = { ...defaultTransportLimits, ...limits };
    this.#agents = new IdentityAgents(access, clock, this.#limits);
    this.#headers = {
      "user-agent": userAgent,
      accept: "application/json",
      // A server that compresses a watch flushes whole gzip members, which costs more than it saves.
      "accept-encoding": "identity",
      ...impersonationHeaders(access.impersonate),
    };
  }

  /** Closes idle connections; those in use close when they end. */
  close(): void {
    this.#agents.close();
  }

  async request(request: ClusterRequest): Promise<unknown> {
    const limitMs = request.timeoutMs ?? this.#limits.answerMs;
    const deadline = new RequestDeadline(request.signal, this.#clock, limitMs);
    try {
      const message = await this.#answer(request, deadline);
      const text = await readText(message, this.#limits.answerBytesMax);
      return text === "" ? undefined : parseJson(text);
    } catch (error) {
      throw deadline.reasonOf(error);
    } finally {
      deadline.end();
    }
  }

  async open(
    request: ClusterRequest & { readonly idleMs: number },
  ): Promise<ClusterStream> {
    const limitMs = request.timeoutMs ?? this.#limits.answerMs;
    const deadline = new RequestDeadline(request.signal, this.#clock, limitMs);
    try {
      const message = await this.#answer(request, deadline);
      deadline.stopClock();
      return { chunks: this.#chunks(message, deadline, request.idleMs) };
    } catch (error) {
      const reason = deadline.reasonOf(error);
      deadline.end();
      throw reason;
    }
  }

  /** The answer's head, when it is not a refusal. */
  async #answer(request: ClusterRequest, deadline: RequestDeadline): Promise<http.IncomingMessage> {
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    let mayRenew = true;
    while (true) {
      await this.#pace.acquire(deadline.signal);
      // A plugin, a provider or a file may hang, and hold up nothing but this request.
      const asked = this.#access.credentials.identity(deadline.signal);
      const identity = await deadline.within(asked);
      const message = await this.#send(request, identity, body, deadline);
      const code = message.statusCode ?? 0;
      if (code >= 200 && code < 300) {
        request.onDate?.(message.headers.date);
        return message;
      }
      const text = await readText(message, this.#limits.refusalBytesMax, "cut");
      if (code === 401) {
        this.#access.credentials.forget();
        if (mayRenew) {
          mayRenew = false;
          continue;
        }
      }
      const retryAfter = message.headers["retry-after"];
      throw clusterErrorOf(code, parseJsonOrNothing(text), retryAfter);
    }
  }

  async #send(
    request: ClusterRequest,
    identity: ClusterIdentity,
    body: string | undefined,
    deadline: RequestDeadline,
  ): Promise<http.IncomingMessage> {
    const isIdempotent = (request.method ?? "GET") === "GET";
    while (true) {
      let sent: http.ClientRequest | undefined;
      try {
        sent = this.#start(request, identity, body, deadline.signal);
        return await headOf(sent);
      } catch (error) {
        // The server had closed the kept connection when we used it: nothing was asked yet.
        if (isIdempotent && sent?.reusedSocket && !deadline.signal.aborted) continue;
        const failure = toClusterError(error, "unreachable", "Cannot reach the API server");
        if (failure.kind === "untrusted") this.#access.credentials.forget();
        throw failure;
      }
    }
  }

  #start(
    { method = "GET", path, query, contentType = "application/json", accept }: ClusterRequest,
    { authorization, ...identity }: ClusterIdentity,
    body: string | undefined,
    signal: AbortSignal,
  ): http.ClientRequest {
    const { server } = this.#access;
    const search = query === undefined ? "" : `?${new URLSearchParams(query)}`;
    const sent = http.request({
      agent: this.#agents.agentOf(identity),
      method,
      signal,
      host: hostOf(server),
      port: portOf(server),
      path: server.pathname.replace(/\/$/, "") + path + search,
      headers: {
        host: server.host,
        ...this.#headers,
        ...accept !== undefined ? { accept } : {},
        ...authorization !== undefined ? { authorization } : {},
        ...body !== undefined
          ? { "content-type": contentType, "content-length": Buffer.byteLength(body) }
          : {},
      },
    });
    sent.end(body);
    return sent;
  }

  async *#chunks(
    message: http.IncomingMessage,
    deadline: RequestDeadline,
    idleMs: number,
  ): AsyncGenerator<Uint8Array> {
    try {
      deadline.restartClock(idleMs);
      for await (const chunk of message) {
        deadline.stopClock();
        yield chunk;
        deadline.restartClock(idleMs);
      }
      if (!message.complete) throw new ClusterError("unreachable", "The stream was cut off");
    } catch (error) {
      throw deadline.reasonOf(toClusterError(error, "unreachable", "The stream broke"));
    } finally {
      deadline.end();
      message.destroy();
    }
  }
}

/** The port of a URL, also when it is the scheme's own. */
export function portOf(url: URL): number {
  return Number(url.port || (url.protocol === "https:" ? 443 : 80));
}

function headOf(sent: http.ClientRequest): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.on("response", resolve);
    sent.on("error", reject);
    sent.on("close", () => reject(new ClusterError("unreachable", "The connection was closed")));
  });
}

/** The whole body; with `cut` what is beyond the limit is left out instead of an error. */
async function readText(
  message: http.IncomingMessage,
  bytesMax: number,
  beyond: "refuse" | "cut" = "refuse",
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of message) {
      size += chunk.byteLength;
      if (size > bytesMax) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw toClusterError(error, "unreachable", "The answer broke off");
  }
  if (size > bytesMax) {
    message.destroy();
    if (beyond === "refuse") {
      throw new ClusterError("too-large", `The answer is larger than ${bytesMax} bytes`);
    }
  } else if (!message.complete) {
    throw new ClusterError("unreachable", "The answer was cut off");
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's words would repeat the text, which may hold a Secret.
    throw new ClusterError("garbled", "The answer is not JSON");
  }
}

function parseJsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A refusal in another form is classed by its code.
  }
}
