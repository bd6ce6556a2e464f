/** What a stream of events is fed with: the interface between who makes events and who sends them. */

/** One event; a text with line breaks is sent in several lines. */
export interface SentEvent {
  readonly event: string;
  readonly id?: string;
  readonly data: string;
}

/** Where a stream's events are sent. */
export interface EventSink {
  send(event: SentEvent): void;
  /** Tells the client from where it would go on if the stream broke off now. */
  mark(id: string): void;
}

/** Starts to feed a stream; the returned function ends that. Called with the first read. */
export type StartStream = (sink: EventSink) => () => void;
