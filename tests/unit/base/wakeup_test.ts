/** Without these a change could wait until the next one comes: the engine would sleep through it. */

import { assertEquals, assertRejects } from "@std/assert";
import { InvariantError } from "../../../src/base/invariant.ts";
import { Wakeup } from "../../../src/base/wakeup.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

const clock = new FakeClock();

function settledFlag(promise: Promise<void>): { isSettled: boolean } {
  const flag = { isSettled: false };
  promise.then(() => {
    flag.isSettled = true;
  });
  return flag;
}

Deno.test("Wakeup.wait() returns at once for a signal that came before it", async () => {
  const wakeup = new Wakeup();
  const { signal } = new AbortController();
  wakeup.signal();
  wakeup.signal();
  await wakeup.wait(signal);
  const second = wakeup.wait(signal);
  const flag = settledFlag(second);
  await clock.settle();
  assertEquals(flag.isSettled, false, "two signals are one wake");
  wakeup.signal();
  await second;
});

Deno.test("Wakeup.wait() returns when the abort comes first, and again at once afterwards", async () => {
  const wakeup = new Wakeup();
  const abort = new AbortController();
  const waiting = wakeup.wait(abort.signal);
  abort.abort();
  await waiting;
  await wakeup.wait(abort.signal);
});

Deno.test("Wakeup.wait() refuses a second waiter", async () => {
  const wakeup = new Wakeup();
  const { signal } = new AbortController();
  const first = wakeup.wait(signal);
  await assertRejects(() => wakeup.wait(signal), InvariantError, "one waiter");
  wakeup.signal();
  await first;
});
