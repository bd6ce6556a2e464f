// The pace is for the day when something loops: it must slow that down, and nothing else.

import { assertEquals, assertRejects } from "@std/assert";
import { RequestPace } from "../../../src/kube/request_pace.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

const never = new AbortController().signal;

Deno.test("RequestPace lets a burst go, then one after another, in order", async () => {
  const clock = new FakeClock();
  const pace = new RequestPace({ perSecond: 10, burst: 3 }, clock);
  const went: [number, number][] = [];
  const ask = async (i: number) => {
    await pace.acquire(never);
    went.push([i, clock.monotonicMs()]);
  };
  const all = Promise.all([0, 1, 2, 3, 4, 5].map(ask));
  await clock.advance(1_000);
  await all;
  assertEquals(went, [[0, 0], [1, 0], [2, 0], [3, 100], [4, 200], [5, 300]]);
  assertEquals(pace.delayedCount, 3);
  await Promise.all([pace.acquire(never), pace.acquire(never), pace.acquire(never)]);
  assertEquals(pace.delayedCount, 3);
});

Deno.test("RequestPace.acquire() ends with the signal", async () => {
  const clock = new FakeClock();
  const pace = new RequestPace({ perSecond: 1, burst: 1 }, clock);
  await pace.acquire(never);
  const stop = new AbortController();
  const waiting = pace.acquire(stop.signal);
  stop.abort(new Error("stopped"));
  await assertRejects(() => waiting, Error, "stopped");
  assertEquals(clock.pending, 0);
});
