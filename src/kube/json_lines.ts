/**
 * Splits a stream of bytes into lines and reads each as JSON: the form of a watch.
 *
 * Lines are cut as bytes, so that a character which is split over two chunks stays whole. A line has
 * a limit; the last one must end with a line break, or the stream was cut off.
 */

import { ClusterError } from "./cluster_error.ts";

const lineBreak = 10;

/** See the file's header. */
export class JsonLines {
  readonly #bytesMax: number;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  /** Parts of the line that is not complete. */
  #parts: Uint8Array[] = [];
  #size = 0;

  /** @param bytesMax of one line */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /**
   * The values of the lines that `chunk` completes, in order and one at a time: what is before a bad
   * line was handed out already.
   *
   * @throws ClusterError of kind `garbled` or `too-large`
   */
  *read(chunk: Uint8Array): Generator<unknown> {
    let start = 0;
    for (let end = chunk.indexOf(lineBreak); end >= 0; end = chunk.indexOf(lineBreak, start)) {
      const line = this.#complete(chunk.subarray(start, end));
      start = end + 1;
      if (line.byteLength > 0) yield this.#parse(line);
    }
    if (start < chunk.byteLength) this.#keep(chunk.subarray(start));
  }

  /**
   * Says that the stream ended.
   *
   * @throws ClusterError of kind `unreachable` when a line was begun
   */
  end(): void {
    if (this.#size > 0) throw new ClusterError("unreachable", "The stream ended inside an event");
  }

  #complete(rest: Uint8Array): Uint8Array {
    if (this.#size === 0) return rest;
    this.#keep(rest);
    const line = new Uint8Array(this.#size);
    let offset = 0;
    for (const part of this.#parts) {
      line.set(part, offset);
      offset += part.byteLength;
    }
    this.#parts = [];
    this.#size = 0;
    return line;
  }

  #keep(part: Uint8Array): void {
    this.#size += part.byteLength;
    if (this.#size > this.#bytesMax) {
      throw new ClusterError("too-large", `An event is larger than ${this.#bytesMax} bytes`);
    }
    this.#parts.push(part);
  }

  #parse(line: Uint8Array): unknown {
    try {
      return JSON.parse(this.#decoder.decode(line));
    } catch {
      // The parser's words would repeat the text, which may hold a Secret.
      throw new ClusterError("garbled", "An event is not JSON");
    }
  }
}
