/** Those who wait for outputs of a revision: resolved together, after the callbacks of a commit. */

import type { Outputs } from "./outputs.ts";

interface Waiter {
  readonly revision: number;
  readonly resolve: (outputs: Outputs) => void;
}

/** See the file's header. Bounded by the number of callers. */
export class RevisionWaiters {
  readonly #waiters = new Set<Waiter>();

  /** Rejects with the signal's reason when it aborts first. */
  wait(revision: number, signal?: AbortSignal): Promise<Outputs> {
    return new Promise<Outputs>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = (): void => {
        this.#waiters.delete(waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        revision,
        resolve: (outputs) => {
          signal?.removeEventListener("abort", abort);
          resolve(outputs);
        },
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#waiters.add(waiter);
    });
  }

  /** Resolves all that `outputs` are new enough for. */
  resolve(outputs: Outputs): void {
    for (const waiter of this.#waiters) {
      if (waiter.revision > outputs.revision) continue;
      this.#waiters.delete(waiter);
      waiter.resolve(outputs);
    }
  }
}
