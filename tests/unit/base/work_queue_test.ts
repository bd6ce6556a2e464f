/**
 * Without these a change could be lost or worked on twice at once: an object whose status never
 * becomes right, or two writers of one object.
 */

import { assertEquals, assertRejects } from "@std/assert";
import type { Clock } from "../../../src/base/clock.ts";
import { WorkQueue } from "../../../src/base/work_queue.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

/** Runs a queue whose work waits until the test lets it go on. */
function startRun(queue: WorkQueue<string>, workers = 1) {
  const stop = new AbortController();
  const started: string[] = [];
  const release = new Map<string, () => void>();
  const run = queue.run(
    (key) => {
      started.push(key);
      return new Promise<void>((resolve) => release.set(key, resolve));
    },
    stop.signal,
    workers,
  );
  return {
    started,
    finish: (key: string) => release.get(key)?.(),
    async stop() {
      stop.abort();
      for (const finish of release.values()) finish();
      await run;
    },
  };
}

Deno.test("WorkQueue.run() hands keys out in the order of their first add", async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue<string>(clock);
  for (const key of ["b", "a", "b", "c", "a"]) queue.add(key);
  const seen: string[] = [];
  const stop = new AbortController();
  const run = queue.run((key) => {
    seen.push(key);
  }, stop.signal);
  await clock.settle();
  assertEquals(seen, ["b", "a", "c"]);
  assertEquals(queue.size, 0);
  stop.abort();
  await run;
});

Deno.test("WorkQueue.add() while a key is worked on runs it once more, not at the same time", async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue<string>(clock);
  const run = startRun(queue, 4);
  queue.add("a");
  await clock.settle();
  queue.add("a");
  queue.add("a");
  await clock.settle();
  assertEquals(run.started, ["a"]);
  assertEquals(queue.size, 1);
  run.finish("a");
  await clock.settle();
  assertEquals(run.started, ["a", "a"]);
  run.finish("a");
  await clock.settle();
  assertEquals(run.started, ["a", "a"]);
  assertEquals(queue.size, 0);
  await run.stop();
});

Deno.test("WorkQueue.run() works on as many keys at a time as it has workers", async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue<string>(clock);
  for (const key of ["a", "b", "c"]) queue.add(key);
  const run = startRun(queue, 2);
  await clock.settle();
  assertEquals(run.started, ["a", "b"]);
  run.finish("b");
  await clock.settle();
  assertEquals(run.started, ["a", "b", "c"]);
  await run.stop();
});

Deno.test("WorkQueue.add() before run() is not lost", async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue<string>(clock);
  queue.add("early");
  const run = startRun(queue);
  await clock.settle();
  assertEquals(run.started, ["early"]);
  await run.stop();
});

Deno.test("WorkQueue.addAfter() waits, the earliest time wins, and an add overtakes it", async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue<string>(clock);
  const run = startRun(queue, 4);
  queue.addAfter("late", 100);
  queue.addAfter("late", 50);
  queue.addAfter("late", 70);
  queue.addAfter("overtaken", 30);
  queue.add("overtaken");
  queue.addAfter("now", 0);
  await clock.settle();
  assertEquals(run.started, ["overtaken", "now"]);
  assertEquals(clock.pending, 1);
  await clock.advance(49);
  assertEquals(run.started, ["overtaken", "now"]);
  await clock.advance(1);
  assertEquals(run.started, ["overtaken", "now", "late"]);
  assertEquals(clock.pending, 0);
  await run.stop();
});

Deno.test("WorkQueue.run() rejects with what the work threw, after the others are done", async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue<string>(clock);
  const done: string[] = [];
  queue.add("slow");
  queue.add("broken");
  const run = queue.run(
    async (key) => {
      if (key === "broken") throw new Error("disk on fire");
      await clock.sleep(10);
      done.push(key);
    },
    new AbortController().signal,
    2,
  );
  const rejected = assertRejects(() => run, Error, "disk on fire");
  await clock.advance(10);
  await rejected;
  assertEquals(done, ["slow"]);
});

Deno.test("WorkQueue.run() ends at the signal after the current key, and keeps the rest", async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue<string>(clock);
  queue.add("a");
  queue.add("b");
  queue.addAfter("c", 10);
  const stop = new AbortController();
  const done: string[] = [];
  const run = queue.run(async (key) => {
    await clock.sleep(5);
    done.push(key);
  }, stop.signal);
  await clock.settle();
  stop.abort();
  await clock.advance(5);
  await run;
  assertEquals(done, ["a"]);
  assertEquals(queue.size, 1);
  assertEquals(clock.pending, 0);
});

Deno.test("WorkQueue.run() begins with many keys in a turn of their own", async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue<number>(clock);
  const seen: number[] = [];
  const stop = new AbortController();
  const run = queue.run((key) => void seen.push(key), stop.signal);
  await clock.settle();
  for (let key = 0; key < 10; key++) queue.add(key);
  for (let round = 0; round < 4; round++) await clock.settle();
  assertEquals([seen.length, clock.pending], [10, 0], "a few are begun with at once");
  for (let key = 100; key < 132; key++) queue.add(key);
  await clock.settle();
  assertEquals([seen.length, clock.pending], [10, 1]);
  await clock.advance(0);
  for (let round = 0; round < 4; round++) await clock.settle();
  assertEquals(seen.length, 42);
  stop.abort();
  await run;
});

Deno.test("WorkQueue.run() lets the event loop go between keys that take their time", async () => {
  const clock = new FakeClock();
  let nowMs = 0;
  const busyClock: Clock = {
    now: () => clock.now(),
    monotonicMs: () => nowMs,
    sleep: (ms, signal) => clock.sleep(ms, signal),
    after: (ms, callback) => clock.after(ms, callback),
  };
  const queue = new WorkQueue<number>(busyClock);
  for (let key = 0; key < 10; key++) queue.add(key);
  const seen: number[] = [];
  const stop = new AbortController();
  const run = queue.run((key) => {
    seen.push(key);
    nowMs += 1;
  }, stop.signal);
  await clock.settle();
  assertEquals(seen, [0, 1, 2, 3], "others have their turn after 4 ms");
  assertEquals(clock.pending, 1);
  await clock.advance(0);
  assertEquals([seen.length, clock.pending], [10, 0]);
  // Nobody was held up while it waited.
  nowMs += 1000;
  queue.add(10);
  await clock.settle();
  assertEquals(seen.length, 11);
  stop.abort();
  await run;
});
