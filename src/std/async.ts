/**
 * The part of `@std/async` that weir uses, with the same names, signatures and semantics.
 *
 * The import map points `@std/async` here because JSR cannot be reached where the project is built;
 * docs/decisions/0001-std-from-small-files.md says how to point it at the real package.
 */

/** Options of {@linkcode delay}. */
export interface DelayOptions {
  /** Rejects the delay with the signal's reason. */
  signal?: AbortSignal;
  /** Whether the timer keeps the process alive. @default {true} */
  persistent?: boolean;
}

/** Resolves after `ms` milliseconds, or rejects with the reason of an aborted signal. */
export function delay(ms: number, options: DelayOptions = {}): Promise<void> {
  const { signal, persistent = true } = options;
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const done = (): void => {
      signal?.removeEventListener("abort", abort);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", abort, { once: true });
    if (!persistent) Deno.unrefTimer(timer);
  });
}
