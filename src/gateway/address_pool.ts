/**
 * The set of IP addresses that Gateways may get.
 *
 * Made of ranges, which stay ranges: the size of one costs nothing. Their text is parsed by the
 * configuration, not here.
 */

import { formatIp, type IpAddress, parseIp } from "../base/ip_address.ts";

/** Consecutive addresses of one family, both ends included. */
export interface PoolRange {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

/** See the file's header. The order of the ranges is the order in which addresses are given. */
export class AddressPool {
  readonly #ranges: readonly PoolRange[];

  constructor(ranges: readonly PoolRange[]) {
    this.#ranges = ranges;
  }

  /** Whether `text` is a literal of an address of the pool. */
  has(text: string): boolean {
    const address = parseIp(text);
    return address !== undefined && this.#ranges.some((range) => contains(range, address));
  }

  /**
   * All addresses in order, in canonical form. Lazy, as there can be very many; one that is in
   * several ranges comes several times.
   */
  *addresses(): Generator<string, void, void> {
    for (const { family, first, last } of this.#ranges) {
      for (let value = first; value <= last; value++) yield formatIp({ family, value });
    }
  }
}

function contains(range: PoolRange, { family, value }: IpAddress): boolean {
  return family === range.family && value >= range.first && value <= range.last;
}
