/**
 * The addresses that Gateways may have: single ones, ranges and CIDR blocks. Pure.
 *
 * A range keeps its ends only, so a block of 2^64 addresses costs nothing. Of a CIDR block the
 * addresses that no listener can have are left out: network and broadcast of IPv4 (not of /31 and
 * /32, RFC 3021), the subnet-router anycast address of IPv6 (not of /127 and /128, RFC 6164). A range
 * `a-b` is taken as it is.
 */

import { formatIp, type IpAddress, parseIp } from "../base/ip_address.ts";
import { accepted, type Parsed, refused, type ValueType } from "./value_type.ts";

/** Consecutive addresses of one family, both ends included. */
export interface AddressRange {
  /** As canonical text: an address, `first-last`, or a CIDR block. */
  readonly text: string;
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

/** `ADDRESS`, `FIRST-LAST` or `ADDRESS/BITS`. */
export const addressRangeType: ValueType<AddressRange> = {
  name: "address range",
  metavar: "ADDRESSES",
  parse: parseAddressRange,
  format: (range) => range.text,
};

/** Bits of an address of each family. */
const addressBits = { 4: 32, 6: 128 } as const;

const wanted = `wanted "192.0.2.1", "192.0.2.1-192.0.2.9" or "192.0.2.0/28"`;

function parseAddressRange(text: string): Parsed<AddressRange> {
  if (text.includes("%")) return refused("has a zone, wanted an address without one");
  if (text.includes("/")) return parseBlock(text);
  const [firstText = "", lastText, ...more] = text.split("-");
  const first = parseIp(firstText);
  const last = lastText === undefined ? first : parseIp(lastText);
  if (!first || !last || more.length > 0) return refused(`is not an IP address, ${wanted}`);
  if (first.family !== last.family) return refused("mixes IPv4 and IPv6, wanted one family");
  if (first.value > last.value) return refused("ends before it starts, wanted FIRST-LAST");
  const canonical = first.value === last.value && lastText === undefined
    ? formatIp(first)
    : `${formatIp(first)}-${formatIp(last)}`;
  return accepted({
    text: canonical,
    family: first.family,
    first: first.value,
    last: last.value,
  });
}

function parseBlock(text: string): Parsed<AddressRange> {
  const [addressText = "", bitsText = "", ...more] = text.split("/");
  const address = parseIp(addressText);
  if (!address || more.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(bitsText)) {
    return refused(`is not a CIDR block, ${wanted}`);
  }
  const bits = addressBits[address.family];
  const prefix = Number(bitsText);
  if (prefix > bits) return refused(`has a prefix longer than ${bits} bits`);
  const size = 1n << BigInt(bits - prefix);
  const base = address.value - (address.value % size);
  if (base !== address.value) {
    const block = formatIp({ family: address.family, value: base });
    return refused(`has bits set behind the prefix, wanted "${block}/${prefix}"`);
  }
  const isWide = prefix < bits - 1;
  return accepted({
    text: `${formatIp(address)}/${prefix}`,
    family: address.family,
    first: isWide ? base + 1n : base,
    last: isWide && address.family === 4 ? base + size - 2n : base + size - 1n,
  });
}

/** Whether every address of `ranges` is reachable from this machine only. */
export function areLoopback(ranges: readonly AddressRange[]): boolean {
  const ends = (range: AddressRange): IpAddress[] => [
    { family: range.family, value: range.first },
    { family: range.family, value: range.last },
  ];
  return ranges.every((range) => ends(range).every(isLoopback));
}

/** Whether only this machine reaches a server that listens on `host`: a loopback address, `localhost`. */
export function isLoopbackHost(host: string): boolean {
  const address = parseIp(host);
  return host === "localhost" || (address !== undefined && isLoopback(address));
}

/** Whether only this machine reaches `address`: 127.0.0.0/8, ::1, and 127.0.0.0/8 mapped into IPv6. */
export function isLoopback(address: IpAddress): boolean {
  if (address.family === 4) return address.value >> 24n === 127n;
  return address.value === 1n || address.value >> 24n === 0xffff7fn;
}
