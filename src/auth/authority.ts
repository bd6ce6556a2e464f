/**
 * The authority of an HTTP request: the host and port of a `Host` header, a target or an `Origin`.
 *
 * Parsing is strict, because the host guard decides by the result: what browsers and servers could
 * read in two ways (`127.1`, `0x7f000001`, empty ports, user names, zones) is malformed. Hosts are
 * canonical afterwards, so equal hosts are equal strings. Pure.
 */

import { formatIp, parseIp } from "../base/ip_address.ts";

/** A parsed authority. */
export interface Authority {
  /** Lower-case name without final dot, dotted IPv4, or IPv6 as RFC 5952 writes it, no brackets. */
  readonly host: string;
  readonly isIpAddress: boolean;
  /** Absent when the text names none. */
  readonly port: number | undefined;
}

/** A DNS name (253) in brackets or with a port is never longer; RFC 1035 2.3.4. */
const authorityLengthMax = 262;

/** Labels as resolvers take them; underscores occur in container names. */
const labelPattern = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** `host`, `host:port`, `[ipv6]` or `[ipv6]:port`; undefined when it is anything else. */
export function parseAuthority(text: string): Authority | undefined {
  if (text.length > authorityLengthMax) return undefined;
  const match = /^(?:\[([^\[\]]*)\]|([^:\[\]]*))(?::(\d{1,5}))?$/.exec(text);
  if (!match) return undefined;
  const [, bracketed, bare = "", digits] = match;
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && port > 65535) return undefined;
  if (bracketed !== undefined) {
    const host = canonicalIpv6(bracketed);
    return host === undefined ? undefined : { host, isIpAddress: true, port };
  }
  if (isIpv4(bare)) return { host: bare, isIpAddress: true, port };
  const host = canonicalName(bare);
  return host === undefined ? undefined : { host, isIpAddress: false, port };
}

/** The host of an IP address as sockets report it: without zone, IPv4 in IPv6 as IPv4. */
export function hostOfSocketAddress(address: string): string | undefined {
  const [bare = ""] = address.split("%");
  return isIpv4(bare) ? bare : canonicalIpv6(bare);
}

/** Whether only this machine reaches `host`: 127.0.0.0/8 and ::1. */
export function isLoopbackAddress(authority: Authority): boolean {
  if (!authority.isIpAddress) return false;
  return authority.host === "::1" || authority.host.startsWith("127.");
}

/** `example.com`, `*.example.com` or an IP address, canonical; undefined when it is none of these. */
export function parseHostPattern(text: string): string | undefined {
  const isWildcard = text.startsWith("*.");
  const bracketed = text.includes(":") && !text.startsWith("[") ? `[${text}]` : text;
  const authority = parseAuthority(isWildcard ? text.slice(2) : bracketed);
  if (!authority || authority.port !== undefined) return undefined;
  if (!isWildcard) return authority.host;
  return authority.isIpAddress ? undefined : `*.${authority.host}`;
}

/** Whether `host` is `pattern` or, for `*.suffix`, ends in `.suffix` after at least one label. */
export function matchesHostPattern(host: string, pattern: string): boolean {
  return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern;
}

function isIpv4(text: string): boolean {
  return parseIp(text)?.family === 4;
}

/** An IPv4-mapped address becomes its IPv4 address: both name the same socket. */
function canonicalIpv6(text: string): string | undefined {
  const address = parseIp(text);
  if (address?.family !== 6) return undefined;
  const isMapped = address.value >> 32n === 0xffffn;
  return formatIp(isMapped ? { family: 4, value: address.value & 0xffff_ffffn } : address);
}

function canonicalName(text: string): string | undefined {
  const name = (text.endsWith(".") ? text.slice(0, -1) : text).toLowerCase();
  const labels = name.split(".");
  if (name.length > 253 || !labels.every((label) => labelPattern.test(label))) return undefined;
  // A name whose last label is a number is read as an IPv4 address by browsers.
  return /^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "") ? undefined : name;
}
