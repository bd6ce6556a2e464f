/**
 * Every limit of the embedded data plane in one place, and what happens at each.
 *
 * Times are enforced by one coarse timer, so they are late by up to its period, never early.
 */

/** Limits of the whole data plane unless they say otherwise. Zero switches a time or size off. */
export interface ProxyLimits {
  /** Octets of a request head; more is answered 431. */
  readonly headerBytesMax: number;
  /** From the first octet of a request to the end of its head; later is answered 408. */
  readonly headersTimeoutMs: number;
  /** Without a byte of an unfinished request body; then 408. */
  readonly bodyIdleTimeoutMs: number;
  /** Octets of one request body; more is answered 413. */
  readonly bodyBytesMax: number;
  /** Between two requests of a connection; then it is closed. */
  readonly keepAliveTimeoutMs: number;
  /** Without a byte in either direction while a response or a tunnel is open; then it is cut. */
  readonly streamIdleTimeoutMs: number;
  /** To connect to an endpoint; then the next one is tried, and 503 in the end. */
  readonly connectTimeoutMs: number;
  /** An unused upstream connection is closed after this time. */
  readonly upstreamIdleTimeoutMs: number;
  /** A whole request where its route says nothing; 504, or a cut response. */
  readonly requestTimeoutMs: number;
  /** Open connections of one listening socket; another one is closed at once. */
  readonly connectionsMax: number;
  /** Requests in progress; another one is answered 503. */
  readonly requestsMax: number;
  /** Connections to one endpoint, used or not; then the next endpoint, and 503 in the end. */
  readonly upstreamConnectionsPerEndpointMax: number;
  /** Connections to all endpoints. */
  readonly upstreamConnectionsMax: number;
  /** Different endpoints that are tried for one request before it is answered 503. */
  readonly attemptsMax: number;
  /** Copies of requests for mirrors that are not over; another one is not made. */
  readonly mirrorsMax: number;
  /** Octets of the body of a copy; of a larger one there is none. Also of an answer that is read. */
  readonly mirrorBodyBytesMax: number;
  /** From the whole request to the end of the answer to its copy, which is then given up. */
  readonly mirrorTimeoutMs: number;
  /** How long removed listeners wait for what is in flight before it is cut. */
  readonly drainTimeoutMs: number;
}

/** What holds when nobody says otherwise; the shared ones are Envoy's. */
export const defaultProxyLimits: ProxyLimits = {
  headerBytesMax: 61_440,
  headersTimeoutMs: 10_000,
  bodyIdleTimeoutMs: 60_000,
  bodyBytesMax: 0,
  keepAliveTimeoutMs: 75_000,
  streamIdleTimeoutMs: 300_000,
  connectTimeoutMs: 5_000,
  upstreamIdleTimeoutMs: 60_000,
  requestTimeoutMs: 0,
  connectionsMax: 10_000,
  requestsMax: 10_000,
  upstreamConnectionsPerEndpointMax: 1_024,
  upstreamConnectionsMax: 8_192,
  attemptsMax: 4,
  mirrorsMax: 256,
  mirrorBodyBytesMax: 262_144,
  mirrorTimeoutMs: 15_000,
  drainTimeoutMs: 10_000,
};
