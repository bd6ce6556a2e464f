/**
 * A queue of keys that never loses one: fair, stingy and level-triggered.
 *
 * Fair: keys are handed out in the order in which they were first added. Stingy: a key is never
 * worked on twice at once, and any number of adds before it is taken is one run. A key that is added
 * while it is worked on is handed out again afterwards. The queue is bounded by the number of
 * distinct keys. (The semantics are those of client-go's workqueue.)
 *
 * Where work is done at once, thousands of keys would hold the event loop for as long as all of them
 * take; so it is let go after some milliseconds.
 */

import type { Clock } from "./clock.ts";
import { Turn } from "./turn.ts";
import { Wakeup } from "./wakeup.ts";

/** So many keys at once are not begun with in the turn of the event loop in which they came. */
const manyKeys = 32;

/** See the file's header for the promises. */
export class WorkQueue<Key> {
  readonly #clock: Clock;
  /** Keys to hand out, in order. Disjoint from `#processing`. */
  readonly #ready = new Set<Key>();
  /** Keys that are being worked on. */
  readonly #processing = new Set<Key>();
  /** Keys that were added while they were worked on; each goes back to `#ready` when done. */
  readonly #dirty = new Set<Key>();
  /** Cancels the delayed add of a key. At most one per key: the earliest wins. */
  readonly #delayed = new Map<Key, { readonly dueMs: number; readonly cancel: () => void }>();
  readonly #wakeup = new Wakeup();
  readonly #turn: Turn;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#turn = new Turn(clock);
  }

  /** Keys that wait or are worked on; delayed ones are not counted. */
  get size(): number {
    return this.#ready.size + this.#processing.size;
  }

  /** Adds `key` to be handed out. Never blocks, never drops. */
  add(key: Key): void {
    this.#cancelDelayed(key);
    if (this.#processing.has(key)) {
      this.#dirty.add(key);
      return;
    }
    this.#ready.add(key);
    this.#wakeup.signal();
  }

  /** Adds `key` after `ms`, unless it is added earlier in another way. */
  addAfter(key: Key, ms: number): void {
    if (ms <= 0) return this.add(key);
    const dueMs = this.#clock.monotonicMs() + ms;
    const earlier = this.#delayed.get(key);
    if (earlier && earlier.dueMs <= dueMs) return;
    this.#cancelDelayed(key);
    const cancel = this.#clock.after(ms, () => this.add(key));
    this.#delayed.set(key, { dueMs, cancel });
  }

  /**
   * Takes keys one after the other and awaits `work` for each until `signal` aborts; `workers` of
   * them at a time. An error of `work` rejects the run: the handler decides about its own failures.
   * Delayed keys are forgotten when the run ends.
   */
  async run(
    work: (key: Key) => void | Promise<void>,
    signal: AbortSignal,
    workers = 1,
  ): Promise<void> {
    const busy = new Set<Promise<void>>();
    let failure: { readonly error: unknown } | undefined;
    try {
      while (!signal.aborted && !failure) {
        const [key] = busy.size < workers ? this.#ready : [];
        if (key === undefined) {
          const isIdle = busy.size === 0;
          await this.#wakeup.wait(signal);
          // Who added that many has used up much of this turn by itself.
          if (isIdle && this.#ready.size >= manyKeys) await this.#turn.letGo(signal);
          continue;
        }
        if (this.#turn.isOver()) {
          await this.#turn.letGo(signal);
          continue;
        }
        this.#ready.delete(key);
        this.#processing.add(key);
        const task: Promise<void> = this.#process(key, work).catch((error) => {
          failure ??= { error };
        }).finally(() => {
          busy.delete(task);
          this.#wakeup.signal();
        });
        busy.add(task);
      }
    } finally {
      await Promise.all(busy);
      for (const key of [...this.#delayed.keys()]) this.#cancelDelayed(key);
    }
    if (failure) throw failure.error;
  }

  async #process(key: Key, work: (key: Key) => void | Promise<void>): Promise<void> {
    try {
      await work(key);
    } finally {
      this.#processing.delete(key);
      if (this.#dirty.delete(key)) this.#ready.add(key);
    }
  }

  #cancelDelayed(key: Key): void {
    this.#delayed.get(key)?.cancel();
    this.#delayed.delete(key);
  }
}
