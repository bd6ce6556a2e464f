/** Without these `delay` could differ from the package that it stands in for. */

import { assertEquals, assertRejects } from "@std/assert";
import { delay } from "@std/async";
import { FakeTime } from "@std/testing/time";

Deno.test("delay() resolves after its time and leaves no listener behind", async () => {
  using time = new FakeTime();
  const stop = new AbortController();
  let isDone = false;
  const done = delay(100, { signal: stop.signal }).then(() => {
    isDone = true;
  });
  await time.tickAsync(99);
  assertEquals(isDone, false);
  await time.tickAsync(1);
  await done;
  assertEquals(isDone, true);
  stop.abort();
});

Deno.test("delay() rejects with the reason of a signal, aborted before or during it", async () => {
  using time = new FakeTime();
  const reason = new Error("changed my mind");
  await assertRejects(() => delay(100, { signal: AbortSignal.abort(reason) }), Error, "changed my");
  const stop = new AbortController();
  const waiting = delay(100, { signal: stop.signal });
  time.tick(50);
  stop.abort(reason);
  await assertRejects(() => waiting, Error, "changed my mind");
});
