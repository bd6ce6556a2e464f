/**
 * Opens the connection to an API server: TCP, through a proxy if there is one, then TLS.
 *
 * The authorities that are given are the only ones that are trusted, as in kubectl. All steps
 * together have one limit of time. Keepalive is on, so that the kernel drops what is dead as well.
 */

import net from "node:net";
import tls from "node:tls";
import type { Clock } from "../base/clock.ts";
import { ClusterError, toClusterError } from "./cluster_error.ts";
import { connectThroughProxy } from "./proxy_tunnel.ts";

/** Where to, and how. */
export interface SocketTarget {
  readonly host: string;
  readonly port: number;
  /** Absent: plain HTTP. */
  readonly tls?: {
    readonly serverName: string;
    readonly isInsecure: boolean;
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
  };
  readonly proxy?: URL;
  /** For all steps together, milliseconds. */
  readonly timeoutMs: number;
}

const keepAliveMs = 30_000;

/**
 * Opens it.
 *
 * @throws ClusterError of kind `unreachable`, `timeout` or `untrusted`
 */
export async function openSocket(target: SocketTarget, clock: Clock): Promise<net.Socket> {
  const place = target.proxy === undefined ? target : {
    host: hostOf(target.proxy),
    port: Number(target.proxy.port || (target.proxy.protocol === "http:" ? 80 : 1080)),
  };
  const socket = net.connect(place.port, place.host);
  // Between two steps nobody listens, and an error that nobody hears ends the process.
  socket.on("error", ignoreError);
  let isLate = false;
  const cancel = clock.after(target.timeoutMs, () => {
    isLate = true;
    socket.destroy();
  });
  try {
    await eventOf(socket, "connect");
    socket.setNoDelay(true);
    socket.setKeepAlive(true, keepAliveMs);
    if (target.proxy !== undefined) await connectThroughProxy(socket, target.proxy, target);
    return target.tls === undefined ? socket : await secure(socket, target.tls);
  } catch (error) {
    socket.destroy();
    if (isLate) {
      throw new ClusterError("timeout", `Cannot connect: not done within ${target.timeoutMs} ms`);
    }
    throw toClusterError(error, "unreachable", "Cannot connect");
  } finally {
    cancel();
  }
}

function ignoreError(): void {
  // Whoever waits hears of the close that follows.
}

/** The host of a URL as sockets want it: an IPv6 address without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

async function secure(
  socket: net.Socket,
  { serverName, isInsecure, ca, cert, key }: NonNullable<SocketTarget["tls"]>,
): Promise<tls.TLSSocket> {
  try {
    const secured = tls.connect({
      socket,
      ALPNProtocols: ["http/1.1"],
      rejectUnauthorized: !isInsecure,
      // An address is no server name (RFC 6066), but the certificate is checked against it.
      ...net.isIP(serverName) ? { host: serverName } : { servername: serverName },
      ...ca !== undefined ? { ca } : {},
      ...cert !== undefined && key !== undefined ? { cert, key } : {},
    });
    secured.on("error", ignoreError);
    await eventOf(secured, "secureConnect");
    return secured;
  } catch (error) {
    const isCut = error instanceof ClusterError ||
      (error instanceof Error && "code" in error && error.code === "ECONNRESET");
    throw isCut ? error : toClusterError(error, "untrusted", "Cannot establish TLS");
  }
}

/** Resolves at `event`; rejects when the socket fails or closes before. */
function eventOf(socket: net.Socket, event: "connect" | "secureConnect"): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      socket.off("error", settle);
      socket.off("close", closed);
      socket.off(event, done);
      if (error) reject(error);
      else resolve();
    };
    const done = (): void => settle();
    const closed = (): void => settle(new ClusterError("unreachable", "The connection was closed"));
    socket.on("error", settle);
    socket.on("close", closed);
    socket.on(event, done);
  });
}
