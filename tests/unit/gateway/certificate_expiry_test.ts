// What a user would lose: the weeks in which a certificate can still be renewed, and the trust that a
// warning means that a renewal failed.

import { assertEquals } from "@std/assert";
import {
  expiryStageAt,
  expiryTimesOf,
  nextStageMs,
} from "../../../src/gateway/certificate_expiry.ts";

const day = 24 * 60 * 60 * 1000;
const start = Date.parse("2026-01-01T00:00:00Z");
const lasting = (days: number) => ({
  notBefore: "2026-01-01T00:00:00Z",
  notAfter: new Date(start + days * day).toISOString(),
});

const cases: readonly (readonly [lifeDays: number, warningDays: number, warnsAtDay: number])[] = [
  [365, 30, 335],
  // Renewed at two thirds of its life, which is 30 days before its end.
  [90, 30, 67.5],
  [6, 30, 4.5],
  [365, 0, 365],
];

for (const [lifeDays, warningDays, warnsAtDay] of cases) {
  Deno.test(`expiryTimesOf() warns of ${lifeDays} days with ${warningDays} at day ${warnsAtDay}`, () => {
    const times = expiryTimesOf(lasting(lifeDays), warningDays);
    const warnsMs = start + warnsAtDay * day;
    const endMs = start + lifeDays * day;
    assertEquals(times, { expiringMs: warnsMs, expiredMs: endMs });
    const isWarned = warnsMs < endMs;
    assertEquals(
      [warnsMs - 1, warnsMs, endMs - 1, endMs].map((at) => expiryStageAt(times, at)),
      ["fine", isWarned ? "expiring" : "expired", isWarned ? "expiring" : "fine", "expired"],
    );
    assertEquals(
      [warnsMs - 1, warnsMs, endMs].map((at) => nextStageMs(times, at)),
      [warnsMs, isWarned ? endMs : Infinity, Infinity],
    );
  });
}

Deno.test("expiryTimesOf() never warns of dates that cannot be read", () => {
  const times = expiryTimesOf({ notBefore: "", notAfter: "" }, 30);
  assertEquals(expiryStageAt(times, Number.MAX_VALUE), "fine");
  assertEquals(nextStageMs(times, 0), Infinity);
});

Deno.test("expiryTimesOf() takes a life that ends before it begins as none", () => {
  const times = expiryTimesOf({ ...lasting(1), notBefore: "2027-01-01T00:00:00Z" }, 30);
  assertEquals(times.expiringMs, times.expiredMs);
});
