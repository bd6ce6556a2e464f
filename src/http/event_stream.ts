/**
 * One stream of events: what is sent waits until it is read, up to a bound. What is sent at the start
 * is the sender's to bound.
 *
 * It ends once: because the client left, because it reads too slowly, or because the server drains.
 * In the last two cases a last event says why; a client that does not even read that is cut.
 */

import type { EndEvent } from "../api/changes.ts";
import type { Clock } from "../base/clock.ts";
import type { EventSink, SentEvent, StartStream } from "./event_sink.ts";

/** How a stream is built. */
export interface EventStreamOptions {
  readonly start: StartStream;
  readonly waitingCharsMax: number;
  readonly endTimeoutMs: number;
  readonly clock: Pick<Clock, "after">;
  /** Breaks the connection off. */
  readonly cut: () => void;
  /** Called with the first read. */
  readonly onOpen: () => void;
  /** Called once when nothing more is sent, and only after `onOpen`. */
  readonly onEnd: (reason: EndEvent["reason"] | "Left") => void;
}

/** Milliseconds until a browser that was cut off comes back. */
const retryMs = 1000;

/** See the file's header. */
export class EventStream implements EventSink {
  /** The body of the answer. */
  readonly body: ReadableStream<Uint8Array>;
  readonly #options: EventStreamOptions;
  readonly #encoder = new TextEncoder();
  #state: "new" | "open" | "ending" | "over" = "new";
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** What waits for the reader, in the order in which it was sent. */
  #waiting: string[] = [];
  #waitingChars = 0;
  /** What was sent at the start does not count as waiting: nobody could have read it. */
  #startChars = 0;
  /** The reader has asked and got nothing yet. */
  #awaited: PromiseWithResolvers<void> | undefined;
  #isStarting = false;
  #stop: (() => void) | undefined;
  #cancelCut: (() => void) | undefined;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.body = new ReadableStream<Uint8Array>({
      pull: (controller) => this.#pull(controller),
      cancel: () => this.#leave(),
    }, { highWaterMark: 0 });
  }

  send({ event, id, data }: SentEvent): void {
    const head = id === undefined ? "" : `id: ${id}\n`;
    const lines = data.split("\n").map((line) => `data: ${line}\n`);
    this.#write(`${head}event: ${event}\n${lines.join("")}\n`);
  }

  mark(id: string): void {
    this.#write(`retry: ${retryMs}\nid: ${id}\n\n`);
  }

  /** Keeps a quiet connection alive; what waits does that by itself. */
  beat(): void {
    if (this.#waiting.length === 0) this.#write(": still here\n\n");
  }

  /** Says why it is over, drops what waits, and gives the client a while to read that. */
  end(reason: EndEvent["reason"]): void {
    if (this.#state !== "open") return;
    this.#state = "ending";
    this.#stop?.();
    this.#waiting = [`event: end\ndata: ${JSON.stringify({ reason } satisfies EndEvent)}\n\n`];
    this.#options.onEnd(reason);
    this.#cancelCut = this.#options.clock.after(this.#options.endTimeoutMs, () => {
      this.#state = "over";
      this.#waiting = [];
      this.#options.cut();
      this.#controller?.close();
      this.#awaited?.resolve();
    });
    this.#flush();
  }

  #write(text: string): void {
    if (this.#state !== "open") return;
    this.#waiting.push(text);
    this.#waitingChars += text.length;
    if (this.#awaited) this.#flush();
    else if (this.#isStarting) this.#startChars = this.#waitingChars;
    else if (this.#waitingChars - this.#startChars > this.#options.waitingCharsMax) {
      this.end("TooSlow");
    }
  }

  /** The reader wants more: hands over what waits, or keeps it waiting. */
  #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> | void {
    this.#controller = controller;
    if (this.#state === "new") this.#begin();
    this.#awaited = Promise.withResolvers();
    const { promise } = this.#awaited;
    this.#flush();
    return promise;
  }

  #begin(): void {
    this.#state = "open";
    this.#options.onOpen();
    // A drain may have ended it already.
    if (!this.#isOpen()) return;
    this.#isStarting = true;
    this.#stop = this.#options.start(this);
    this.#isStarting = false;
  }

  #isOpen(): boolean {
    return this.#state === "open";
  }

  #flush(): void {
    const awaited = this.#awaited;
    const controller = this.#controller;
    if (!awaited || !controller || this.#state === "over" || this.#waiting.length === 0) return;
    const text = this.#waiting.join("");
    this.#waiting = [];
    this.#waitingChars = 0;
    this.#startChars = 0;
    this.#awaited = undefined;
    controller.enqueue(this.#encoder.encode(text));
    if (this.#state === "ending") {
      this.#state = "over";
      this.#cancelCut?.();
      controller.close();
    }
    awaited.resolve();
  }

  #leave(): void {
    const wasOpen = this.#state === "open";
    this.#state = "over";
    this.#waiting = [];
    this.#cancelCut?.();
    this.#awaited?.resolve();
    if (!wasOpen) return;
    this.#stop?.();
    this.#options.onEnd("Left");
  }
}
