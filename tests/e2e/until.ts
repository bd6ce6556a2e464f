/** Waiting for what a test looks at, with an end to every wait. */

import { systemClock } from "../../src/base/clock.ts";

/** Whether tests run at full length: `deno task soak` says so. */
export const isSoak = Deno.env.get("WEIR_E2E_SOAK") === "1";

const pauseMs = 50;

/**
 * Asks `look` until it answers something that is not undefined and not false.
 *
 * @param what ends the sentence "never: …" of the failure
 * @throws Error after `limitMs`, with the last failure of `look` as its cause
 */
export async function until<Value>(
  what: string,
  limitMs: number,
  look: () => Promise<Value | undefined | false> | Value | undefined | false,
): Promise<Value> {
  const deadlineMs = systemClock.monotonicMs() + limitMs;
  let cause: unknown;
  for (;;) {
    try {
      const value = await look();
      if (value !== undefined && value !== false) return value;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (systemClock.monotonicMs() >= deadlineMs) {
      throw new Error(`never: ${what} (${limitMs} ms)`, { cause });
    }
    await systemClock.sleep(pauseMs);
  }
}

/** Prints a measured figure; `deno task e2e` shows it. */
export function tellFigure(name: string, value: string | number): void {
  // deno-lint-ignore no-console -- Figures are for the terminal.
  console.log(`figure: ${name}: ${value}`);
}
