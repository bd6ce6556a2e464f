/**
 * A tunnel through a proxy, on a connection to it: HTTP CONNECT (RFC 9110, 9.3.6) or SOCKS5
 * (RFC 1928, 1929). The target's name is resolved by the proxy.
 *
 * What the proxy says is read byte by byte up to its end, so that nothing of the tunnel is lost. An
 * answer has a limit. The proxy's credentials are in no message.
 */

import { Buffer } from "node:buffer";
import type net from "node:net";
import { ClusterError } from "./cluster_error.ts";

/** Where the tunnel leads. */
export interface TunnelTarget {
  readonly host: string;
  readonly port: number;
}

const answerBytesMax = 16_384;

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

async function connect(
  socket: net.Socket,
  proxy: URL,
  { host, port }: TunnelTarget,
): Promise<void> {
  const authority = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  const login = loginOf(proxy);
  const authorization = login === undefined
    ? ""
    : `Proxy-Authorization: Basic ${
      Buffer.from(`${login.user}:${login.password}`).toString("base64")
    }\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`);
  let head = "";
  while (!head.endsWith("\r\n\r\n")) {
    if (head.length > answerBytesMax) throw refused("its answer is too long");
    head += (await readBytes(socket, 1)).toString("latin1");
  }
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1];
  if (status !== "200") throw refused(status === undefined ? "no HTTP" : `it answered ${status}`);
}

async function negotiateSocks(
  socket: net.Socket,
  proxy: URL,
  { host, port }: TunnelTarget,
): Promise<void> {
  const login = loginOf(proxy);
  const method = login === undefined ? 0 : 2;
  socket.write(Buffer.from([5, 1, method]));
  if ((await readBytes(socket, 2))[1] !== method) throw refused("it wants another authentication");
  if (login !== undefined) {
    socket.write(Buffer.concat([Buffer.from([1]), counted(login.user), counted(login.password)]));
    if ((await readBytes(socket, 2))[1] !== 0) throw refused("it refused the credentials");
  }
  const portBytes = Buffer.from([port >> 8, port & 255]);
  // Always by name (3): the proxy reads an address in this form as well.
  socket.write(Buffer.concat([Buffer.from([5, 1, 0, 3]), counted(host), portBytes]));
  const [, code, , addressType] = await readBytes(socket, 4);
  if (code !== 0) throw refused(`it answered ${code}`);
  const length = addressType === 1
    ? 4
    : addressType === 4
    ? 16
    : (await readBytes(socket, 1))[0] ?? 0;
  await readBytes(socket, length + 2);
}

function loginOf(proxy: URL): { readonly user: string; readonly password: string } | undefined {
  if (proxy.username === "" && proxy.password === "") return undefined;
  return {
    user: decodeURIComponent(proxy.username),
    password: decodeURIComponent(proxy.password),
  };
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw refused("a name or password is longer than 255 bytes");
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function refused(why: string): ClusterError {
  return new ClusterError("unreachable", `Cannot connect through the proxy: ${why}`);
}

/** Exactly `count` bytes; what follows them stays in the socket. */
function readBytes(socket: net.Socket, count: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      socket.off("readable", read);
      socket.off("error", settle);
      socket.off("close", closed);
      if (error) reject(error);
    };
    const closed = (): void => settle(refused("it closed the connection"));
    const read = (): void => {
      const bytes: unknown = socket.read(count);
      if (!Buffer.isBuffer(bytes)) return;
      settle();
      resolve(bytes);
    };
    socket.on("readable", read);
    socket.on("error", settle);
    socket.on("close", closed);
    read();
  });
}
