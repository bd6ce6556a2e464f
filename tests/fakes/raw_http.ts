/**
 * HTTP/1.1 octet by octet: a client on a bare socket, for what a well-behaved client never sends.
 */

const encoder = new TextEncoder();

/** A response as it came over the wire. Octets are read as latin1, one character each. */
export interface RawResponse {
  readonly status: number;
  readonly statusText: string;
  /** In order, with their case: `Name: value`. */
  readonly lines: readonly string[];
  readonly body: string;
  /** `Name: value` of each trailer. */
  readonly trailers: readonly string[];
}

/** The values of a header, in order. */
export function valuesOf(lines: readonly string[], name: string): string[] {
  return lines.filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    .map((line) => line.slice(name.length + 1).trim());
}

/** One connection. Close it with `using`. */
export class RawClient implements Disposable {
  readonly #connection: Deno.Conn;
  #buffer = "";
  #isEnded = false;

  private constructor(connection: Deno.Conn) {
    this.#connection = connection;
  }

  /** Connects to loopback, with TLS when options are given. */
  static async connect(
    port: number,
    tls?: { readonly serverName: string; readonly ca: string },
  ): Promise<RawClient> {
    if (tls === undefined) {
      return new RawClient(await Deno.connect({ hostname: "127.0.0.1", port }));
    }
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    const secured = await Deno.startTls(connection, {
      hostname: tls.serverName,
      caCerts: [tls.ca],
    });
    try {
      await secured.handshake();
    } catch (error) {
      secured.close();
      throw error;
    }
    return new RawClient(secured);
  }

  /** Speaks over a connection that is open already; it stays the caller's to close. */
  static over(connection: Deno.Conn): RawClient {
    return new RawClient(connection);
  }

  [Symbol.dispose](): void {
    try {
      this.#connection.close();
    } catch {
      // Closed already.
    }
  }

  /** Sends text as latin1 octets, or octets. */
  async send(data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === "string"
      ? Uint8Array.from(data, (character) => character.charCodeAt(0))
      : data;
    for (let sent = 0; sent < bytes.length;) {
      sent += await this.#connection.write(bytes.subarray(sent));
    }
  }

  /** Sends a request head; lines are `Name: value`. */
  async request(start: string, ...lines: readonly string[]): Promise<void> {
    await this.send(`${start} HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`);
  }

  /** Sends the end of the stream. */
  async closeWrite(): Promise<void> {
    if ("closeWrite" in this.#connection) await this.#connection.closeWrite();
  }

  /** Reads one response. `method` decides whether it has a body. */
  async response(method = "GET"): Promise<RawResponse> {
    const head = await this.readUntil("\r\n\r\n");
    const [start = "", ...lines] = head.slice(0, -4).split("\r\n");
    const parts = /^HTTP\/1\.1 ([0-9]{3}) ?(.*)$/.exec(start);
    if (parts === null) throw new Error(`Cannot read the response: "${start}" is no status line`);
    const status = Number(parts[1]);
    const base = { status, statusText: parts[2] ?? "", lines };
    if (method === "HEAD" || status < 200 || status === 204 || status === 304) {
      return { ...base, body: "", trailers: [] };
    }
    if (valuesOf(lines, "transfer-encoding").includes("chunked")) {
      return { ...base, ...await this.#readChunked() };
    }
    const [length] = valuesOf(lines, "content-length");
    const body = length === undefined ? await this.rest() : await this.read(Number(length));
    return { ...base, body, trailers: [] };
  }

  /** Reads the head of a request, as a server would. */
  async receiveHead(): Promise<{ readonly start: string; readonly lines: readonly string[] }> {
    const [start = "", ...lines] = (await this.readUntil("\r\n\r\n")).slice(0, -4).split("\r\n");
    return { start, lines };
  }

  /** Reads a whole request, as a server would. */
  async receiveRequest(): Promise<{
    readonly start: string;
    readonly lines: readonly string[];
    readonly body: string;
    readonly trailers: readonly string[];
  }> {
    const head = await this.receiveHead();
    if (valuesOf(head.lines, "transfer-encoding").includes("chunked")) {
      return { ...head, ...await this.#readChunked() };
    }
    const [length = "0"] = valuesOf(head.lines, "content-length");
    return { ...head, body: await this.read(Number(length)), trailers: [] };
  }

  /** Reads exactly `length` octets. */
  async read(length: number): Promise<string> {
    while (this.#buffer.length < length) await this.#fill();
    const text = this.#buffer.slice(0, length);
    this.#buffer = this.#buffer.slice(length);
    return text;
  }

  /** Reads up to and including `mark`. */
  async readUntil(mark: string): Promise<string> {
    for (;;) {
      const at = this.#buffer.indexOf(mark);
      if (at >= 0) return await this.read(at + mark.length);
      await this.#fill();
    }
  }

  /** Reads until the other side closes; a reset counts as the end. */
  async rest(): Promise<string> {
    while (!this.#isEnded) {
      try {
        await this.#fill();
      } catch {
        break;
      }
    }
    const text = this.#buffer;
    this.#buffer = "";
    return text;
  }

  async #readChunked(): Promise<{ readonly body: string; readonly trailers: readonly string[] }> {
    let body = "";
    for (;;) {
      const size = Number.parseInt(await this.readUntil("\r\n"), 16);
      if (size === 0) break;
      body += await this.read(size);
      await this.readUntil("\r\n");
    }
    const trailers: string[] = [];
    for (;;) {
      const line = (await this.readUntil("\r\n")).slice(0, -2);
      if (line === "") return { body, trailers };
      trailers.push(line);
    }
  }

  async #fill(): Promise<void> {
    const chunk = new Uint8Array(65_536);
    const length = await this.#connection.read(chunk);
    if (length === null) {
      this.#isEnded = true;
      throw new Error("Cannot read more: the other side has closed the connection");
    }
    let text = "";
    for (let at = 0; at < length; at += 8_192) {
      text += String.fromCharCode(...chunk.subarray(at, Math.min(at + 8_192, length)));
    }
    this.#buffer += text;
  }
}

/** Sends one request on a connection of its own and reads the response. */
export async function exchange(
  port: number,
  start: string,
  ...lines: readonly string[]
): Promise<RawResponse> {
  using client = await RawClient.connect(port);
  await client.request(start, ...lines);
  return await client.response(start.split(" ")[0]);
}

/** UTF-8 text as {@linkcode RawClient} shows it. */
export function asOctets(text: string): string {
  return String.fromCharCode(...encoder.encode(text));
}
