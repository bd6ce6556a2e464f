/** Without these every test with a clock could pass without its timers having run. */

import { assertEquals, assertRejects } from "@std/assert";
import { FakeClock } from "../../fakes/fake_clock.ts";

Deno.test("FakeClock.advance() runs what is due in order and moves both times", async () => {
  const clock = new FakeClock(1000);
  const calls: string[] = [];
  clock.after(20, () => calls.push(`b ${clock.now()} ${clock.monotonicMs()}`));
  clock.after(10, () => calls.push(`a ${clock.now()} ${clock.monotonicMs()}`));
  clock.after(20, () => calls.push("c"));
  const cancel = clock.after(15, () => calls.push("never"));
  cancel();
  assertEquals(clock.pending, 3);
  await clock.advance(20);
  assertEquals(calls, ["a 1010 10", "b 1020 20", "c"]);
  assertEquals([clock.pending, clock.now()], [0, 1020]);
});

Deno.test("FakeClock.advance() lets work go on between timers", async () => {
  const clock = new FakeClock();
  const wakes: number[] = [];
  const loop = (async () => {
    for (let round = 0; round < 3; round++) {
      await clock.sleep(10);
      await Promise.all([Promise.resolve(), Promise.resolve()]);
      wakes.push(clock.monotonicMs());
    }
  })();
  await clock.advance(29);
  assertEquals(wakes, [10, 20]);
  await clock.advance(1);
  await loop;
  assertEquals(wakes, [10, 20, 30]);
});

Deno.test("FakeClock.sleep() rejects with the signal's reason and forgets its timer", async () => {
  const clock = new FakeClock();
  const stop = new AbortController();
  const asleep = clock.sleep(10, stop.signal);
  stop.abort(new Error("stopped"));
  await assertRejects(() => asleep, Error, "stopped");
  assertEquals(clock.pending, 0);
  await assertRejects(() => clock.sleep(10, stop.signal), Error, "stopped");
});
