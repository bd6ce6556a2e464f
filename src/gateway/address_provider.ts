/**
 * Who gives addresses to Gateways, and the provider that takes them from a pool.
 *
 * Each Gateway gets an address of its own while the pool lasts, older Gateways first, then addresses
 * are shared. What a Gateway has it keeps; after a restart that is what its stored status says, and
 * nobody but a provider reads it. Requested addresses are given when they are in the pool.
 */

import { formatIp, parseIp } from "../base/ip_address.ts";
import { decodeStatusAddresses } from "../kube/decode/gateway.ts";
import { keyOf, type KubeObject, type ObjectKey } from "../kube/object.ts";
import type { AddressPool } from "./address_pool.ts";
import type { AddressAssignment } from "./input_reader.ts";

/** A Gateway that is managed and wants addresses. */
export interface AddressClaim {
  readonly key: ObjectKey;
  readonly uid: string;
  readonly creationTimestamp: string;
  /** `spec.addresses` of type IPAddress; an empty text asks for any address. */
  readonly requested: readonly string[];
}

/** Gives addresses. Synchronous; called inside a transition whenever the claims changed. */
export interface AddressProvider {
  /**
   * The assignments for exactly these claims. A claim without an answer keeps what it has. A
   * provider that learns of addresses later hands them to the state itself and answers nothing here.
   */
  assign(claims: readonly AddressClaim[]): ReadonlyMap<ObjectKey, AddressAssignment>;
}

/** Of more Gateways than this that were seen and never assigned, the first ones are forgotten. */
const rememberedMax = 10_000;

interface Held {
  readonly uid: string;
  readonly address: string;
}

/** See the file's header. */
export class PoolAddressProvider implements AddressProvider {
  readonly #pool: AddressPool;
  /** What each Gateway has, also by request: it keeps that when it requests nothing any more. */
  readonly #held = new Map<ObjectKey, Held>();
  /** What the stored statuses said at first sight, until the Gateway is given an address. */
  readonly #remembered = new Map<ObjectKey, Held>();

  constructor(pool: AddressPool) {
    this.#pool = pool;
  }

  /**
   * Shows a Gateway as it is stored, before it is assigned: its status tells which address it had
   * before a restart. Later sights change nothing.
   */
  observe(gateway: KubeObject): void {
    const key = keyOf(gateway);
    const { uid } = gateway.metadata;
    if (this.#held.get(key)?.uid === uid || this.#remembered.get(key)?.uid === uid) return;
    const address = decodeStatusAddresses(gateway).find((text) => this.#pool.has(text));
    if (address === undefined) return;
    if (this.#remembered.size >= rememberedMax) {
      const [oldest] = this.#remembered.keys();
      if (oldest !== undefined) this.#remembered.delete(oldest);
    }
    this.#remembered.set(key, { uid, address: canonical(address) });
  }

  assign(claims: readonly AddressClaim[]): ReadonlyMap<ObjectKey, AddressAssignment> {
    const sorted = [...claims].sort(compareAge);
    this.#releaseAllBut(new Map(sorted.map(({ key, uid }) => [key, uid])));
    const assignments = new Map<ObjectKey, AddressAssignment>();
    const useCounts = new Map<string, number>();
    const use = (address: string) => useCounts.set(address, (useCounts.get(address) ?? 0) + 1);
    const waiting: AddressClaim[] = [];
    for (const claim of sorted) {
      const fixed = this.#fixedAssignment(claim);
      if (!fixed) {
        waiting.push(claim);
        continue;
      }
      fixed.addresses.forEach(use);
      assignments.set(claim.key, fixed);
    }
    const unused = this.#pool.addresses();
    for (const { key, uid } of waiting) {
      const address = nextUnused(unused, useCounts) ?? leastUsed(this.#pool, useCounts);
      if (address === undefined) continue;
      use(address);
      this.#held.set(key, { uid, address });
      assignments.set(key, { addresses: [address], unusable: [] });
    }
    return assignments;
  }

  /** What `claim` requests or has; undefined when it needs a new address. */
  #fixedAssignment({ key, uid, requested }: AddressClaim): AddressAssignment | undefined {
    const literal = requested.filter((text) => text !== "");
    if (literal.length > 0) {
      const usable = literal.filter((text) => this.#pool.has(text)).map(canonical);
      this.#remembered.delete(key);
      this.#hold(key, uid, usable[0]);
      return {
        addresses: [...new Set(usable)],
        unusable: literal.filter((text) => !this.#pool.has(text)),
      };
    }
    const kept = this.#held.get(key) ?? this.#remembered.get(key);
    this.#remembered.delete(key);
    if (!kept || kept.uid !== uid) return undefined;
    this.#held.set(key, kept);
    return { addresses: [kept.address], unusable: [] };
  }

  #hold(key: ObjectKey, uid: string, address: string | undefined): void {
    if (address === undefined) this.#held.delete(key);
    else this.#held.set(key, { uid, address });
  }

  #releaseAllBut(uids: ReadonlyMap<ObjectKey, string>): void {
    for (const [key, { uid }] of this.#held) if (uids.get(key) !== uid) this.#held.delete(key);
  }
}

function compareAge(a: AddressClaim, b: AddressClaim): number {
  if (a.creationTimestamp !== b.creationTimestamp) {
    return a.creationTimestamp < b.creationTimestamp ? -1 : 1;
  }
  return a.key < b.key ? -1 : 1;
}

/** The walk goes on where it stopped: what it passed is used. */
function nextUnused(
  addresses: Generator<string>,
  useCounts: ReadonlyMap<string, number>,
): string | undefined {
  for (let next = addresses.next(); !next.done; next = addresses.next()) {
    if (!useCounts.has(next.value)) return next.value;
  }
  return undefined;
}

/** Reached only when every address is used, so the walk is no longer than the list of Gateways. */
function leastUsed(
  pool: AddressPool,
  useCounts: ReadonlyMap<string, number>,
): string | undefined {
  let best: string | undefined;
  let bestCount = Infinity;
  for (const address of pool.addresses()) {
    const count = useCounts.get(address) ?? 0;
    if (count < bestCount) [best, bestCount] = [address, count];
  }
  return best;
}

function canonical(text: string): string {
  const address = parseIp(text);
  return address ? formatIp(address) : text;
}
