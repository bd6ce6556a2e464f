/** Several tasks that live and end together. */

/**
 * Runs `tasks` until `signal` aborts. When one rejects or returns early the others are told to stop;
 * resolves or rejects (with the first failure) only after all have ended.
 */
export async function runTogether(
  signal: AbortSignal,
  tasks: readonly ((signal: AbortSignal) => Promise<void>)[],
): Promise<void> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  let failure: { readonly error: unknown } | undefined;
  await Promise.all(tasks.map(async (task) => {
    try {
      await task(either);
    } catch (error) {
      if (!signal.aborted) failure ??= { error };
    } finally {
      stop.abort();
    }
  }));
  if (failure) throw failure.error;
}

/** Resolves when `signal` aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Resolves as `promise` does, or as soon as `signal` aborts; look at the signal afterwards. */
export async function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const aborted = Promise.withResolvers<void>();
  const abort = (): void => aborted.resolve();
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
