/**
 * What a feed was told and has not passed on yet, because all at once would hold the event loop.
 *
 * The newest for each key, in the order in which it was told; bounded by the number of keys. While
 * there is something for a kind, all that is told of that kind goes here, so that order is kept.
 */

import type { Kind } from "../kube/kinds.ts";
import type { KubeObject, ObjectKey } from "../kube/object.ts";

/** The object that a key has now; undefined when it is gone. */
export type FeedChange = readonly [kind: Kind, key: ObjectKey, object: KubeObject | undefined];

/** See the file's header. */
export class FeedBacklog {
  readonly #changes = new Map<Kind, Map<ObjectKey, KubeObject | undefined>>();

  /** Whether there is nothing. */
  get isEmpty(): boolean {
    return this.#changes.size === 0;
  }

  /** Whether there is something for `kind`. */
  has(kind: Kind): boolean {
    return this.#changes.has(kind);
  }

  /** Starts with all that a snapshot says of `kind`; what was there of it is of the past. */
  start(kind: Kind, changes: Map<ObjectKey, KubeObject | undefined>): void {
    this.#changes.set(kind, changes);
  }

  /** Forgets what there is of `kind`: all of it was passed on, or is of the past. */
  drop(kind: Kind): void {
    this.#changes.delete(kind);
  }

  /** Puts a change behind all others of its kind, in the place of an older one of its key. */
  put([kind, key, object]: FeedChange): void {
    const changes = this.#changes.get(kind);
    changes?.delete(key);
    changes?.set(key, object);
  }

  /**
   * Hands out one change after the other until `isOver` says so, and each kind of which there is
   * nothing more.
   */
  take(
    make: (change: FeedChange) => void,
    onKindEmpty: (kind: Kind) => void,
    isOver: () => boolean,
  ): void {
    for (const [kind, changes] of this.#changes) {
      for (const [key, object] of changes) {
        changes.delete(key);
        make([kind, key, object]);
        if (isOver() && changes.size > 0) return;
      }
      this.#changes.delete(kind);
      onKindEmpty(kind);
      if (isOver()) return;
    }
  }
}
