/** Without these a timer could outlive its owner, or a stamp could be one that no API accepts. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { FakeTime } from "@std/testing/time";
import { systemClock, toTimestamp } from "../../../src/base/clock.ts";

Deno.test("toTimestamp() writes RFC 3339 in UTC with whole seconds, rounded down", () => {
  assertEquals(toTimestamp(0), "1970-01-01T00:00:00Z");
  assertEquals(toTimestamp(Date.UTC(2026, 1, 3, 4, 5, 6, 999)), "2026-02-03T04:05:06Z");
});

Deno.test("systemClock.now() is the wall time, monotonicMs() never goes back", () => {
  using time = new FakeTime("2026-05-01T00:00:00Z");
  assertEquals(systemClock.now(), Date.UTC(2026, 4, 1));
  time.tick(1500);
  assertEquals(systemClock.now(), Date.UTC(2026, 4, 1) + 1500);
  const first = systemClock.monotonicMs();
  assert(systemClock.monotonicMs() >= first);
});

Deno.test("systemClock.after() calls once, and never after it was cancelled", () => {
  using time = new FakeTime();
  const calls: string[] = [];
  systemClock.after(10, () => calls.push("kept"));
  const cancel = systemClock.after(10, () => calls.push("cancelled"));
  time.tick(9);
  assertEquals(calls, []);
  cancel();
  cancel();
  time.tick(1000);
  assertEquals(calls, ["kept"]);
});

Deno.test("systemClock.sleep() ends at its time, or with the reason of the signal", async () => {
  using time = new FakeTime();
  const order: string[] = [];
  const asleep = systemClock.sleep(20).then(() => order.push("slept"));
  await time.tickAsync(19);
  assertEquals(order, []);
  await time.tickAsync(1);
  await asleep;
  assertEquals(order, ["slept"]);
  const stop = new AbortController();
  const cut = systemClock.sleep(1000, stop.signal);
  stop.abort(new Error("shutting down"));
  await assertRejects(() => cut, Error, "shutting down");
});
