/** What a user would lose: time limits, or the speed that one timer for all of them gives. */

import { assertEquals } from "@std/assert";
import { CoarseTimer, NOT_TIMED, type Timed } from "../../../src/proxy/coarse_timer.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

/** A member that counts its checks and does something at each. */
class Member implements Timed {
  timerSlot: number = NOT_TIMED;
  checks = 0;
  readonly #onCheck: () => void;

  constructor(onCheck: () => void = () => {}) {
    this.#onCheck = onCheck;
  }

  check(): void {
    this.checks++;
    this.#onCheck();
  }
}

Deno.test("CoarseTimer checks its members once a period, with one timer for all", async () => {
  const clock = new FakeClock();
  const timer = new CoarseTimer(clock, 50);
  const members = [new Member(), new Member(), new Member()];
  assertEquals(clock.pending, 0, "nothing to do, no timer");
  for (const member of members) timer.add(member);
  timer.add(members[0] ?? new Member());
  assertEquals(clock.pending, 1);
  await clock.advance(100);
  assertEquals(members.map(({ checks }) => checks), [2, 2, 2]);
  for (const member of members) timer.delete(member);
  await clock.advance(100);
  assertEquals(members.map(({ checks }) => checks), [2, 2, 2]);
  assertEquals(clock.pending, 0, "the timer has gone with the last member");
});

Deno.test("CoarseTimer lets members leave and join while they are checked", async () => {
  const clock = new FakeClock();
  const timer = new CoarseTimer(clock, 50);
  const joining = new Member();
  const leaving: Member = new Member(() => {
    timer.delete(leaving);
    timer.delete(leaving);
    timer.add(joining);
  });
  const [first, last] = [new Member(), new Member()];
  for (const member of [first, leaving, last]) timer.add(member);
  await clock.advance(50);
  assertEquals([first.checks, leaving.checks, last.checks, joining.checks], [1, 1, 1, 0]);
  await clock.advance(50);
  assertEquals([first.checks, leaving.checks, last.checks, joining.checks], [2, 1, 2, 1]);
  assertEquals(timer.size, 3);
});

Deno.test("CoarseTimer.clear() forgets all and stops", async () => {
  const clock = new FakeClock();
  const timer = new CoarseTimer(clock, 50);
  const member = new Member();
  timer.add(member);
  timer.clear();
  assertEquals([clock.pending, member.timerSlot], [0, NOT_TIMED]);
  await clock.advance(100);
  assertEquals(member.checks, 0);
});
