/**
 * The proxy that the environment names for a server: `HTTPS_PROXY` or `HTTP_PROXY`, and `NO_PROXY`, in
 * capitals or not.
 *
 * `NO_PROXY` holds names (`a.example` is that host and what ends in `.a.example`), addresses, networks
 * (`10.0.0.0/8`), or `*`. Loopback is never asked for through a proxy.
 */

import { BlockList, isIP } from "node:net";
import { AccessError } from "./cluster_access.ts";
import { hostOf } from "./open_socket.ts";
import { isProxyUrl } from "./proxy_tunnel.ts";

/**
 * The proxy for `server`, if there is one.
 *
 * @throws AccessError when it is of a kind that cannot be used
 */
export function proxyFor(
  server: URL,
  env: (name: string) => string | undefined,
): URL | undefined {
  const name = server.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const text = read(env, name);
  if (text === "" || isExcepted(hostOf(server).toLowerCase(), read(env, "NO_PROXY"))) {
    return undefined;
  }
  const url = URL.parse(text.includes("://") ? text : `http://${text}`);
  if (url !== null && isProxyUrl(url)) return url;
  throw new AccessError(`Cannot use ${name}: wanted http:// or socks5:// and a host`);
}

function read(env: (name: string) => string | undefined, name: string): string {
  return (env(name) || env(name.toLowerCase()) || "").trim();
}

function isExcepted(host: string, exceptions: string): boolean {
  if (host === "localhost" || host === "::1" || host.startsWith("127.")) return true;
  return exceptions.split(/[\s,]+/).filter((entry) => entry !== "").some((entry) =>
    matches(host, entry.toLowerCase())
  );
}

function matches(host: string, entry: string): boolean {
  if (entry === "*" || entry === host) return true;
  const network = /^([\d.:a-f]+)\/(\d{1,3})$/.exec(entry);
  if (network) return isIn(host, network[1] ?? "", Number(network[2]));
  const suffix = entry.replace(/^\*?\./, "");
  return isIP(host) === 0 && (host === suffix || host.endsWith(`.${suffix}`));
}

function isIn(host: string, network: string, bits: number): boolean {
  const family = isIP(host);
  if (family === 0 || family !== isIP(network) || bits > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, family === 4 ? "ipv4" : "ipv6");
  return list.check(host, family === 4 ? "ipv4" : "ipv6");
}
