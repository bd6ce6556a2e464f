// The gate of a replica by the time since its lease was renewed, on clocks that jump and stand still.

import { assertEquals } from "@std/assert";
import type { Clock } from "../../../src/base/clock.ts";
import { LeaseGate, momentOf } from "../../../src/kube/lease_gate.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

/** A clock whose machine slept or was set: both times jump, timers do not. */
class JumpingClock implements Clock {
  readonly inner = new FakeClock();
  wallMs = 0;
  monotonicJumpMs = 0;
  now = (): number => this.inner.now() + this.wallMs;
  monotonicMs = (): number => this.inner.monotonicMs() + this.monotonicJumpMs;
  sleep = (ms: number, signal?: AbortSignal): Promise<void> => this.inner.sleep(ms, signal);
  after = (ms: number, callback: () => void): () => void => this.inner.after(ms, callback);
}

function setUp() {
  const clock = new JumpingClock();
  const gate = new LeaseGate(clock);
  const told: boolean[] = [];
  gate.onChange(() => told.push(gate.isLeader()));
  return { clock, gate, told };
}

Deno.test("the gate is open from a renewal's start for its span, and tells of both ends", async () => {
  const { clock, gate, told } = setUp();
  assertEquals([gate.isLeader(), gate.remainingMs()], [false, 0]);
  const at = momentOf(clock);
  await clock.inner.advance(400);
  gate.open(at, 10_000);
  assertEquals([gate.isLeader(), gate.remainingMs(), told], [true, 9_600, [true]]);
  await clock.inner.advance(5_000);
  gate.open(momentOf(clock), 10_000);
  await clock.inner.advance(9_999);
  assertEquals([gate.remainingMs(), told], [1, [true]]);
  await clock.inner.advance(1);
  assertEquals([gate.remainingMs(), told], [0, [true, false]]);
  assertEquals(clock.inner.pending, 0);
});

Deno.test("a process that wakes up finds the gate shut before any timer ran", async () => {
  const { clock, gate, told } = setUp();
  gate.open(momentOf(clock), 10_000);
  clock.monotonicJumpMs = 60_000;
  assertEquals([gate.isLeader(), gate.remainingMs(), told], [false, 0, [true]]);
  await clock.inner.advance(0);
  assertEquals(told, [true, false]);
});

Deno.test("a machine that slept shuts the gate by its wall clock", () => {
  const { clock, gate } = setUp();
  gate.open(momentOf(clock), 10_000);
  clock.wallMs = 3_000;
  assertEquals(gate.remainingMs(), 7_000);
  clock.wallMs = 10_000;
  assertEquals(gate.isLeader(), false);
  clock.wallMs = 0;
  assertEquals(gate.isLeader(), false, "once shut it stays shut");
});

Deno.test("a wall clock that is set back gives no more time", async () => {
  const { clock, gate } = setUp();
  gate.open(momentOf(clock), 10_000);
  clock.wallMs = -1_000_000;
  await clock.inner.advance(9_000);
  assertEquals(gate.remainingMs(), 1_000);
  await clock.inner.advance(1_000);
  assertEquals(gate.isLeader(), false);
});

Deno.test("an answer that comes after its time opens nothing", async () => {
  const { clock, gate, told } = setUp();
  const at = momentOf(clock);
  await clock.inner.advance(10_000);
  assertEquals([gate.open(at, 10_000), gate.isLeader(), told], [false, false, []]);
});

Deno.test("who was held up while nobody had noticed is told when it opens again", async () => {
  const { clock, gate, told } = setUp();
  gate.open(momentOf(clock), 10_000);
  clock.monotonicJumpMs = 60_000;
  // A writer asks, and keeps its key for the next change.
  assertEquals(gate.isLeader(), false);
  gate.open(momentOf(clock), 10_000);
  assertEquals(told, [true, true]);
  await clock.inner.advance(0);
  assertEquals(told, [true, true]);
});

Deno.test("who does not listen any more is not told", () => {
  const { clock, gate, told } = setUp();
  const more: string[] = [];
  const end = gate.onChange(() => more.push("told"));
  gate.open(momentOf(clock), 10_000);
  end();
  gate.shut();
  gate.shut();
  assertEquals([told, more, clock.inner.pending], [[true, false], ["told"], 0]);
});
