// Two controllers that overwrite each other: too fast a pace is thousands of writes a minute, none
// at all is an entry that stays lost.

import { assertEquals } from "@std/assert";
import { objectKey } from "../../../src/kube/object.ts";
import {
  restoreCalmMs,
  restoreInitialMs,
  restoreMaxMs,
  RestorePace,
} from "../../../src/kube/restore_pace.ts";

const key = objectKey("default", "app");

/** The waits when each restoration is undone as soon as it is made. */
function waits(pace: RestorePace, count: number, nowMs = 0): number[] {
  return Array.from({ length: count }, () => {
    const delayMs = pace.delayMs(key, nowMs);
    nowMs += delayMs;
    return delayMs;
  });
}

Deno.test("RestorePace.delayMs() is nothing at first, then doubles up to its maximum", () => {
  const found = waits(new RestorePace(), 12);
  assertEquals(found.slice(0, 4), [
    0,
    restoreInitialMs,
    restoreInitialMs * 2,
    restoreInitialMs * 4,
  ]);
  assertEquals(found.at(-1), restoreMaxMs);
});

Deno.test("RestorePace.delayMs() counts what is put off already only once", () => {
  const pace = new RestorePace();
  waits(pace, 2);
  assertEquals(pace.delayMs(key, restoreInitialMs / 2), restoreInitialMs / 2);
  assertEquals(pace.delayMs(key, restoreInitialMs), restoreInitialMs * 2);
});

Deno.test("RestorePace.delayMs() starts anew after a calm time, and for each key", () => {
  const pace = new RestorePace();
  waits(pace, 5);
  assertEquals(pace.delayMs(objectKey("default", "other"), 0), 0);
  assertEquals(pace.delayMs(key, restoreMaxMs + restoreCalmMs), 0);
});
