/**
 * HTTPS and TLS listeners of one port whose names overlap (Gateway API, condition
 * OverlappingTLSConfig).
 *
 * A browser that reuses a connection may send a request for one of them over a connection to the
 * other, also when that one is passed on as it is. Overlapping certificates say more than overlapping hostnames and are told first.
 */

import type { Finding } from "./finding.ts";
import { hostnamesOverlap } from "./hostnames.ts";

/** What of a listener takes part. */
export interface TlsListener {
  readonly name: string;
  readonly port: number;
  readonly hostname?: string;
  /** DNS names of all its certificates, lower case. */
  readonly dnsNames: readonly string[];
}

/** The overlaps by the listener's name. At most 64 listeners, so pairs are cheap. */
export function findOverlappingTls(
  listeners: readonly TlsListener[],
): ReadonlyMap<string, Finding> {
  const overlaps = new Map<string, Finding>();
  if (listeners.length < 2) return overlaps;
  for (const sharers of Map.groupBy(listeners, ({ port }) => port).values()) {
    for (const listener of sharers) {
      const overlap = findOverlap(listener, sharers);
      if (overlap) overlaps.set(listener.name, overlap);
    }
  }
  return overlaps;
}

function findOverlap(listener: TlsListener, sharers: readonly TlsListener[]): Finding | undefined {
  const others = sharers.filter((other) => other !== listener);
  const byCertificate = others.filter((other) => certificatesOverlap(listener, other));
  if (byCertificate.length > 0) {
    return { reason: "OverlappingCertificates", message: describe("certificates", byCertificate) };
  }
  const byHostname = others.filter((other) => hostnamesOverlap(listener.hostname, other.hostname));
  if (byHostname.length === 0) return undefined;
  return { reason: "OverlappingHostnames", message: describe("hostnames", byHostname) };
}

function certificatesOverlap(a: TlsListener, b: TlsListener): boolean {
  return a.dnsNames.some((name) => b.dnsNames.some((other) => dnsNamesOverlap(name, other)));
}

/** In a certificate a wildcard stands for exactly one label (RFC 6125 6.4.3). */
function dnsNamesOverlap(a: string, b: string): boolean {
  return a === b || wildcardCovers(a, b) || wildcardCovers(b, a);
}

function wildcardCovers(wildcard: string, name: string): boolean {
  return wildcard.startsWith("*.") && name.slice(name.indexOf(".")) === wildcard.slice(1);
}

function describe(what: string, listeners: readonly TlsListener[]): string {
  const names = listeners.map(({ name }) => `"${name}"`).join(", ");
  return `The ${what} overlap with those of listener ${names}`;
}
