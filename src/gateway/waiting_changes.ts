/**
 * Changes of inputs that came while these stood still: the newest for each place, in the order of the
 * newest changes. Bounded by the number of places.
 */

/** Changes inputs; whether anything is different by it. */
export type InputEdit = () => boolean;

/** See the file's header. */
export class WaitingChanges {
  readonly #edits = new Map<string, InputEdit>();
  readonly #waiters = new Set<() => void>();

  /** How many there are. */
  get size(): number {
    return this.#edits.size;
  }

  /** Keeps `edit` in the place of what waits for `place`, behind all others. */
  put(place: string, edit: InputEdit): void {
    this.#edits.delete(place);
    this.#edits.set(place, edit);
  }

  /** Hands out one after the other, until `isOver` says so; those handed out are not kept. */
  take(make: (edit: InputEdit) => void, isOver: () => boolean): void {
    for (const [place, edit] of this.#edits) {
      this.#edits.delete(place);
      make(edit);
      if (isOver()) break;
    }
    if (this.#edits.size > 0) return;
    for (const tell of this.#waiters) tell();
    this.#waiters.clear();
  }

  /** Resolves when there is none; rejects with the signal's reason when it aborts first. */
  whenEmpty(signal?: AbortSignal): Promise<void> {
    if (this.size === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = (): void => {
        this.#waiters.delete(tell);
        reject(signal?.reason);
      };
      const tell = (): void => {
        signal?.removeEventListener("abort", abort);
        resolve();
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#waiters.add(tell);
    });
  }
}
