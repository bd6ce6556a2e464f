/**
 * The most recent changes of the local cluster, for watches that begin in the past.
 *
 * Bounded: when it is full the oldest change is forgotten, and a watch that would need it is refused
 * with 410 Expired, as by the API server's watch cache. Changes are in the order of their
 * resourceVersion, without two of the same.
 */

import { invariant } from "../base/invariant.ts";
import type { WatchEvent } from "./store_contract.ts";

/** A change and the resourceVersion that it made. */
export interface HistoryEntry {
  readonly resourceVersion: number;
  readonly event: WatchEvent;
}

/** See the file's header for the promises. */
export class EventHistory {
  readonly #entriesMax: number;
  /** A ring: `#next` is the oldest entry once it is full. */
  readonly #entries: HistoryEntry[] = [];
  #next = 0;
  #newest: number;
  #floor: number;

  /** @param start the resourceVersion before the first change */
  constructor(entriesMax: number, start: number) {
    invariant(entriesMax > 0, "An event history holds at least one event");
    this.#entriesMax = entriesMax;
    this.#newest = start;
    this.#floor = start;
  }

  /** The oldest resourceVersion from which every later change is still known. */
  get floor(): number {
    return this.#floor;
  }

  /** Remembers a change; forgets the oldest one when full. */
  add(entry: HistoryEntry): void {
    invariant(entry.resourceVersion > this.#newest, "Events are added in order");
    this.#newest = entry.resourceVersion;
    const forgotten = this.#entries[this.#next];
    if (forgotten) this.#floor = forgotten.resourceVersion;
    this.#entries[this.#next] = entry;
    this.#next = (this.#next + 1) % this.#entriesMax;
  }

  /** The changes after `resourceVersion`, oldest first; it must not be below {@linkcode floor}. */
  since(resourceVersion: number): readonly HistoryEntry[] {
    invariant(resourceVersion >= this.#floor, "Events since a forgotten one are not known");
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const entry = this.#at(middle);
      if (entry && entry.resourceVersion <= resourceVersion) low = middle + 1;
      else high = middle;
    }
    const later: HistoryEntry[] = [];
    for (let age = low; age < this.#entries.length; age++) {
      const entry = this.#at(age);
      if (entry) later.push(entry);
    }
    return later;
  }

  /** The entry that came in as number `age` of those still known. */
  #at(age: number): HistoryEntry | undefined {
    const oldest = this.#entries.length < this.#entriesMax ? 0 : this.#next;
    return this.#entries[(oldest + age) % this.#entriesMax];
  }
}
