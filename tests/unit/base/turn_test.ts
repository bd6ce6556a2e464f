/** A loop that never lets go stalls every request; one that lets go at each step takes for ever. */

import { assertEquals } from "@std/assert";
import { Turn } from "../../../src/base/turn.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

Deno.test("Turn.isOver() after so many milliseconds of steps, and not for who has waited", async () => {
  const clock = new FakeClock();
  const turn = new Turn(clock, 4);
  const seen: boolean[] = [];
  for (let step = 0; step < 6; step++) {
    seen.push(turn.isOver());
    await clock.advance(1);
  }
  assertEquals(seen, [false, false, false, false, true, true]);
  await clock.advance(100);
  assertEquals(turn.isOver(), false);
});

Deno.test("Turn.letGo() begins a new turn, and ends when the signal aborts", async () => {
  const clock = new FakeClock();
  const turn = new Turn(clock, 4);
  for (let step = 0; step < 5; step++) {
    turn.isOver();
    await clock.advance(1);
  }
  assertEquals(turn.isOver(), true);
  const signal = new AbortController().signal;
  const letGo = turn.letGo(signal);
  await clock.advance(0);
  await letGo;
  assertEquals(turn.isOver(), false);
  await turn.letGo(AbortSignal.abort());
});
