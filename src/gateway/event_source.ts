/**
 * Keys of what changed, for consumers that come when they come. Never drops one.
 *
 * Keys that are enqueued while nobody listens are kept, each once, and handed over to the consumer
 * that starts. The queue behind it does the rest: it merges duplicates and keeps the order. Bounded
 * by the number of distinct keys.
 */

/** Where keys go: a work queue. */
export interface KeyQueue<Key> {
  /** Never blocks, never throws, never drops. */
  add(key: Key): void;
}

/** See the file's header. */
export class EventSource<Key> {
  readonly #pending = new Set<Key>();
  readonly #queues = new Set<KeyQueue<Key>>();

  /** Keys that wait for a consumer to start. */
  get depth(): number {
    return this.#pending.size;
  }

  /** Hands `keys` to every consumer, or keeps them for the first one. */
  enqueue(keys: Iterable<Key>): void {
    for (const key of keys) {
      if (this.#queues.size === 0) this.#pending.add(key);
      for (const queue of this.#queues) queue.add(key);
    }
  }

  /**
   * Starts a consumer: it gets the keys that were kept, in the order of their first enqueueing, and
   * all later ones. The returned function stops it and may be called again; when the last one
   * stopped, keys are kept again.
   */
  start(queue: KeyQueue<Key>): () => void {
    this.#queues.add(queue);
    const kept = [...this.#pending];
    this.#pending.clear();
    for (const key of kept) queue.add(key);
    return () => {
      this.#queues.delete(queue);
    };
  }
}
