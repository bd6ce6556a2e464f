/**
 * The event streams of a server (Server-Sent Events): opened, fed, and ended in bounds.
 *
 * A stream that is read too slowly holds a bounded amount; beyond it what waits is dropped and the
 * stream ends with the reason, so that the client comes back and learns what it missed. All streams
 * share one timer for the comments that keep them alive. A drain ends them all. A stream starts with
 * its first read: what nobody reads, such as the answer to HEAD, costs nothing.
 */

import type { EndEvent } from "../api/changes.ts";
import type { Clock } from "../base/clock.ts";
import type { StartStream } from "./event_sink.ts";
import { EventStream } from "./event_stream.ts";
import { RefusedError } from "./problem.ts";

/** The bounds of all streams of a server. */
export interface EventStreamLimits {
  /** Streams that are open at once; beyond: 503. */
  readonly streamsMax: number;
  /** UTF-16 units that wait for one reader; beyond: the stream ends as too slow. */
  readonly waitingCharsMax: number;
  /** Between two comments on a quiet stream, milliseconds. */
  readonly heartbeatMs: number;
  /** How long a stream that was ended may take to be read to its end, milliseconds. */
  readonly endTimeoutMs: number;
}

/** For people and controllers, not for a thousand browsers. */
export const defaultEventStreamLimits: EventStreamLimits = {
  streamsMax: 64,
  waitingCharsMax: 1024 * 1024,
  heartbeatMs: 15_000,
  endTimeoutMs: 5_000,
};

/** See the file's header for the promises. */
export class EventStreams {
  readonly #clock: Clock;
  readonly #limits: EventStreamLimits;
  readonly #onEnd: (reason: EndEvent["reason"] | "Left") => void;
  readonly #streams = new Set<EventStream>();
  #isDraining = false;
  #cancelHeartbeat: (() => void) | undefined;

  /** @param onEnd told why a stream ended; `Left`: the client has gone away */
  constructor(
    clock: Clock,
    limits: EventStreamLimits = defaultEventStreamLimits,
    onEnd: (reason: EndEvent["reason"] | "Left") => void = () => {},
  ) {
    this.#clock = clock;
    this.#limits = limits;
    this.#onEnd = onEnd;
  }

  /** Streams that are open. */
  get size(): number {
    return this.#streams.size;
  }

  /**
   * An answer that is a stream.
   *
   * @param cut breaks the connection off, when the client does not even read the end
   * @param ended aborts when the client may not read on; absent: never
   * @throws {RefusedError} 503 when there are too many, or the server drains
   */
  open(start: StartStream, cut: () => void, ended?: AbortSignal): Response {
    if (this.#isDraining) {
      throw new RefusedError(503, "Draining", "Open stream: the server is about to end");
    }
    const { streamsMax, waitingCharsMax, endTimeoutMs } = this.#limits;
    if (this.#streams.size >= streamsMax) {
      throw new RefusedError(
        503,
        "TooManyStreams",
        `Open stream: ${streamsMax} are open, wanted one of them to end first`,
      );
    }
    const stream = new EventStream({
      start,
      cut,
      waitingCharsMax,
      endTimeoutMs,
      clock: this.#clock,
      onOpen: () => {
        this.#add(stream);
        ended?.addEventListener("abort", end, { once: true });
        if (ended?.aborted) end();
      },
      onEnd: (reason) => {
        ended?.removeEventListener("abort", end);
        this.#remove(stream, reason);
      },
    });
    const end = (): void => stream.end("AccessEnded");
    return new Response(stream.body, {
      headers: { "content-type": "text/event-stream", "x-accel-buffering": "no" },
    });
  }

  /** Takes streams again after a drain. */
  resume(): void {
    this.#isDraining = false;
  }

  /** Ends every stream and takes no more. */
  drain(): void {
    this.#isDraining = true;
    for (const stream of [...this.#streams]) stream.end("Draining");
  }

  #add(stream: EventStream): void {
    this.#streams.add(stream);
    if (this.#isDraining) stream.end("Draining");
    else this.#armHeartbeat();
  }

  #remove(stream: EventStream, reason: EndEvent["reason"] | "Left"): void {
    if (!this.#streams.delete(stream)) return;
    this.#onEnd(reason);
    if (this.#streams.size > 0) return;
    this.#cancelHeartbeat?.();
    this.#cancelHeartbeat = undefined;
  }

  #armHeartbeat(): void {
    this.#cancelHeartbeat ??= this.#clock.after(this.#limits.heartbeatMs, () => {
      this.#cancelHeartbeat = undefined;
      for (const stream of this.#streams) stream.beat();
      if (this.#streams.size > 0) this.#armHeartbeat();
    });
  }
}
