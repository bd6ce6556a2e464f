/**
 * A level-triggered wake-up: many signals, one wake.
 *
 * `signal()` before `wait()` is not lost, and any number of signals while nobody waits is one wake.
 * One waiter at a time; a second one is a programmer error.
 */

import { invariant } from "./invariant.ts";

/** See the file's header for the promises. */
export class Wakeup {
  #signalled = false;
  #waiter: (() => void) | undefined;

  /** Marks that there is something to do. Never blocks. */
  signal(): void {
    this.#signalled = true;
    this.#waiter?.();
  }

  /** Resolves at the next signal, at once when one is pending, or when `abort` aborts. */
  async wait(abort: AbortSignal): Promise<void> {
    invariant(this.#waiter === undefined, "Wakeup has one waiter at a time");
    if (!this.#signalled && !abort.aborted) {
      await new Promise<void>((resolve) => {
        this.#waiter = resolve;
        abort.addEventListener("abort", this.#release, { once: true });
      });
      abort.removeEventListener("abort", this.#release);
      this.#waiter = undefined;
    }
    this.#signalled = false;
  }

  readonly #release = (): void => this.#waiter?.();
}
