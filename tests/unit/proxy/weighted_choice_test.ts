/** What a user would lose: a canary that gets more or less than its share. */

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { weightedChoice } from "../../../src/proxy/weighted_choice.ts";

function count(weights: readonly number[], random: number, rounds: number): number[] {
  const choice = weightedChoice(weights, () => random);
  const counts = weights.map(() => 0);
  for (let round = 0; round < rounds; round++) {
    const index = choice.next();
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts;
}

Deno.test("weightedChoice() is exact over a whole round, wherever it starts", () => {
  fc.assert(fc.property(
    fc.array(fc.nat(20), { minLength: 1, maxLength: 8 }),
    fc.double({ min: 0, max: 0.999, noNaN: true }),
    (weights, random) => {
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      fc.pre(total > 0);
      assertEquals(count(weights, random, total * 3), weights.map((weight) => weight * 3));
    },
  ));
});

Deno.test("weightedChoice() spreads a share out instead of sending it in one go", () => {
  const choice = weightedChoice([1, 1, 4], () => 0);
  assertEquals(Array.from({ length: 6 }, () => choice.next()), [2, 0, 2, 1, 2, 2]);
});

Deno.test("weightedChoice() does not always start with the first", () => {
  const starts = new Set(
    [0, 0.25, 0.5, 0.75].map((random) => weightedChoice([1, 1, 1, 1], () => random).next()),
  );
  assertEquals(starts.size, 4);
});

Deno.test("weightedChoice() never chooses what has no weight", () => {
  assertEquals(weightedChoice([], () => 0).next(), -1);
  assertEquals(weightedChoice([0, 0], () => 0).next(), -1);
  assertEquals(count([0, 3, 0], 0, 10), [0, 10, 0]);
});
