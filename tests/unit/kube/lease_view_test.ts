// What a replica may do with a Lease, by what it has seen and when it saw it.

import { assertEquals } from "@std/assert";
import type { LeaseRecord } from "../../../src/kube/lease_record.ts";
import {
  computeLeaseStep,
  computeLeaseView,
  computeRivalView,
  type LeaseView,
  nothingSeen,
} from "../../../src/kube/lease_view.ts";

const me = "me";

function record(more: Partial<LeaseRecord> = {}): LeaseRecord {
  return {
    holder: "other",
    durationMs: 15_000,
    acquireTime: "a",
    renewTime: "r1",
    transitions: 0,
    uid: "u1",
    resourceVersion: "10",
    object: {},
    ...more,
  };
}

/** The looks of one replica, each at its time; what may be done after the last one. */
function after(
  ...looks: readonly (readonly [nowMs: number, found: LeaseRecord | undefined])[]
): string {
  let view: LeaseView = nothingSeen;
  let nowMs = 0;
  for (const [atMs, found] of looks) {
    nowMs = atMs;
    view = computeLeaseView(view, found, { identity: me, nowMs, durationMs: 15_000 });
  }
  return stepOf(view, nowMs);
}

function stepOf(view: LeaseView, nowMs: number): string {
  const next = computeLeaseStep(view, { identity: me, nowMs });
  return next.step === "wait" ? `wait until ${next.untilMs}` : next.step;
}

const renewed = record({ renewTime: "r2", resourceVersion: "11" });
const freed = record({ holder: "", durationMs: 1_000, renewTime: "r2", resourceVersion: "11" });

Deno.test("the first replica makes the Lease at once", () => {
  assertEquals(after([0, undefined]), "create");
  assertEquals(after([0, undefined], [1_000, undefined]), "create");
});

Deno.test("a replica that has just started waits a whole duration, whatever the times in it say", () => {
  assertEquals(after([500, record({ renewTime: "1999-01-01T00:00:00Z" })]), "wait until 15500");
});

Deno.test("what counts is when the record was seen to change for the last time", () => {
  assertEquals(after([0, record()], [14_999, record()]), "wait until 15000");
  assertEquals(after([0, record()], [15_000, record()]), "take");
  assertEquals(after([0, record()], [14_000, renewed]), "wait until 29000");
});

Deno.test("the duration is the holder's", () => {
  assertEquals(after([0, record({ durationMs: 60_000 })]), "wait until 60000");
});

Deno.test("a label on the Lease is no renewal", () => {
  assertEquals(after([0, record()], [15_000, record({ resourceVersion: "12" })]), "take");
});

Deno.test("a Lease that was given back is free at once", () => {
  assertEquals(after([0, record()], [1_000, freed]), "take");
  assertEquals(after([0, freed]), "take");
});

Deno.test("a Lease that is ours is renewed, after an answer was lost", () => {
  assertEquals(after([0, freed], [1_000, record({ holder: me, resourceVersion: "12" })]), "renew");
});

Deno.test("a Lease that vanishes or comes back otherwise is not free for a whole duration", () => {
  assertEquals(after([0, record()], [9_000, undefined]), "wait until 24000");
  assertEquals(after([0, record()], [9_000, undefined], [10_000, undefined]), "wait until 24000");
  assertEquals(after([0, record()], [9_000, undefined], [24_000, undefined]), "create");
  const anew = { ...freed, uid: "u2", resourceVersion: "20" };
  assertEquals(after([0, record()], [9_000, anew]), "wait until 24000");
  assertEquals(after([0, record()], [9_000, anew], [24_000, anew]), "take");
});

Deno.test("a Lease that goes back with the server is not free for a whole duration", () => {
  const old = { ...freed, resourceVersion: "9" };
  assertEquals(after([0, record()], [9_000, old]), "wait until 24000");
  const mine = record({ holder: me, resourceVersion: "9" });
  assertEquals(after([0, record()], [9_000, mine]), "wait until 24000");
  assertEquals(after([0, record()], [9_000, mine], [24_000, mine]), "renew");
});

Deno.test("whoever was faster may lead, seen or not", () => {
  const view = computeRivalView(nothingSeen, { nowMs: 100, durationMs: 15_000 });
  assertEquals(stepOf(view, 200), "wait until 15100");
});
