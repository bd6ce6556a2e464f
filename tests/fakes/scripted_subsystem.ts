/** A subsystem whose life a test decides: it writes down what happens to it. */

import type { Readiness, Subsystem } from "../../src/app/subsystem.ts";

/** What a test decides. */
export interface Script {
  readonly onFailure?: Subsystem["onFailure"];
  /** One for each run, the last one for all later ones; absent: works until it is told to stop. */
  readonly runs?: readonly ((signal: AbortSignal) => Promise<void>)[];
  readonly drain?: (signal: AbortSignal) => Promise<void>;
  readonly ready?: () => Readiness;
}

/** Resolves when `signal` aborts. */
export function untilAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}

/** A subsystem that adds `NAME start`, `NAME drain`, `NAME stop` to `story`. */
export function scriptedSubsystem(name: string, story: string[], script: Script = {}): Subsystem {
  let runCount = 0;
  return {
    name,
    onFailure: script.onFailure ?? "core",
    async run(signal) {
      story.push(`${name} start`);
      const runs = script.runs ?? [];
      const run = runs[Math.min(runCount++, runs.length - 1)] ?? untilAbort;
      await run(signal);
      story.push(`${name} stop`);
    },
    ready: script.ready ?? (() => ({ ready: true, reason: "works" })),
    ...(script.drain && {
      async drain(signal: AbortSignal) {
        story.push(`${name} drain`);
        await script.drain?.(signal);
      },
    }),
  };
}
