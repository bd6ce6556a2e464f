/**
 * What the readers and writers of the cluster ask for: one answer, or a stream of bytes.
 *
 * They own this interface; the network fills it, and tests fill it with a cluster in memory. Every
 * failure is a {@linkcode ClusterError}, except that an aborted signal rejects with its own reason.
 */

/** A request to the API server. */
export interface ClusterRequest {
  /** GET when absent. */
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** From the root of the API, with the leading slash: `/apis/…`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Of the body; `application/json` when absent. */
  readonly contentType?: string;
  /** The forms of the answer that are wanted; `application/json` when absent. */
  readonly accept?: string;
  /** Told what the server's clock says (RFC 9110, Date) when an answer is no refusal. */
  readonly onDate?: (date: string | undefined) => void;
  /** For the whole answer of `request`, or until the answer of `open` begins, milliseconds. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
}

/** The body of an answer that goes on. */
export interface ClusterStream {
  /**
   * The bytes as they come. Ends when the server ended the body properly; throws when it was cut off
   * or nothing came for too long. Ending the iteration closes the connection.
   */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** See the file's header. */
export interface ClusterTransport {
  /** Asks, and reads the answer as JSON; an empty answer is undefined. */
  request(request: ClusterRequest): Promise<unknown>;
  /** Asks for an answer that goes on. Iterate over its chunks, or the connection stays open. */
  open(
    request: ClusterRequest & {
      /** How long nothing may come before the stream counts as dead, milliseconds. */
      readonly idleMs: number;
    },
  ): Promise<ClusterStream>;
}
