/**
 * Looks up the names of backends outside (Services of type ExternalName), and leaves out addresses
 * of this machine and its links.
 *
 * Whoever chooses the name, or runs its zone, would otherwise reach what listens on loopback or hands
 * out credentials at a link-local address. The check is made on what is connected to, at each
 * connection, so a zone that changes its answer gains nothing.
 */

import dns, { type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { type IpAddress, parseIp } from "../base/ip_address.ts";

/** Takes the addresses of a name, or why there are none. */
export type Resolved = (error: Error | null, addresses: readonly LookupAddress[]) => void;

/** Finds addresses of a name; only names are asked for. */
export type Resolve = (name: string, callback: Resolved) => void;

/** As the machine resolves names. */
export function systemResolve(name: string, callback: Resolved): void {
  dns.lookup(name, { all: true, verbatim: true }, (error, addresses) => {
    callback(error, addresses ?? []);
  });
}

/** For `net.connect`. A name without an address that may be used is an error. */
export function createExternalLookup(resolve: Resolve): LookupFunction {
  return (name, options, callback) => {
    resolve(name, (error, addresses) => {
      const usable = error ? [] : addresses.filter(({ address }) => isOutside(address));
      const [first] = usable;
      if (first === undefined) {
        const why = error ? error.message : "no address of it is outside this machine";
        callback(new Error(`Cannot resolve "${name}": ${why}`), "", 0);
      } else if (options.all) callback(null, usable);
      else callback(null, first.address, first.family);
    });
  };
}

/** Blocks of addresses that stay on this machine or on one of its links (RFC 6890). */
const innerBlocks: readonly (readonly [first: string, bits: number])[] = [
  ["0.0.0.0", 8],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["224.0.0.0", 3],
  ["::", 96],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
];

/** Whether `text` is the literal of an address outside; anything else, such as a zone, is not. */
function isOutside(text: string): boolean {
  const address = parseIp(text);
  if (address === undefined) return false;
  const { family, value } = mappedOf(address);
  return !innerBlocks.some(([first, bits]) => {
    const block = parseIp(first);
    const shift = BigInt((family === 4 ? 32 : 128) - bits);
    return block?.family === family && value >> shift === block.value >> shift;
  });
}

/** The IPv4 address in one that carries it: IPv4-mapped, or translated by NAT64 (RFC 6052). */
function mappedOf(address: IpAddress): IpAddress {
  if (address.family === 4) return address;
  const prefix = address.value >> 32n;
  const carries = prefix === 0xffffn || prefix === 0x64ff9bn << 64n;
  return carries ? { family: 4, value: address.value & 0xffffffffn } : address;
}
