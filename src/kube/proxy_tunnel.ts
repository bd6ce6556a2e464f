/**
 * A tunnel through a proxy, on a connection to it: HTTP CONNECT (RFC 9110, 9.3.6), spoken by
 * `node:http`, or SOCKS5 (RFC 1928, 1929), spoken by the `socks` library, which is loaded when
 * somebody has such a proxy. A target's name is resolved by the proxy.
 *
 * Nothing of what follows the proxy's answer is lost. Closing the socket ends the attempt: whoever
 * opened it keeps the time. The proxy's credentials are in no message.
 */

import { Buffer } from "node:buffer";
import http from "node:http";
import type net from "node:net";
import { ClusterError } from "./cluster_error.ts";

/** Where the tunnel leads. */
export interface TunnelTarget {
  readonly host: string;
  readonly port: number;
  /** When whoever opened the socket closes it at the latest, milliseconds. */
  readonly timeoutMs: number;
}

const answerBytesMax = 16_384;
/** Of a name and of a password (RFC 1929). */
const socksLoginBytesMax = 255;

/** Whether a proxy of this URL can be used. */
export function isProxyUrl(url: URL): boolean {
  return ["http:", "socks5:", "socks5h:"].includes(url.protocol);
}

/**
 * Asks the proxy at the other end of `socket` for the tunnel.
 *
 * @throws ClusterError of kind `unreachable` when it refuses
 */
export async function connectThroughProxy(
  socket: net.Socket,
  proxy: URL,
  target: TunnelTarget,
): Promise<void> {
  if (proxy.protocol === "http:") await connect(socket, proxy, target);
  else await negotiateSocks(socket, proxy, target);
}

/** An agent whose only connection is there already. */
class OneSocketAgent extends http.Agent {
  readonly #socket: net.Socket;
  constructor(socket: net.Socket) {
    // Without it the request says `Connection: close`, which a proxy may take for the tunnel.
    super({ keepAlive: true });
    this.#socket = socket;
  }

  override createConnection(): net.Socket {
    return this.#socket;
  }
}

function connect(socket: net.Socket, proxy: URL, { host, port }: TunnelTarget): Promise<void> {
  const authority = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  const login = loginOf(proxy);
  const headers = { Host: authority, ...login === undefined ? {} : authorizationOf(login) };
  const request = http.request({
    agent: new OneSocketAgent(socket),
    method: "CONNECT",
    path: authority,
    headers,
    maxHeaderSize: answerBytesMax,
  });
  return new Promise((resolve, reject) => {
    request.on("connect", ({ statusCode }, _socket, head) => {
      if (statusCode !== 200) return reject(refused(`it answered ${statusCode}`));
      if (head.length > 0) socket.unshift(head);
      resolve();
    });
    request.on("error", (error) => reject(refused(faultOf(error))));
    request.end();
  });
}

function authorizationOf({ user, password }: Login): { readonly "Proxy-Authorization": string } {
  const credentials = Buffer.from(`${user}:${password}`).toString("base64");
  return { "Proxy-Authorization": `Basic ${credentials}` };
}

function faultOf(error: Error): string {
  const code = "code" in error ? String(error.code) : "";
  if (code === "HPE_HEADER_OVERFLOW") return "its answer is too long";
  return code.startsWith("HPE_") ? "its answer is no HTTP" : "it closed the connection";
}

async function negotiateSocks(
  socket: net.Socket,
  proxy: URL,
  { host, port, timeoutMs }: TunnelTarget,
): Promise<void> {
  const login = loginOf(proxy);
  // The library would throw where nobody can catch it.
  if (login !== undefined && (isTooLong(login.user) || isTooLong(login.password))) {
    throw refused(`a name or password is longer than ${socksLoginBytesMax} bytes`);
  }
  const { SocksClient } = await import("socks");
  // It would wait for a close that it did not see.
  if (socket.destroyed) throw refused("it closed the connection");
  try {
    await SocksClient.createConnection({
      proxy: {
        type: 5,
        // Of the socket, which is there: only its form is checked.
        host: proxy.hostname,
        port: 1080,
        ...login === undefined ? {} : { userId: login.user, password: login.password },
      },
      command: "connect",
      destination: { host, port },
      existing_socket: socket,
      timeout: timeoutMs,
    });
  } catch (error) {
    // Not as the cause: the library's errors carry the options, and with them the password.
    throw refused(error instanceof Error ? error.message : "it failed");
  }
}

interface Login {
  readonly user: string;
  readonly password: string;
}

function loginOf(proxy: URL): Login | undefined {
  if (proxy.username === "" && proxy.password === "") return undefined;
  return {
    user: decodeURIComponent(proxy.username),
    password: decodeURIComponent(proxy.password),
  };
}

function isTooLong(text: string): boolean {
  return Buffer.byteLength(text) > socksLoginBytesMax;
}

function refused(why: string): ClusterError {
  return new ClusterError("unreachable", `Cannot connect through the proxy: ${why}`);
}
