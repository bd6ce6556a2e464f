// What a user would lose: a process that ends cleanly and in time, in the right order, and non-zero
// with the reason when its core fails.

import { assert, assertEquals, assertRejects } from "@std/assert";
import { SubsystemRunner, type SubsystemRunnerOptions } from "../../../src/app/run_all.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";
import { RecordingLog } from "../../fakes/recording_log.ts";
import { type Script, scriptedSubsystem } from "../../fakes/scripted_subsystem.ts";

/** A runner of `a`, `b` and `c` by their scripts, and what happens to them. */
function runnerOf(
  scripts: { readonly a?: Script; readonly b?: Script; readonly c?: Script } = {},
  options: Partial<SubsystemRunnerOptions> = {},
) {
  const clock = new FakeClock();
  const log = new RecordingLog();
  const story: string[] = [];
  const stop = new AbortController();
  const runner = new SubsystemRunner({
    clock,
    log,
    random: () => 0,
    drainTimeoutMs: 10_000,
    ...options,
  });
  const subsystems = (["a", "b", "c"] as const)
    .map((name) => scriptedSubsystem(name, story, scripts[name]));
  const outcome = runner.run(subsystems, stop.signal);
  return { clock, log, story, stop, runner, outcome };
}

const never = () => new Promise<void>(() => {});
const fails = (message: string) => () => Promise.reject(new Error(message));

Deno.test("SubsystemRunner.run() starts in order, stops in reverse and ends well", async () => {
  const { clock, story, stop, outcome } = runnerOf();
  await clock.settle();
  assertEquals(story, ["a start", "b start", "c start"]);
  stop.abort();
  assertEquals(await outcome, { ok: true });
  assertEquals(story.slice(3), ["c stop", "b stop", "a stop"]);
  assertEquals(clock.pending, 0);
});

Deno.test("SubsystemRunner.run() starts nothing when it is told to stop before", async () => {
  const clock = new FakeClock();
  const story: string[] = [];
  const runner = new SubsystemRunner({
    clock,
    log: new RecordingLog(),
    random: () => 0,
    drainTimeoutMs: 0,
  });
  const aborted = AbortSignal.abort();
  assertEquals(await runner.run([scriptedSubsystem("a", story)], aborted), { ok: true });
  assertEquals(story, []);
});

Deno.test("SubsystemRunner.run() awaits the stop of one before it stops the one before", async () => {
  const end = Promise.withResolvers<void>();
  const { clock, story, stop, outcome } = runnerOf({ c: { runs: [() => end.promise] } });
  stop.abort();
  await clock.settle();
  assertEquals(story, ["a start", "b start", "c start"]);
  end.resolve();
  await outcome;
  assertEquals(story.slice(3), ["c stop", "b stop", "a stop"]);
});

Deno.test("SubsystemRunner.run() drains everything at once before anything stops", async () => {
  const drained = Promise.withResolvers<void>();
  const drain = () => drained.promise;
  const { clock, story, stop, outcome } = runnerOf({ a: { drain }, c: { drain } });
  stop.abort();
  await clock.advance(9000);
  assertEquals(story.slice(3), ["c drain", "a drain"]);
  drained.resolve();
  assertEquals(await outcome, { ok: true });
  assertEquals(story.slice(5), ["c stop", "b stop", "a stop"]);
});

Deno.test("SubsystemRunner.run() cuts a drain that takes too long, and still ends well", async () => {
  let cut = false;
  const drain = (signal: AbortSignal) => {
    signal.addEventListener("abort", () => cut = true);
    return never();
  };
  const { clock, log, story, stop, outcome } = runnerOf({ b: { drain } });
  stop.abort();
  await clock.advance(9999);
  assertEquals([cut, story.includes("c stop")], [false, false]);
  await clock.advance(1);
  assertEquals(await outcome, { ok: true });
  assertEquals(cut, true);
  assertEquals(log.records.map(({ level, message }) => `${level} ${message}`), [
    "warn Draining took too long, what is in flight is cut",
  ]);
});

Deno.test("SubsystemRunner.run() goes on stopping when a drain fails", async () => {
  const { log, story, stop, outcome } = runnerOf({ b: { drain: fails("no") } });
  stop.abort();
  assertEquals(await outcome, { ok: true });
  assertEquals(story.slice(-3), ["c stop", "b stop", "a stop"]);
  assertEquals(log.records.length, 1);
});

Deno.test("SubsystemRunner.run() ends everything when a core subsystem fails, with the reason", async () => {
  const failing = Promise.withResolvers<void>();
  const drain = () => Promise.resolve();
  const { clock, log, story, outcome } = runnerOf({
    a: { drain },
    b: { runs: [() => failing.promise] },
  });
  await clock.settle();
  failing.reject(new Error("the disk is gone"));
  const result = await outcome;
  assert(!result.ok);
  assertEquals(result.failure.subsystem, "b");
  assertEquals(result.failure.message, 'Subsystem "b" failed: the disk is gone');
  // Requests in flight are finished also then.
  assertEquals(story.slice(3), ["a drain", "c stop", "a stop"]);
  const errors = log.records.filter(({ level }) => level === "error");
  assertEquals(errors.map(({ fields }) => fields.subsystem), ["b"]);
});

Deno.test("SubsystemRunner.run() takes an early return for a failure", async () => {
  const { outcome } = runnerOf({ b: { runs: [() => Promise.resolve()] } });
  const result = await outcome;
  assert(!result.ok);
  assertEquals(
    result.failure.message,
    'Subsystem "b" failed: it returned before it was told to stop',
  );
});

Deno.test("SubsystemRunner.run() reports the first of several failures", async () => {
  const { outcome } = runnerOf({ a: { runs: [fails("first")] }, c: { runs: [fails("second")] } });
  const result = await outcome;
  assert(!result.ok);
  assertEquals(result.failure.subsystem, "a");
});

Deno.test("SubsystemRunner.run() leaves behind what does not stop, names it and fails", async () => {
  const { clock, log, story, stop, outcome } = runnerOf({ b: { runs: [never] } }, {
    stopTimeoutMs: 500,
  });
  stop.abort();
  await clock.advance(499);
  assertEquals(story.includes("a stop"), false);
  await clock.advance(1);
  const result = await outcome;
  assert(!result.ok);
  assertEquals(result.failure.message, 'Subsystem "b" failed: it did not stop within 500 ms');
  assertEquals(story.slice(3), ["c stop", "a stop"]);
  assertEquals(log.records.at(-1)?.level, "error");
});

Deno.test("SubsystemRunner.readiness() is ready only while it runs and everything is ready", async () => {
  let isReady = false;
  const ready = () => ({ ready: isReady, reason: isReady ? "serving" : "reading the files" });
  const clock = new FakeClock();
  const runner = new SubsystemRunner({
    clock,
    log: new RecordingLog(),
    random: () => 0,
    drainTimeoutMs: 1000,
    off: ["metrics"],
  });
  const off = { name: "metrics", state: "off", reason: "is switched off" } as const;
  assertEquals(runner.readiness(), {
    status: "failed",
    checks: [{ name: "process", state: "failed", reason: "is starting" }, off],
  });
  const stop = new AbortController();
  const slow = scriptedSubsystem("a", [], { ready, drain: never });
  const outcome = runner.run([slow, scriptedSubsystem("b", [])], stop.signal);
  assertEquals(runner.readiness(), {
    status: "failed",
    checks: [
      { name: "a", state: "failed", reason: "reading the files" },
      { name: "b", state: "ok", reason: "works" },
      off,
    ],
  });
  isReady = true;
  assertEquals(runner.readiness().status, "ok");
  stop.abort();
  await clock.settle();
  assertEquals(runner.readiness().checks[0], {
    name: "process",
    state: "failed",
    reason: "is stopping",
  });
  await clock.advance(1000);
  await outcome;
});

Deno.test("SubsystemRunner.untilReady() resolves once everything is ready, or rejects with the abort", async () => {
  let isReady = false;
  const ready = () => ({ ready: isReady, reason: "" });
  const { clock, runner, stop, outcome } = runnerOf({ a: { ready } });
  let isResolved = false;
  const waiting = runner.untilReady(stop.signal).then(() => isResolved = true);
  await clock.advance(100);
  assertEquals(isResolved, false);
  isReady = true;
  await clock.advance(10);
  assertEquals(isResolved, true);
  await waiting;
  isReady = false;
  const second = runner.untilReady(stop.signal);
  stop.abort(new Error("stopped"));
  await assertRejects(() => second, Error, "stopped");
  await outcome;
});
