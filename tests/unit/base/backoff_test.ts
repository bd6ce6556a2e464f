// What a user would lose: restarts that come soon after a first failure and never become a storm.

import { assertEquals } from "@std/assert";
import { Backoff } from "../../../src/base/backoff.ts";

Deno.test("Backoff.next() doubles up to the maximum and starts again after reset()", () => {
  const backoff = new Backoff({ initialMs: 100, maxMs: 1000, jitter: 0 }, () => 0.9);
  const waits = Array.from({ length: 6 }, () => backoff.next());
  assertEquals(waits, [100, 200, 400, 800, 1000, 1000]);
  assertEquals(backoff.failureCount, 6);
  backoff.reset();
  assertEquals(backoff.failureCount, 0);
  assertEquals(backoff.next(), 100);
});

Deno.test("Backoff.next() is only shortened by chance, by at most the share of jitter", () => {
  const randoms = [0, 0.5, 0.998];
  const backoff = new Backoff(
    { initialMs: 1000, maxMs: 1000, jitter: 0.5 },
    () => randoms.shift() ?? 0,
  );
  assertEquals([backoff.next(), backoff.next(), backoff.next()], [1000, 750, 501]);
});

Deno.test("Backoff.next() stays at the maximum after any number of failures", () => {
  const backoff = new Backoff({ initialMs: 1, maxMs: 5, jitter: 0, factor: 10 }, () => 0);
  for (let count = 0; count < 5000; count++) backoff.next();
  assertEquals(backoff.next(), 5);
});
