/**
 * Answers of lines that go on, such as the watches of the Kubernetes API: opened, fed, and ended in
 * bounds.
 *
 * What a client has not read yet waits, up to a bound; beyond it what waits is dropped and the answer
 * ends, so that the client comes back with the last version that it has seen. What is sent at the
 * start is the sender's to bound. A drain ends every answer in good order. A client that does not
 * even read the end is cut.
 */

import type { Clock } from "../base/clock.ts";

/** The bounds of all streams of a server. */
export interface LineStreamLimits {
  /** Streams that are open at once. */
  readonly streamsMax: number;
  /** UTF-16 units that wait for one reader. */
  readonly waitingCharsMax: number;
  /** How long a stream that was ended may take to be read to its end, milliseconds. */
  readonly endTimeoutMs: number;
}

/** For people, controllers and their tests. */
export const defaultLineStreamLimits: LineStreamLimits = {
  streamsMax: 512,
  waitingCharsMax: 4 * 1024 * 1024,
  endTimeoutMs: 5_000,
};

/** Where lines are sent. */
export interface LineSink {
  send(line: string): void;
  end(): void;
}

/** See the file's header. */
export class LineStreams {
  readonly #clock: Pick<Clock, "after">;
  readonly #limits: LineStreamLimits;
  readonly #streams = new Set<LineStream>();
  #isDraining = false;

  constructor(
    clock: Pick<Clock, "after">,
    limits: LineStreamLimits = defaultLineStreamLimits,
  ) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Streams that are open. */
  get size(): number {
    return this.#streams.size;
  }

  /** Whether another stream may be opened. */
  get hasRoom(): boolean {
    return !this.#isDraining && this.#streams.size < this.#limits.streamsMax;
  }

  /**
   * The body of an answer; it counts from now on until it ends.
   *
   * @param start called with the first read; the returned function stops the feeding
   * @param cut breaks the connection off
   */
  open(start: (sink: LineSink) => () => void, cut: () => void): ReadableStream<Uint8Array> {
    const stream: LineStream = new LineStream({
      start,
      cut,
      clock: this.#clock,
      limits: this.#limits,
      onOver: () => this.#streams.delete(stream),
    });
    this.#streams.add(stream);
    return stream.body;
  }

  /** Takes streams again after a drain. */
  resume(): void {
    this.#isDraining = false;
  }

  /** Ends every stream and takes no more. */
  drain(): void {
    this.#isDraining = true;
    for (const stream of [...this.#streams]) stream.end();
  }
}

interface LineStreamOptions {
  readonly start: (sink: LineSink) => () => void;
  readonly cut: () => void;
  readonly clock: Pick<Clock, "after">;
  readonly limits: LineStreamLimits;
  readonly onOver: () => void;
}

class LineStream implements LineSink {
  readonly body: ReadableStream<Uint8Array>;
  readonly #options: LineStreamOptions;
  readonly #encoder = new TextEncoder();
  #state: "new" | "open" | "ending" | "over" = "new";
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #waiting: string[] = [];
  #waitingChars = 0;
  #isStarting = false;
  #awaited: PromiseWithResolvers<void> | undefined;
  #stop: () => void = () => {};
  #cancelCut: () => void = () => {};

  constructor(options: LineStreamOptions) {
    this.#options = options;
    this.body = new ReadableStream<Uint8Array>({
      pull: (controller) => this.#pull(controller),
      cancel: () => this.#finish(),
    }, { highWaterMark: 0 });
  }

  send(line: string): void {
    if (this.#state !== "open") return;
    this.#waiting.push(line, "\n");
    if (!this.#isStarting) this.#waitingChars += line.length;
    if (this.#awaited && !this.#isStarting) this.#flush();
    else if (this.#waitingChars > this.#options.limits.waitingCharsMax) {
      this.#waiting = [];
      this.end();
    }
  }

  /** Lets what waits be read, for a while, and then closes. */
  end(): void {
    if (this.#state === "new") return this.#finish();
    if (this.#state !== "open") return;
    this.#state = "ending";
    this.#stop();
    this.#cancelCut = this.#options.clock.after(this.#options.limits.endTimeoutMs, () => {
      this.#options.cut();
      this.#finish();
    });
    if (!this.#isStarting) this.#flush();
  }

  #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> | void {
    this.#controller = controller;
    this.#awaited = Promise.withResolvers();
    const { promise } = this.#awaited;
    if (this.#state === "over") {
      controller.close();
      return;
    }
    if (this.#state === "new") this.#begin();
    this.#flush();
    return promise;
  }

  #begin(): void {
    this.#state = "open";
    this.#isStarting = true;
    const stop = this.#options.start(this);
    this.#isStarting = false;
    if (this.#isOpen()) this.#stop = stop;
    else stop();
  }

  #isOpen(): boolean {
    return this.#state === "open";
  }

  /** Hands over what waits to a reader that wants it; closes when it was the last. */
  #flush(): void {
    const awaited = this.#awaited;
    if (!awaited || !this.#controller) return;
    if (this.#waiting.length > 0) {
      const text = this.#waiting.join("");
      this.#waiting = [];
      this.#waitingChars = 0;
      this.#controller.enqueue(this.#encoder.encode(text));
      this.#awaited = undefined;
      awaited.resolve();
    }
    if (this.#state === "ending") this.#finish();
  }

  #finish(): void {
    if (this.#state === "over") return;
    const wasNew = this.#state === "new";
    const hasStopped = this.#state === "ending";
    this.#state = "over";
    this.#waiting = [];
    this.#cancelCut();
    if (!hasStopped && !wasNew) this.#stop();
    try {
      this.#controller?.close();
    } catch {
      // Closed already, because the client has left.
    }
    this.#awaited?.resolve();
    this.#options.onOver();
  }
}
