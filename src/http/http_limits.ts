/**
 * The bounds of an HTTP server, and the ones that the API has. What happens at each: server.ts.
 */

/** Bounds of the server. */
export interface HttpLimits {
  /** From the first byte of a connection or request to the end of its headers. */
  readonly headersTimeoutMs: number;
  /** From the first byte of a request to the end of its body. */
  readonly requestTimeoutMs: number;
  /** How long a connection may wait for its next request. */
  readonly keepAliveTimeoutMs: number;
  /** Request line and headers together. */
  readonly headerMaxBytes: number;
  readonly bodyMaxBytes: number;
  readonly connectionsMax: number;
  /** How long requests that drain() left in flight may take when the server stops. */
  readonly stopTimeoutMs: number;
}

/** Limits for people, probes and scrapers; no flag changes them. */
export const defaultHttpLimits: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 60_000,
  headerMaxBytes: 16 * 1024,
  // The manifests of a plan, which a thread parses: the worst text of this size takes it 10 seconds
  // or all of its memory.
  bodyMaxBytes: 1024 * 1024,
  connectionsMax: 512,
  stopTimeoutMs: 2_000,
};
