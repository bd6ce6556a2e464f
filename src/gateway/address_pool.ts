/**
 * The set of IP addresses that Gateways may get: single ones, ranges and CIDR blocks.
 *
 * Parsed from text such as `127.0.0.1`, `10.0.0.10-10.0.0.20` or `fd00::/120`. Blocks stay ranges:
 * the size of a block costs nothing. Of an IPv4 block with more than two addresses the network and
 * broadcast addresses are left out.
 */

import { formatIp, type IpAddress, parseIp } from "../base/ip_address.ts";

interface AddressRange {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

/** More entries than this are refused. */
export const poolEntriesMax = 256;

/** What is wrong with the text of a pool. */
export class AddressPoolError extends Error {
  override name = "AddressPoolError";
}

/** See the file's header. The order of the entries is the order in which addresses are given. */
export class AddressPool {
  readonly #ranges: readonly AddressRange[];

  private constructor(ranges: readonly AddressRange[]) {
    this.#ranges = ranges;
  }

  /**
   * Parses the entries of a pool.
   *
   * @throws {AddressPoolError} naming the first entry that is no address, range or block
   */
  static parse(entries: readonly string[]): AddressPool {
    if (entries.length > poolEntriesMax) {
      throw new AddressPoolError(
        `Cannot use the addresses: ${entries.length} entries, wanted at most ${poolEntriesMax}`,
      );
    }
    return new AddressPool(entries.map((entry) => parseRange(entry.trim())));
  }

  /** Whether `text` is the literal of an address of the pool. */
  has(text: string): boolean {
    const address = parseIp(text);
    return address !== undefined && this.#ranges.some((range) => contains(range, address));
  }

  /** All addresses in order, in canonical form; lazily, as there can be very many. */
  *addresses(): Generator<string> {
    for (const { family, first, last } of this.#ranges) {
      for (let value = first; value <= last; value++) yield formatIp({ family, value });
    }
  }
}

function contains(range: AddressRange, { family, value }: IpAddress): boolean {
  return family === range.family && value >= range.first && value <= range.last;
}

function parseRange(entry: string): AddressRange {
  const range = entry.includes("/")
    ? parseBlock(entry)
    : entry.includes("-")
    ? parseBounds(entry)
    : parseSingle(entry);
  if (range) return range;
  throw new AddressPoolError(
    `Cannot use address "${entry}": wanted an IP address, a range FIRST-LAST or a CIDR block`,
  );
}

function parseSingle(entry: string): AddressRange | undefined {
  const address = parseIp(entry);
  return address && { family: address.family, first: address.value, last: address.value };
}

function parseBounds(entry: string): AddressRange | undefined {
  const [from = "", to = "", ...rest] = entry.split("-");
  const first = parseIp(from.trim());
  const last = parseIp(to.trim());
  if (!first || !last || rest.length > 0) return undefined;
  if (first.family !== last.family || first.value > last.value) return undefined;
  return { family: first.family, first: first.value, last: last.value };
}

function parseBlock(entry: string): AddressRange | undefined {
  const match = /^([^/]+)\/([0-9]{1,3})$/.exec(entry);
  const address = parseIp(match?.[1] ?? "");
  if (!match || !address) return undefined;
  const width = address.family === 4 ? 32 : 128;
  const prefix = Number(match[2]);
  if (prefix > width) return undefined;
  const size = 1n << BigInt(width - prefix);
  const first = address.value & ~(size - 1n);
  const last = first + size - 1n;
  return address.family === 4 && size > 2n
    ? { family: 4, first: first + 1n, last: last - 1n }
    : { family: address.family, first, last };
}
