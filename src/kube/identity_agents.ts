/**
 * Pools of connections, one for each set of certificates that is in use.
 *
 * A connection is made with the certificates of its time. When they change, new requests get a new
 * pool; idle connections of the old one are closed, and what runs on it ends by itself.
 */

import http from "node:http";
import type { Duplex } from "node:stream";
import type { Clock } from "../base/clock.ts";
import type { ClusterAccess, ClusterIdentity } from "./cluster_access.ts";
import { hostOf, openSocket, type SocketTarget } from "./open_socket.ts";

/** The part of an identity that a connection is made with. */
export type TlsIdentity = Omit<ClusterIdentity, "authorization">;

/** See the file's header. */
export class IdentityAgents {
  readonly #access: ClusterAccess;
  readonly #clock: Clock;
  readonly #limits: { readonly connectMs: number; readonly connectionsMax: number };
  #current: { readonly identity: TlsIdentity; readonly agent: http.Agent } | undefined;

  constructor(
    access: ClusterAccess,
    clock: Clock,
    limits: { readonly connectMs: number; readonly connectionsMax: number },
  ) {
    this.#access = access;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** The pool for connections that are made with `identity`. */
  agentOf(identity: TlsIdentity): http.Agent {
    if (this.#current === undefined || !isSame(this.#current.identity, identity)) {
      this.close();
      this.#current = { identity, agent: this.#createAgent(identity) };
    }
    return this.#current.agent;
  }

  /** Closes idle connections, and those in use as soon as they are idle. */
  close(): void {
    const agent = this.#current?.agent;
    this.#current = undefined;
    if (agent === undefined) return;
    agent.maxFreeSockets = 0;
    for (const sockets of Object.values(agent.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy();
    }
  }

  #createAgent(identity: TlsIdentity): http.Agent {
    const { server, proxy, isInsecure, tlsServerName } = this.#access;
    const host = hostOf(server);
    const target: SocketTarget = {
      host,
      port: Number(server.port || (server.protocol === "https:" ? 443 : 80)),
      timeoutMs: this.#limits.connectMs,
      ...proxy !== undefined ? { proxy } : {},
      ...server.protocol === "https:"
        ? { tls: { serverName: tlsServerName ?? host, isInsecure, ...identity } }
        : {},
    };
    return createAgent(target, this.#clock, this.#limits.connectionsMax);
  }
}

/**
 * An agent whose connections are ours: Node's own HTTPS agent asks the machine for its certificates
 * even when others are given, and knows no proxies.
 */
function createAgent(target: SocketTarget, clock: Clock, connectionsMax: number): http.Agent {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connectionsMax, maxFreeSockets: 8 });
  return Object.assign(agent, {
    createConnection(
      _options: unknown,
      callback: (error: Error | null, socket?: Duplex) => void,
    ): undefined {
      openSocket(target, clock).then((socket) => callback(null, socket), callback).catch(() => {
        // The request that wanted the connection hears of every failure through its callback.
      });
    },
  });
}

function isSame(a: TlsIdentity, b: TlsIdentity): boolean {
  return a.ca === b.ca && a.cert === b.cert && a.key === b.key;
}
