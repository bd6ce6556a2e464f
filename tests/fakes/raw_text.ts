/**
 * HTTP byte by byte over TCP, for what no client library would send.
 */

/** Sends `parts` one after the other and reads until the server closes; returns all it sent. */
export async function exchange(port: number, ...parts: string[]): Promise<string> {
  using connection = await RawConnection.open(port);
  for (const part of parts) await connection.send(part);
  return await connection.readToEnd();
}

/** One TCP connection. */
export class RawConnection implements Disposable {
  readonly #connection: Deno.Conn;
  #buffered = "";

  private constructor(connection: Deno.Conn) {
    this.#connection = connection;
  }

  /** Connects to a port on loopback. */
  static async open(port: number, hostname = "127.0.0.1"): Promise<RawConnection> {
    return new RawConnection(await Deno.connect({ hostname, port }));
  }

  /** Sends text; a server that has closed already is no error, its answer says why. */
  async send(text: string): Promise<void> {
    let bytes = new TextEncoder().encode(text);
    try {
      while (bytes.length > 0) bytes = bytes.subarray(await this.#connection.write(bytes));
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  /** Everything until the server closes. */
  async readToEnd(): Promise<string> {
    while (await this.#read());
    return this.#buffered;
  }

  /** Everything up to and including the first `mark`; fails when the server closes before it. */
  async readUntil(mark: string): Promise<string> {
    while (!this.#buffered.includes(mark)) {
      if (!await this.#read()) throw new Error(`closed before "${mark}": ${this.#buffered}`);
    }
    const end = this.#buffered.indexOf(mark) + mark.length;
    const text = this.#buffered.slice(0, end);
    this.#buffered = this.#buffered.slice(end);
    return text;
  }

  async #read(): Promise<boolean> {
    const bytes = new Uint8Array(64 * 1024);
    const count = await this.#connection.read(bytes).catch((error: unknown) => {
      if (isGone(error)) return null;
      throw error;
    });
    if (count === null) return false;
    this.#buffered += new TextDecoder().decode(bytes.subarray(0, count));
    return true;
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Deno.errors.ConnectionReset || error instanceof Deno.errors.BrokenPipe ||
    error instanceof Deno.errors.ConnectionAborted;
}
