/**
 * The listening sockets of the data plane, by address and port of the specification.
 *
 * Opened and closed by difference. Where a socket was opened once, on its own port or on another one
 * in its place, it stays until nobody needs it. What could not be opened is tried again with the
 * next configuration.
 */

import type { Logger } from "../base/log.ts";
import { formatHostPort } from "../base/ip_address.ts";
import type { Listener } from "../dataplane/model.ts";
import type { BoundPorts } from "./acknowledgements.ts";
import { type Binding, type GatewayRefusal, refuse } from "../dataplane/bindings.ts";
import { shiftedPorts } from "./port_shift.ts";
import { PortServer } from "./port_server.ts";
import type { ProxyServices } from "./proxy_services.ts";
import type { ServedBinding } from "./served_binding.ts";

/** See the file's header for the promises. */
export class PortServers implements BoundPorts {
  readonly #services: ProxyServices;
  readonly #portShift: number;
  readonly #logger: Logger;
  readonly #servers = new Map<string, PortServer>();
  /** Servers that are no longer needed and still have connections. */
  readonly #draining = new Set<Promise<void>>();

  constructor(services: ProxyServices, portShift: number, logger: Logger) {
    this.#services = services;
    this.#portShift = portShift;
    this.#logger = logger;
  }

  /** Listening sockets. */
  get size(): number {
    return this.#servers.size;
  }

  /** The open port for an address and port of the specification; undefined: not open. */
  boundPort(address: string, port: number): number | undefined {
    return this.#servers.get(formatHostPort(address, port))?.port;
  }

  listenerPort(address: string, listener: Listener): number | undefined {
    const server = this.#servers.get(formatHostPort(address, listener.port));
    return server?.served.listeners.has(listener) ? server.port : undefined;
  }

  /**
   * Opens what is wanted and not open; what changes between HTTP and HTTPS is closed first. Returns
   * what could not be opened.
   */
  async open(wanted: ReadonlyMap<string, ServedBinding>): Promise<GatewayRefusal[]> {
    const refusals: GatewayRefusal[] = [];
    const isReserved = (address: string) => (port: number): boolean =>
      wanted.has(formatHostPort(address, port));
    for (const [key, served] of wanted) {
      const { binding } = served;
      const present = this.#servers.get(key);
      const scheme = binding.protocol === "HTTPS" ? "https" : "http";
      if (present?.scheme === scheme) continue;
      if (present !== undefined) this.#retire(key, present);
      const opened = await this.#openOne(served, isReserved(binding.address));
      if (opened instanceof PortServer) this.#servers.set(key, opened);
      else refusals.push(...refuseAll(binding, opened.reason, opened.message));
    }
    return refusals;
  }

  /** Puts the configuration into service and stops to listen where nobody needs it. Synchronous. */
  swap(wanted: ReadonlyMap<string, ServedBinding>): void {
    for (const [key, server] of this.#servers) {
      const served = wanted.get(key);
      if (served !== undefined) server.swap(served);
      else this.#retire(key, server);
    }
  }

  /** Drains all; resolves when every connection is closed. */
  async close(): Promise<void> {
    for (const [key, server] of this.#servers) this.#retire(key, server);
    await Promise.all(this.#draining);
  }

  #retire(key: string, server: PortServer): void {
    this.#servers.delete(key);
    const drained: Promise<void> = server.drain().finally(() => this.#draining.delete(drained));
    this.#draining.add(drained);
    this.#logger.info("listener closed", { socket: key, connections: server.connections });
  }

  /** Opens a server on its port, or on the next one that will do. */
  async #openOne(
    served: ServedBinding,
    isReserved: (port: number) => boolean,
  ): Promise<PortServer | { readonly reason: string; readonly message: string }> {
    const { address, port, key } = served.binding;
    const candidates = [port, ...shiftedPorts(port, this.#portShift, isReserved)];
    let first: string | undefined;
    for (const candidate of candidates) {
      const server = new PortServer(this.#services, served);
      try {
        await server.open(address, candidate);
        const { port: boundPort } = server;
        this.#logger.info("listener open", { socket: key, boundPort, shifted: first });
        return server;
      } catch (error) {
        const code = errorCode(error);
        first ??= explain(code, address, port);
        if (code !== "EACCES" && code !== "EADDRINUSE") {
          return { reason: "AddressNotUsable", message: first };
        }
      }
    }
    const tried = candidates.length - 1;
    const message = tried === 0
      ? `${first}, and no other port may be used instead`
      : `${first}, and none of ${tried} other ports can be used instead`;
    return { reason: "PortUnavailable", message };
  }
}

function refuseAll(binding: Binding, reason: string, message: string): GatewayRefusal[] {
  return binding.listeners.map(({ gateway, listener }) => ({
    gateway,
    refusal: refuse(listener, reason, message),
  }));
}

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
}

function explain(code: string, address: string, port: number): string {
  const socket = formatHostPort(address, port);
  switch (code) {
    case "EACCES":
      return `${socket} may not be opened by this user`;
    case "EADDRINUSE":
      return `${socket} is in use by another process`;
    case "EADDRNOTAVAIL":
    case "EINVAL":
      return `${address} is not an address that this machine can listen on`;
    default:
      return `${socket} cannot be opened (${code === "" ? "unknown error" : code})`;
  }
}
