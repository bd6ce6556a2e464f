/**
 * What the Kubernetes API is asked and answers, free of any HTTP library.
 *
 * Whoever serves it turns requests into {@linkcode ApiRequest} and answers into bytes; everything
 * that the API means by them is decided behind these types.
 */

/** One request. */
export interface ApiRequest {
  readonly method: string;
  /** The path as sent: percent-encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The headers of these names, or the empty string. */
  readonly accept: string;
  readonly contentType: string;
  readonly userAgent: string;
  readonly authorization: string;
  /** Reads the body, whose size is bounded; at most once. */
  readonly readBytes: () => Promise<Uint8Array>;
}

/** A whole answer. */
export interface TextAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  /** What `Warning` headers say. */
  readonly warnings: readonly string[];
  /** Seconds, when the client should come back. */
  readonly retryAfterSeconds?: number;
}

/** Where the lines of a watch go. */
export interface LineSink {
  /** One line of JSON, without its line break. */
  send(line: string): void;
  /** Ends the answer in good order once what was sent is read. */
  end(): void;
}

/** An answer of lines that goes on. */
export interface WatchAnswer {
  readonly contentType: string;
  /** Starts to feed `sink`; the returned function stops that. */
  readonly start: (sink: LineSink) => () => void;
}

/** What a request is answered with. */
export type ApiAnswer = TextAnswer | WatchAnswer;

/** An answer of JSON. */
export function jsonAnswer(
  body: unknown,
  options: { readonly status?: number; readonly warnings?: readonly string[] } = {},
): TextAnswer {
  return {
    status: options.status ?? 200,
    contentType: "application/json",
    text: `${JSON.stringify(body)}\n`,
    warnings: options.warnings ?? [],
  };
}
