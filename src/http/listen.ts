/**
 * Opening and closing a listening socket: promises instead of events, errors that name the flag.
 */

import type { Server } from "node:http";
import type { Clock } from "../base/clock.ts";

/** Where to listen. */
export interface ListenOptions {
  /** A name or an IP address without brackets. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The flag that says where, for the error. */
  readonly flag: string;
}

/** The address cannot be listened on; the message names it, the fault and the flag. */
export class ListenError extends Error {
  override name = "ListenError";
}

/**
 * Listens and returns the port.
 *
 * @throws {ListenError}
 */
export function listen(server: Server, options: ListenOptions): Promise<number> {
  const { host, port } = options;
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void => {
      reject(new ListenError(describeFailure(options, cause), { cause }));
    };
    server.once("error", fail);
    server.listen({ host, port }, () => {
      server.off("error", fail);
      const address = server.address();
      resolve(address !== null && typeof address === "object" ? address.port : port);
    });
  });
}

/** Takes no more connections, waits for requests in flight, and cuts what is left after `graceMs`. */
export async function closeServer(server: Server, graceMs: number, clock: Clock): Promise<void> {
  if (!server.listening) return;
  const closed = Promise.withResolvers<void>();
  server.close(() => closed.resolve());
  server.closeIdleConnections();
  const cancel = clock.after(graceMs, () => server.closeAllConnections());
  await closed.promise;
  cancel();
}

/** The URL for this machine: a wildcard address is no host that one can ask for. */
export function urlOf(host: string, port: number, scheme: "http" | "https" = "http"): string {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `${scheme}://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

function describeFailure(
  { host, port, flag }: ListenOptions,
  cause: NodeJS.ErrnoException,
): string {
  const address = `"${host.includes(":") ? `[${host}]` : host}:${port}"`;
  const wanted = `wanted an address to listen on (set ${flag})`;
  switch (cause.code) {
    case "EADDRINUSE":
      return `Listen: ${address} is in use by another process, ${wanted}`;
    case "EACCES":
    case "EPERM":
      return `Listen: ${address} may not be bound by this user, ${wanted}`;
    case "EADDRNOTAVAIL":
    // What the runtime makes of EADDRNOTAVAIL.
    case "EINVAL":
    case "ENOTFOUND":
      return `Listen: ${address} is no address of this machine, ${wanted}`;
    default:
      return `Listen: ${address} cannot be bound (${cause.code ?? cause.message}), ${wanted}`;
  }
}
