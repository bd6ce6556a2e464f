/**
 * The API double behind a real socket on loopback, with or without TLS.
 */

import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { ApiDouble } from "./api_double.ts";
import type { DoubleReply } from "./double_reply.ts";
import type { DoubleStream } from "./double_stream.ts";

/** What a request brought, besides what the double reads. */
export interface ServedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** Common name of the client's certificate. */
  readonly client?: string;
}

/** PEM of the server's certificate, its key, and whom its clients' certificates must come from. */
export interface ServerCertificates {
  readonly cert: string;
  readonly key: string;
  readonly clientCa?: string;
}

/** See the file's header. */
export class DoubleServer {
  readonly served: ServedRequest[] = [];
  readonly #double: ApiDouble;
  readonly #server: http.Server | https.Server;
  readonly #sockets = new Set<Socket>();
  readonly #scheme: string;
  connectionCount = 0;

  constructor(double: ApiDouble, certificates?: ServerCertificates) {
    this.#double = double;
    this.#scheme = certificates === undefined ? "http" : "https";
    this.#server = certificates === undefined ? http.createServer(this.#serve) : https.createServer(
      {
        cert: certificates.cert,
        key: certificates.key,
        ...certificates.clientCa === undefined
          ? {}
          : { ca: certificates.clientCa, requestCert: true, rejectUnauthorized: false },
      },
      this.#serve,
    );
    this.#server.on("connection", (socket: Socket) => {
      this.connectionCount++;
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      socket.on("error", () => {});
    });
  }

  /** Listens on a free port; resolves with the base URL. */
  async start(): Promise<URL> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this.url;
  }

  /** Where it listens. */
  get url(): URL {
    const address = this.#server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    return new URL(`${this.#scheme}://127.0.0.1:${port}`);
  }

  /** Resets every connection: the server is gone, and comes back with the next one. */
  dropConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.dropConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  readonly #serve = async (
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> => {
    const chunks: string[] = [];
    try {
      for await (const chunk of request) chunks.push(String(chunk));
    } catch {
      return; // The client went away before its request was read, as a command that ends does.
    }
    const { url = "/", method = "GET", headers, socket } = request;
    const client = "getPeerCertificate" in socket
      ? (socket as TLSSocket).getPeerCertificate()?.subject?.CN
      : undefined;
    const body = chunks.join("");
    this.served.push({
      url,
      method,
      headers,
      body,
      ...client === undefined ? {} : { client: String(client) },
    });
    const { pathname, searchParams } = new URL(url, "http://double");
    const { authorization, "content-type": contentType = "" } = headers;
    const sent = { method, path: pathname, query: searchParams, authorization, contentType };
    this.#reply(
      this.#double.handle({ ...sent, ...body === "" ? {} : { body } }),
      response,
    );
  };

  #reply(reply: DoubleReply, response: http.ServerResponse): void {
    switch (reply.type) {
      case "answer":
        response.writeHead(reply.code, { "content-type": "application/json", ...reply.headers });
        response.end(reply.body);
        break;
      case "stream":
        response.writeHead(200, { "content-type": "application/json" });
        response.flushHeaders();
        pump(reply.stream, response);
        break;
      case "reset":
        response.socket?.destroy();
        break;
      case "hang":
        break;
    }
  }
}

function pump(stream: DoubleStream, response: http.ServerResponse): void {
  const send = (): void => {
    for (let taken = stream.take(); taken !== undefined; taken = stream.take()) {
      if (taken instanceof Uint8Array) response.write(taken);
      else {
        if (taken === "ended") response.end();
        else response.socket?.destroy();
        return;
      }
    }
  };
  stream.onReady(send);
  response.on("close", () => stream.end());
  send();
}
