/**
 * What the local cluster is built from, and how much it holds.
 *
 * Only names and numbers; the store enforces them.
 */

import type { Clock } from "../base/clock.ts";
import type { Admission } from "./store_contract.ts";

/** The bounds of the local cluster. */
export interface StoreLimits {
  /** Changes that a watch can go back; beyond: 410 Expired. */
  readonly historyMax: number;
  /** One object as JSON; beyond: 413 RequestEntityTooLarge. */
  readonly objectBytesMax: number;
  /** Objects of one kind; beyond: 403 Forbidden, worded as an exceeded quota. */
  readonly objectsPerKindMax: number;
  /** Events; beyond: the one that was written the longest time ago goes, and is counted. */
  readonly eventsMax: number;
}

/**
 * The object size is etcd's limit; history and objects keep memory bounded far above any real use.
 * Events are what `kubectl describe` shows of the last hour: in a cluster they go with time, here with
 * number.
 */
export const defaultStoreLimits: StoreLimits = {
  historyMax: 10_000,
  objectBytesMax: 1536 * 1024,
  objectsPerKindMax: 100_000,
  eventsMax: 1_000,
};

/** What the local cluster is built from. */
export interface MemoryClusterOptions {
  readonly admission: Admission;
  /** Stamps objects that bring no creation time. */
  readonly clock: Clock;
  /** A new RFC 4122 identifier at each call. */
  readonly newUid: () => string;
  readonly limits?: Partial<StoreLimits>;
  /** Freezes stored objects, so that a mutation throws. For tests. */
  readonly freezesObjects?: boolean;
}
