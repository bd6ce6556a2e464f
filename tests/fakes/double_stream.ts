/**
 * The body of a watch of {@linkcode ApiDouble}: bytes that the test and the server send, and how they
 * end. One reader.
 */

/** How a stream ended. */
export type StreamEnd = "open" | "ended" | "cut";

/** See the file's header. */
export class DoubleStream {
  /** Events up to this version were not asked for. */
  from = 0;
  /** Bytes that nobody read yet. */
  #chunks: Uint8Array[] = [];
  #end: StreamEnd = "open";
  #isSilent = false;
  #wake: () => void = () => {};
  /** How the bytes of events are cut into chunks; one chunk for each event when not set. */
  split: (bytes: Uint8Array) => readonly Uint8Array[] = (bytes) => [bytes];

  get isOpen(): boolean {
    return this.#end === "open";
  }

  sendEvent(type: string, object: unknown): void {
    this.sendText(`${JSON.stringify({ type, object })}\n`);
  }

  sendText(text: string): void {
    this.sendBytes(new TextEncoder().encode(text));
  }

  sendBytes(bytes: Uint8Array): void {
    if (this.#end !== "open" || this.#isSilent) return;
    this.#chunks.push(...this.split(bytes));
    this.#wake();
  }

  /** Keeps the connection and sends nothing any more: the other end is dead. */
  fallSilent(): void {
    this.#isSilent = true;
  }

  /** The proper end. */
  end(): void {
    this.#finish("ended");
  }

  /** The connection breaks; what was not read by then is lost. */
  cut(): void {
    this.#chunks = [];
    this.#finish("cut");
  }

  /** The chunks, then how it ended: `undefined` while it is open and there is nothing. */
  take(): Uint8Array | StreamEnd | undefined {
    return this.#chunks.shift() ?? (this.#end === "open" ? undefined : this.#end);
  }

  /** Calls `wake` whenever there may be something to take. */
  onReady(wake: () => void): void {
    this.#wake = wake;
  }

  #finish(end: StreamEnd): void {
    if (this.#end !== "open") return;
    this.#end = end;
    this.#wake();
  }
}
