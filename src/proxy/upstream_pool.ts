/**
 * Connections to endpoints, kept for the next request.
 *
 * Every endpoint has a stack of idle connections (the latest used first, so that the others age out)
 * and a limit; all together have one too. A connection that the backend closes leaves the stack at
 * once; one on which it said anything while it was idle is closed instead of used. An endpoint that
 * is no longer in the configuration keeps what is in use and loses what is idle. Not here: requests,
 * retries, choosing an endpoint.
 */

import net, { type LookupFunction } from "node:net";
import type { Endpoint } from "../dataplane/model.ts";
import { formatHostPort } from "../base/ip_address.ts";
import { type CoarseTimer, NOT_TIMED, type Timed } from "./coarse_timer.ts";
import type { ProxyLimits } from "./proxy_limits.ts";
import type { ProxyMetrics } from "./proxy_metrics.ts";
import { UpstreamConnection } from "./upstream_connection.ts";

/** What became of the wish for a connection. */
export type Acquired =
  | { readonly type: "connection"; readonly connection: UpstreamConnection }
  | { readonly type: "failed"; readonly reason: "limit" | "connect" };

/** Called once, perhaps before `acquire` returns. */
export type AcquiredCallback = (acquired: Acquired) => void;

/** The connections of one endpoint. */
export interface EndpointConnections {
  /** `address:port`. */
  readonly key: string;
  /** Monotonic; until then it is known that it could not be reached. */
  readonly suspectUntilMs: number;
  /**
   * Hands over an idle or a new connection. The returned function gives up the wish; a connection
   * that opens later is kept for others.
   */
  acquire(callback: AcquiredCallback): () => void;
  /** Closes what is idle: after one of them turned out to be dead, the others are as well. */
  closeIdle(): void;
}

/** For how long an endpoint that could not be reached is only the last choice. */
const SUSPECT_MS = 1_000;

const GIVEN_UP = (): void => {};

/** How often idle connections are looked at. */
const SWEEP_PERIOD_MS = 1_000;

/** See the file's header for the promises. */
export class UpstreamPool implements Timed {
  timerSlot: number = NOT_TIMED;
  readonly #limits: ProxyLimits;
  readonly #timer: CoarseTimer;
  readonly #metrics: ProxyMetrics;
  readonly #lookup: LookupFunction;
  readonly #endpoints = new Map<string, EndpointPool>();
  #open = 0;
  #nextSweepMs = 0;

  /** @param lookup finds the addresses of endpoints whose address is a name */
  constructor(
    limits: ProxyLimits,
    timer: CoarseTimer,
    metrics: ProxyMetrics,
    lookup: LookupFunction,
  ) {
    this.#limits = limits;
    this.#timer = timer;
    this.#metrics = metrics;
    this.#lookup = lookup;
  }

  /** Open and opening connections to all endpoints. */
  get open(): number {
    return this.#open;
  }

  /** The connections of `endpoint`; the same for the same address and port. */
  endpoint({ address, port }: Endpoint): EndpointConnections {
    const key = formatHostPort(address, port);
    let pool = this.#endpoints.get(key);
    if (pool === undefined) {
      this.#endpoints.set(key, pool = new EndpointPool(key, address, port, this));
    }
    return pool;
  }

  /** Keeps only these endpoints (`address:port`); the others end with what is in use. */
  retain(keys: ReadonlySet<string>): void {
    for (const [key, pool] of this.#endpoints) {
      if (keys.has(key)) continue;
      this.#endpoints.delete(key);
      pool.retire();
    }
  }

  /** Closes all that is idle and forgets all endpoints. */
  close(): void {
    this.retain(new Set());
  }

  check(nowMs: number): void {
    const isSweep = nowMs >= this.#nextSweepMs;
    if (isSweep) this.#nextSweepMs = nowMs + SWEEP_PERIOD_MS;
    for (const pool of this.#endpoints.values()) pool.check(nowMs, isSweep);
    if (this.#open === 0) this.#timer.delete(this);
  }

  /** Opens a connection for `pool`, or says that there are too many. For endpoint pools only. */
  connect(pool: EndpointPool): UpstreamConnection | undefined {
    const { upstreamConnectionsPerEndpointMax, upstreamConnectionsMax } = this.#limits;
    if (pool.open >= upstreamConnectionsPerEndpointMax) return undefined;
    if (this.#open >= upstreamConnectionsMax && !this.#closeOneIdle()) return undefined;
    const socket = net.connect({
      host: pool.address,
      port: pool.port,
      noDelay: true,
      lookup: this.#lookup,
    });
    this.count(1);
    return new UpstreamConnection(socket, pool, {
      connectDeadlineMs: this.#timer.recentMs + this.#limits.connectTimeoutMs,
      idleTimeoutMs: this.#limits.upstreamIdleTimeoutMs,
    });
  }

  /** Keeps the count of connections. For endpoint pools only. */
  count(by: 1 | -1): void {
    this.#open += by;
    this.#metrics.upstreamConnections.set(this.#open);
    if (this.#open > 0) this.#timer.add(this);
  }

  /** Tells about a connection that could not be opened. For endpoint pools only. */
  countFailure(): void {
    this.#metrics.upstreamConnectFailures.inc();
  }

  /** The time for stamps. For endpoint pools only. */
  get recentMs(): number {
    return this.#timer.recentMs;
  }

  #closeOneIdle(): boolean {
    for (const pool of this.#endpoints.values()) if (pool.closeOldestIdle()) return true;
    return false;
  }
}

/** See {@linkcode EndpointConnections}. */
class EndpointPool implements EndpointConnections {
  readonly key: string;
  readonly address: string;
  readonly port: number;
  readonly #pool: UpstreamPool;
  readonly #idle: UpstreamConnection[] = [];
  readonly #connecting = new Map<UpstreamConnection, AcquiredCallback>();
  #open = 0;
  #isRetired = false;
  suspectUntilMs = 0;

  constructor(key: string, address: string, port: number, pool: UpstreamPool) {
    this.key = key;
    this.address = address;
    this.port = port;
    this.#pool = pool;
  }

  get open(): number {
    return this.#open;
  }

  acquire(callback: AcquiredCallback): () => void {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (!idle.take()) {
        idle.destroy();
        continue;
      }
      callback({ type: "connection", connection: idle });
      return GIVEN_UP;
    }
    const connection = this.#pool.connect(this);
    if (connection === undefined) {
      callback({ type: "failed", reason: "limit" });
      return GIVEN_UP;
    }
    this.#open++;
    this.#connecting.set(connection, callback);
    return () => {
      if (this.#connecting.has(connection)) this.#connecting.set(connection, GIVEN_UP);
    };
  }

  closeIdle(): void {
    for (const connection of this.#idle.splice(0)) connection.destroy();
  }

  closeOldestIdle(): boolean {
    const connection = this.#idle.shift();
    connection?.destroy();
    return connection !== undefined;
  }

  retire(): void {
    this.#isRetired = true;
    this.closeIdle();
  }

  check(nowMs: number, isSweep: boolean): void {
    for (const connection of this.#connecting.keys()) {
      if (nowMs >= connection.connectDeadlineMs) connection.destroy();
    }
    if (!isSweep) return;
    while ((this.#idle[0]?.idleDeadlineMs ?? Infinity) <= nowMs) this.closeOldestIdle();
  }

  /** The connection is open. */
  connected(connection: UpstreamConnection): void {
    const callback = this.#connecting.get(connection);
    this.#connecting.delete(connection);
    this.suspectUntilMs = 0;
    if (callback === undefined || callback === GIVEN_UP) this.released(connection);
    else callback({ type: "connection", connection });
  }

  /** The connection has nothing to do any more. */
  released(connection: UpstreamConnection): void {
    if (this.#isRetired) return connection.destroy();
    connection.rest(this.#pool.recentMs);
    this.#idle.push(connection);
  }

  /** The connection is closed, for whatever reason, or belongs to a tunnel from now on. */
  left(connection: UpstreamConnection): void {
    this.#open--;
    this.#pool.count(-1);
    const callback = this.#connecting.get(connection);
    if (callback !== undefined) {
      this.#connecting.delete(connection);
      this.#pool.countFailure();
      this.suspectUntilMs = this.#pool.recentMs + SUSPECT_MS;
      callback({ type: "failed", reason: "connect" });
      return;
    }
    const index = this.#idle.indexOf(connection);
    if (index >= 0) this.#idle.splice(index, 1);
  }
}
