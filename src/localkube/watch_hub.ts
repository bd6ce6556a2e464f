/**
 * Hands changes to watchers: after the commit, in order, one at a time.
 *
 * A handler may read and write the store and start or stop watches. What it causes is delivered after
 * the change that is being delivered, so that every watcher of a kind sees the same order. A handler
 * that throws does not keep others from their changes; its error comes out of the write that caused
 * the delivery.
 */

import { invariant } from "../base/invariant.ts";
import type { StoredKind } from "../kube/kinds.ts";
import type { HistoryEntry } from "./event_history.ts";
import type { StopWatch, WatchEvent } from "./store_contract.ts";

/** Handlers that answer each change with another one never end; this many in one go is a loop. */
const deliveriesMax = 1_000_000;

interface Watcher {
  readonly kind: StoredKind;
  readonly handler: (event: WatchEvent) => void;
  /** Changes up to this one are not for it, or reach it by its own replay. */
  readonly after: number;
  isStopped: boolean;
}

interface Delivery {
  readonly entry: HistoryEntry;
  /** Set for a replay: only this watcher gets it. */
  readonly watcher?: Watcher;
}

/** See the file's header for the promises. */
export class WatchHub {
  readonly #watchers = new Map<StoredKind, Set<Watcher>>();
  #pending: Delivery[] = [];
  #isDelivering = false;

  /** Takes a change for the watchers that its kind has now, to be delivered. */
  publish(entry: HistoryEntry): void {
    if (this.#watchers.get(entry.event.kind)?.size) this.#pending.push({ entry });
  }

  /** Watches `kind`: first `replay`, then what is published after `current`. */
  watch(
    kind: StoredKind,
    replay: readonly HistoryEntry[],
    current: number,
    handler: (event: WatchEvent) => void,
  ): StopWatch {
    const watcher: Watcher = { kind, handler, after: current, isStopped: false };
    const watchers = this.#watchers.get(kind) ?? new Set();
    this.#watchers.set(kind, watchers.add(watcher));
    for (const entry of replay) {
      if (entry.event.kind === kind) this.#pending.push({ entry, watcher });
    }
    this.deliver();
    return () => {
      watcher.isStopped = true;
      watchers.delete(watcher);
    };
  }

  /** Delivers all that was published; called by a handler, leaves it to the running delivery. */
  deliver(): void {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    const failures: unknown[] = [];
    try {
      for (let index = 0; index < this.#pending.length; index++) {
        invariant(index < deliveriesMax, "Watch handlers do not change the cluster without end");
        const delivery = this.#pending[index];
        if (delivery) this.#deliverOne(delivery, failures);
      }
    } finally {
      this.#pending = [];
      this.#isDelivering = false;
    }
    if (failures.length > 0) throw failures[0];
  }

  #deliverOne({ entry, watcher: only }: Delivery, failures: unknown[]): void {
    const watchers = only ? [only] : this.#watchers.get(entry.event.kind) ?? [];
    for (const watcher of watchers) {
      if (watcher.isStopped) continue;
      if (!only && entry.resourceVersion <= watcher.after) continue;
      try {
        watcher.handler(entry.event);
      } catch (error) {
        failures.push(error);
      }
    }
  }
}
