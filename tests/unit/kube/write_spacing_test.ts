/** Without the pace a thousand new routes would be hundreds of writes of their Gateway. */

import { assertEquals } from "@std/assert";
import { objectKey } from "../../../src/kube/object.ts";
import { spacingBurst, WriteSpacing } from "../../../src/kube/write_spacing.ts";

const spacingMs = 1_000;
const web = objectKey("shop", "web");

Deno.test("WriteSpacing lets a few writes through at once, then one a second", () => {
  const spacing = new WriteSpacing(spacingMs);
  let nowMs = 0;
  const times: number[] = [];
  while (nowMs < 10 * spacingMs) {
    if (spacing.waitMs(web, nowMs) === 0) {
      spacing.note(web, nowMs);
      times.push(nowMs);
    }
    nowMs += 100;
  }
  assertEquals(times.slice(0, spacingBurst + 2), [0, 100, 200, 300, 400, 1000, 2000]);
  assertEquals(times.length, spacingBurst + 9);
});

Deno.test("WriteSpacing keeps objects apart and forgets after a calm time", () => {
  const spacing = new WriteSpacing(spacingMs);
  for (let count = 0; count < spacingBurst; count++) spacing.note(web, 0);
  assertEquals(spacing.waitMs(web, 0), spacingMs);
  assertEquals(spacing.waitMs(objectKey("shop", "other"), 0), 0);
  assertEquals(spacing.waitMs(web, spacingBurst * spacingMs), 0);
  for (let count = 1; count < spacingBurst; count++) spacing.note(web, spacingBurst * spacingMs);
  assertEquals(spacing.waitMs(web, spacingBurst * spacingMs), 0);
});

Deno.test("WriteSpacing without a distance lets every write through", () => {
  const spacing = new WriteSpacing(0);
  for (let count = 0; count < 100; count++) spacing.note(web, 0);
  assertEquals(spacing.waitMs(web, 0), 0);
});
