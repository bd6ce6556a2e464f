/**
 * Value types with names of networks and of Kubernetes in them: `host:port`, hosts, controller and
 * object names. Pure; nothing is resolved or opened.
 */

import { formatHostPort, formatIp, parseIp } from "../base/ip_address.ts";
import { accepted, type Parsed, refused, type ValueType } from "./value_type.ts";

/** Where a server listens. */
export interface HostPort {
  /** A name or an IP address, IPv6 without brackets. */
  readonly host: string;
  /** 0: a free port. */
  readonly port: number;
}

const hostNameLabel = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** `HOST:PORT`; IPv6 in brackets. */
export const hostPortType: ValueType<HostPort> = {
  name: "address",
  metavar: "HOST:PORT",
  parse(text) {
    const [, bracketed, bare, portText = ""] = /^(?:\[([^\]]*)\]|([^:]*)):(\d{1,5})$/.exec(text) ??
      [];
    const host = bracketed ?? bare;
    if (host === undefined) {
      return refused(`is not an address, wanted for example "127.0.0.1:9080"`);
    }
    if (host === "") return refused(`has no host, wanted "0.0.0.0:${portText}" for every address`);
    const port = Number(portText);
    if (port > 65535) return refused("has a port above 65535");
    const canonical = canonicalHost(host);
    const isIpv6 = canonical?.includes(":") ?? false;
    if (canonical === undefined || isIpv6 !== (bracketed !== undefined)) {
      return refused("has a host that is neither a name nor an IP address (IPv6 in brackets)");
    }
    return accepted({ host: canonical, port });
  },
  format: ({ host, port }) => formatHostPort(host, port),
};

/** A host name, `*.SUFFIX` or IP address as in a `Host` header, without a port. */
export const hostPatternType: ValueType<string> = {
  name: "host",
  metavar: "HOST",
  parse(text) {
    const isWildcard = text.startsWith("*.");
    const bare = isWildcard ? text.slice(2) : text.replace(/^\[(.*)\]$/, "$1");
    const canonical = canonicalHost(bare);
    if (canonical === undefined || (isWildcard && parseIp(canonical))) {
      return refused(`is not a host, wanted a name, "*.SUFFIX" or an IP address, without a port`);
    }
    return accepted(isWildcard ? `*.${canonical}` : canonical);
  },
  format: (value) => value,
};

/** Lower case without a final dot, or the canonical address; undefined when it is neither. */
function canonicalHost(text: string): string | undefined {
  const address = parseIp(text);
  if (address) return formatIp(address);
  if (text.length > 253) return undefined;
  const name = text.toLowerCase().replace(/\.$/, "");
  const labels = name.split(".");
  // A name whose last label is a number is read as an IPv4 address by browsers (RFC 1123 2.1).
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "")) return undefined;
  return labels.every((label) => hostNameLabel.test(label)) ? name : undefined;
}

const dnsLabel = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
const dnsName = `${dnsLabel}(\\.${dnsLabel})*`;
const controllerPattern = new RegExp(`^${dnsName}/[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+$`);

/** A domain and a path, as GatewayClass `spec.controllerName` wants it. */
export const controllerNameType: ValueType<string> = {
  name: "controller name",
  metavar: "DOMAIN/PATH",
  parse(text) {
    return text.length <= 253 && controllerPattern.test(text)
      ? accepted(text)
      : refused(`is not a controller name, wanted a domain and a path such as "example.com/name"`);
  },
  format: (value) => value,
};

const labelPattern = new RegExp(`^${dnsLabel}$`);
const namePattern = new RegExp(`^${dnsName}$`);

/** `NAMESPACE/NAME` of an object. */
export const objectNameType: ValueType<string> = {
  name: "object name",
  metavar: "NAMESPACE/NAME",
  parse(text): Parsed<string> {
    const [namespace = "", name = "", ...more] = text.split("/");
    const isName = more.length === 0 && labelPattern.test(namespace) && name.length <= 253 &&
      namePattern.test(name);
    return isName ? accepted(text) : refused(`is not NAMESPACE/NAME, wanted "default/web"`);
  },
  format: (value) => value,
};

/** The name of a namespace: an RFC 1123 label. */
export const namespaceNameType: ValueType<string> = {
  name: "namespace",
  metavar: "NAMESPACE",
  parse: (text) =>
    labelPattern.test(text)
      ? accepted(text)
      : refused(`is not the name of a namespace, wanted "default"`),
  format: (value) => value,
};

/** The name of an object without a namespace: an RFC 1123 subdomain. */
export const clusterObjectNameType: ValueType<string> = {
  name: "name",
  metavar: "NAME",
  parse: (text) =>
    text.length <= 253 && namePattern.test(text)
      ? accepted(text)
      : refused(`is not the name of an object, wanted "weir"`),
  format: (value) => value,
};
