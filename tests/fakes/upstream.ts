/**
 * A backend on a bare socket that shows exactly what it was sent and answers exactly what it is told.
 *
 * Every connection is handed to a script; the script reads requests and writes octets. Counts what
 * matters: connections and requests.
 */

import { RawClient } from "./raw_http.ts";
import type { Endpoint } from "../../src/dataplane/model.ts";

/** A request as the backend received it. */
export interface UpstreamRequest {
  /** `GET /path HTTP/1.1`. */
  readonly start: string;
  /** `Name: value` in order. */
  readonly lines: readonly string[];
  readonly body: string;
  readonly trailers: readonly string[];
}

/** One connection to the backend. */
export interface UpstreamConnection {
  /** The index of the connection, from 0. */
  readonly index: number;
  /** Reads a request head and no more. Rejects when the connection ends. */
  head(): Promise<Pick<UpstreamRequest, "start" | "lines">>;
  /** Reads a whole request. */
  request(): Promise<UpstreamRequest>;
  /** Reads until the other side closes. */
  rest(): Promise<string>;
  /** Reads exactly so many octets. */
  read(length: number): Promise<string>;
  /** Writes octets. */
  send(data: string | Uint8Array): Promise<void>;
  /** Closes the connection. */
  close(): void;
}

/** What is done with a connection; it is closed behind it. */
export type UpstreamScript = (connection: UpstreamConnection) => Promise<void>;

/** A response with a length. */
export function reply(body: string, ...lines: readonly string[]): string {
  return replyWith("200 OK", body, ...lines);
}

/** A response with a status and a length. */
export function replyWith(status: string, body: string, ...lines: readonly string[]): string {
  const all = [...lines, `Content-Length: ${body.length}`].map((line) => `${line}\r\n`).join("");
  return `HTTP/1.1 ${status}\r\n${all}\r\n${body}`;
}

/** Answers every request with what `answer` makes of it. */
export function answering(
  answer: (request: UpstreamRequest, connection: number) => string,
): UpstreamScript {
  return async (connection) => {
    for (;;) await connection.send(answer(await connection.request(), connection.index));
  };
}

/** See the file's header. Stop it with `await using`. */
export class Upstream implements AsyncDisposable {
  readonly port: number;
  /** In the order of arrival. */
  readonly requests: UpstreamRequest[] = [];
  #connections = 0;
  readonly #listener: Deno.TcpListener;
  readonly #script: UpstreamScript;
  readonly #open = new Set<Deno.Conn>();
  readonly #tasks = new Set<Promise<void>>();
  readonly #accepting: Promise<void>;

  constructor(script: UpstreamScript, port = 0) {
    this.#script = script;
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port });
    this.port = this.#listener.addr.port;
    this.#accepting = this.#accept();
  }

  /** Connections that were accepted so far. */
  get connections(): number {
    return this.#connections;
  }

  /** Where it listens. */
  get endpoint(): Endpoint {
    return { address: "127.0.0.1", port: this.port };
  }

  /** Accepts no more connections; those that are open go on. */
  stopListening(): void {
    this.#listener.close();
  }

  /** Cuts all connections. */
  cut(): void {
    for (const connection of this.#open) closeQuietly(connection);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    closeQuietly(this.#listener);
    this.cut();
    await this.#accepting;
    await Promise.all(this.#tasks);
  }

  async #accept(): Promise<void> {
    try {
      for await (const connection of this.#listener) {
        const task: Promise<void> = this.#serve(connection).finally(() => {
          this.#tasks.delete(task);
        });
        this.#tasks.add(task);
      }
    } catch {
      // The listener was closed.
    }
  }

  async #serve(socket: Deno.Conn): Promise<void> {
    const index = this.#connections++;
    this.#open.add(socket);
    const raw = RawClient.over(socket);
    const request = async (): Promise<UpstreamRequest> => {
      const received = await raw.receiveRequest();
      this.requests.push(received);
      return received;
    };
    try {
      await this.#script({
        index,
        request,
        head: () => raw.receiveHead(),
        rest: () => raw.rest(),
        read: (length) => raw.read(length),
        send: (data) => raw.send(data),
        close: () => closeQuietly(socket),
      });
    } catch {
      // The other side went away, which is how most scripts end.
    } finally {
      closeQuietly(socket);
      this.#open.delete(socket);
    }
  }
}

function closeQuietly(resource: { close(): void }): void {
  try {
    resource.close();
  } catch {
    // Closed already.
  }
}
