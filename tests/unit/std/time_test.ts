/** Without these tests of the global timers could pass without any time going by. */

import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { FakeTime, TimeError } from "@std/testing/time";

Deno.test("FakeTime.tick() runs what is due in order of time, then of registration", () => {
  using time = new FakeTime(1000);
  const calls: string[] = [];
  setTimeout(() => calls.push(`b at ${Date.now()}`), 20);
  setTimeout((name: string) => calls.push(`${name} at ${Date.now()}`), 10, "a");
  setTimeout(() => calls.push(`c at ${Date.now()}`), 20);
  clearTimeout(setTimeout(() => calls.push("never"), 5));
  time.tick(19);
  assertEquals(calls, ["a at 1010"]);
  time.tick(1);
  assertEquals(calls, ["a at 1010", "b at 1020", "c at 1020"]);
  assertEquals([time.now, new Date().getTime(), new Date(5).getTime()], [1020, 1020, 5]);
});

Deno.test("FakeTime.tick() repeats intervals until they are cleared", () => {
  using time = new FakeTime(0);
  const calls: number[] = [];
  const id = setInterval(() => calls.push(Date.now()), 10);
  time.tick(35);
  clearInterval(id);
  time.tick(100);
  assertEquals(calls, [10, 20, 30]);
});

Deno.test("FakeTime.tickAsync() lets a timer set the next one", async () => {
  using time = new FakeTime(0);
  const calls: number[] = [];
  const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const work = (async () => {
    for (let round = 0; round < 3; round++) {
      await later(10);
      calls.push(Date.now());
    }
  })();
  await time.tickAsync(30);
  await work;
  assertEquals(calls, [10, 20, 30]);
});

Deno.test("FakeTime gives the globals back, and only one is active", () => {
  const before = [globalThis.Date, globalThis.setTimeout];
  {
    using _time = new FakeTime();
    assertThrows(() => new FakeTime(), TimeError, "already faked");
  }
  assertStrictEquals(globalThis.Date, before[0]);
  assertStrictEquals(globalThis.setTimeout, before[1]);
});

Deno.test("FakeTime.now cannot be set into the past", () => {
  using time = new FakeTime(1000);
  time.now = 1500;
  assertEquals(Date.now(), 1500);
  assertThrows(() => time.now = 1499, RangeError, "past");
});
