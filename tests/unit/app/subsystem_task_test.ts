// What a user would lose: a part of the process that comes back after a failure by itself, soon at first
// and not in a storm, and says meanwhile why it is not ready.

import { assert, assertEquals, assertRejects } from "@std/assert";
import { SubsystemFailure, SubsystemTask } from "../../../src/app/subsystem_task.ts";
import { Backoff } from "../../../src/base/backoff.ts";
import { InvariantError } from "../../../src/base/invariant.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";
import { RecordingLog } from "../../fakes/recording_log.ts";
import { type Script, scriptedSubsystem, untilAbort } from "../../fakes/scripted_subsystem.ts";

function taskOf(script: Script) {
  const clock = new FakeClock();
  const log = new RecordingLog();
  const story: string[] = [];
  const task = new SubsystemTask(
    scriptedSubsystem("feed", story, { onFailure: "restart", ...script }),
    {
      clock,
      log,
      backoff: new Backoff({ initialMs: 100, maxMs: 400, jitter: 0 }, () => 0),
      healthyAfterMs: 1000,
    },
  );
  const starts = () => story.filter((line) => line === "feed start").length;
  return { clock, log, task, starts };
}

const fails = () => Promise.reject(new Error("unreachable"));

Deno.test("SubsystemTask.run() starts a failed subsystem again, each time later", async () => {
  const { clock, log, task, starts } = taskOf({ runs: [fails] });
  const running = task.run();
  const counts = [];
  for (const ms of [0, 99, 1, 199, 1, 400, 400]) {
    await clock.advance(ms);
    counts.push(starts());
  }
  assertEquals(counts, [1, 1, 2, 2, 3, 4, 5]);
  task.stop();
  await running;
  assertEquals(clock.pending, 0);
  assertEquals(log.records.map(({ fields }) => fields.waitMs), [100, 200, 400, 400, 400]);
});

Deno.test("SubsystemTask.run() waits briefly again after a long healthy run", async () => {
  const clockRef: { clock?: FakeClock } = {};
  const healthy = async () => {
    await clockRef.clock?.sleep(1000);
    throw new Error("later");
  };
  const { clock, log, task } = taskOf({ runs: [fails, fails, healthy, untilAbort] });
  clockRef.clock = clock;
  const running = task.run();
  await clock.advance(100 + 200 + 1000 + 100);
  assertEquals(log.records.map(({ fields }) => fields.waitMs), [100, 200, 100]);
  task.stop();
  await running;
});

Deno.test("SubsystemTask.readiness() says why, also between a failure and the next start", async () => {
  const { clock, task } = taskOf({ runs: [fails, untilAbort] });
  assertEquals(task.readiness(), { ready: false, reason: "is not started yet" });
  const running = task.run();
  await clock.settle();
  assertEquals(task.readiness(), {
    ready: false,
    reason: "is started again soon after it failed: unreachable",
  });
  await clock.advance(100);
  assertEquals(task.readiness(), { ready: true, reason: "works" });
  task.stop();
  await running;
  assertEquals(task.readiness(), { ready: false, reason: "has ended" });
});

Deno.test("SubsystemTask.run() takes an early return for a failure", async () => {
  const { clock, log, task, starts } = taskOf({ runs: [() => Promise.resolve(), untilAbort] });
  const running = task.run();
  await clock.advance(100);
  assertEquals(starts(), 2);
  assert(log.records[0]?.fields.error instanceof Error);
  task.stop();
  await running;
});

Deno.test("SubsystemTask.run() never starts again what broke an invariant", async () => {
  const { task } = taskOf({ runs: [() => Promise.reject(new InvariantError("broken"))] });
  await assertRejects(() => task.run(), SubsystemFailure, "broken");
});

Deno.test("SubsystemTask.run() ends well when the answer to a stop is the abort itself", async () => {
  const { clock, log, task } = taskOf({
    runs: [async (signal) => {
      await untilAbort(signal);
      throw signal.reason;
    }],
  });
  const running = task.run();
  await clock.settle();
  task.stop();
  await running;
  assertEquals(log.records, []);
});

Deno.test("SubsystemTask.run() tells a failure while stopping, and ends well all the same", async () => {
  const { clock, log, task } = taskOf({
    runs: [async (signal) => {
      await untilAbort(signal);
      throw new Error("cannot close");
    }],
  });
  const running = task.run();
  await clock.settle();
  task.stop();
  await running;
  assertEquals(log.records.map(({ level, message }) => `${level} ${message}`), [
    "warn Subsystem failed while it stopped",
  ]);
});

Deno.test("SubsystemTask.drain() leaves alone what does not run", async () => {
  let drainCount = 0;
  const drain = () => {
    drainCount++;
    return Promise.resolve();
  };
  const { clock, task } = taskOf({ runs: [fails, untilAbort], drain });
  const { signal } = new AbortController();
  const running = task.run();
  await clock.settle();
  await task.drain(signal);
  assertEquals(drainCount, 0);
  await clock.advance(100);
  await task.drain(signal);
  assertEquals(drainCount, 1);
  task.stop();
  await running;
});
