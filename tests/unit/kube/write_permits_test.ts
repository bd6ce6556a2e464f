// A replica that was stopped for longer than its lease wakes up in the middle of its work, and a start
// with ten thousand statuses asks for all of them at once. Both must not reach the API server.

import { assertEquals, assertRejects } from "@std/assert";
import type { LeaderGate } from "../../../src/kube/leader_gate.ts";
import {
  unlimitedWrites,
  type WriteLimits,
  type WritePermit,
  WritePermits,
} from "../../../src/kube/write_permits.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

const never = new AbortController().signal;

function bench(limits: Partial<WriteLimits> = {}) {
  const clock = new FakeClock();
  const lease = { leftMs: Infinity };
  const gate: LeaderGate = {
    isLeader: () => lease.leftMs > 0,
    remainingMs: () => lease.leftMs,
    onChange: () => () => {},
  };
  const permits = new WritePermits(gate, clock, { ...unlimitedWrites, ...limits });
  return { clock, lease, permits };
}

Deno.test("WritePermits give a request less time than the lease has left", async () => {
  const { lease, permits } = bench();
  const permit = await permits.acquire(never);
  const left = (leftMs: number) => {
    lease.leftMs = leftMs;
    return permit.timeoutMs();
  };
  assertEquals(left(Infinity), 15_000);
  assertEquals(left(60_000), 15_000);
  assertEquals(left(5_000), 4_500);
  assertEquals(left(1_000), 500);
  // Too little for an answer: cut off in the middle it would be stored all the same.
  assertEquals(left(999), undefined);
  assertEquals(left(0), undefined);
});

Deno.test("WritePermits tell who may not write now whether to wait", () => {
  const { lease, permits } = bench();
  const held = (leftMs: number) => {
    lease.leftMs = leftMs;
    return permits.heldForMs();
  };
  assertEquals([held(Infinity), held(5_000), held(900), held(0)], [0, 0, 250, undefined]);
});

Deno.test("WritePermits let so many through at a time, in the order in which they came", async () => {
  const { clock, permits } = bench({ parallel: 2 });
  const order: number[] = [];
  const held: WritePermit[] = [];
  for (let index = 0; index < 5; index++) {
    void permits.acquire(never).then((permit) => {
      order.push(index);
      held.push(permit);
    });
  }
  await clock.settle();
  assertEquals([order, permits.waitingCount], [[0, 1], 3]);
  held[0]?.release();
  held[0]?.release();
  await clock.settle();
  assertEquals(order, [0, 1, 2], "what is given back twice is one place");
  held[1]?.release();
  held[2]?.release();
  await clock.settle();
  assertEquals(order, [0, 1, 2, 3, 4]);
  assertEquals(held.map(({ hasWaited }) => hasWaited), [false, false, true, true, true]);
});

Deno.test("WritePermits let so many through in a second, after a burst", async () => {
  const { clock, permits } = bench({ perSecond: 10, burst: 5, parallel: 100 });
  let count = 0;
  for (let index = 0; index < 40; index++) {
    void permits.acquire(never).then((permit) => {
      count++;
      permit.release();
    });
  }
  await clock.settle();
  assertEquals(count, 5);
  await clock.advance(1_000);
  assertEquals(count, 15);
  await clock.advance(2_500);
  assertEquals(count, 40, "none is lost");
});

Deno.test("WritePermits give the place of one who leaves to the next", async () => {
  const { clock, permits } = bench({ parallel: 1, perSecond: 10, burst: 1 });
  const first = await permits.acquire(never);
  const leaving = new AbortController();
  const left = permits.acquire(leaving.signal);
  const next = permits.acquire(never);
  leaving.abort(new Error("The test leaves"));
  await assertRejects(() => left, Error, "leaves");
  first.release();
  await clock.advance(1_000);
  (await next).release();
  await assertRejects(() => permits.acquire(leaving.signal), Error, "leaves");
  await clock.advance(1_000);
  (await permits.acquire(never)).release();
});

Deno.test("WritePermits remember for how long the server asked for peace", async () => {
  const { clock, permits } = bench();
  assertEquals(permits.pausedForMs(), 0);
  permits.pause(5_000);
  permits.pause(1_000);
  await clock.advance(2_000);
  assertEquals(permits.pausedForMs(), 3_000);
  await clock.advance(3_000);
  assertEquals(permits.pausedForMs(), 0);
});
