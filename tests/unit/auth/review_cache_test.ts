/**
 * What an operator would lose: a flood of tokens would fill the memory, ask the API server once for
 * each, or push out those who are known; and a right that was taken away would live on.
 */

import { assertEquals } from "@std/assert";
import {
  ReviewCache,
  type ReviewLimits,
  type ReviewResult,
} from "../../../src/auth/review_cache.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

const limits: ReviewLimits = {
  entriesMax: 3,
  yesMs: 1_000,
  noMs: 200,
  failureMs: 50,
  perSecond: 10,
  burst: 100,
};

const yes: ReviewResult<string> = { outcome: "yes", value: "jane" };
const no: ReviewResult<string> = { outcome: "no" };
const failed: ReviewResult<string> = { outcome: "failed", reason: "ReviewUnavailable" };

class World {
  readonly clock = new FakeClock();
  readonly outcomes: string[] = [];
  readonly cache: ReviewCache<string>;
  asked: string[] = [];
  answer: (key: string) => ReviewResult<string> = () => yes;

  constructor(more: Partial<ReviewLimits> = {}) {
    this.cache = new ReviewCache(
      this.clock,
      { ...limits, ...more },
      (outcome) => this.outcomes.push(outcome),
    );
  }

  async get(key: string): Promise<string> {
    const { outcome } = await this.cache.get(key, () => {
      this.asked.push(key);
      return Promise.resolve(this.answer(key));
    });
    return outcome;
  }
}

Deno.test("each answer holds for its own time", async () => {
  for (const [answer, ms] of [[yes, 1_000], [no, 200], [failed, 50]] as const) {
    const world = new World();
    world.answer = () => answer;
    assertEquals(await world.get("a"), answer.outcome);
    await world.clock.advance(ms - 1);
    assertEquals(await world.get("a"), answer.outcome);
    assertEquals(world.asked.length, 1, answer.outcome);
    await world.clock.advance(1);
    assertEquals(await world.get("a"), answer.outcome);
    assertEquals(world.asked.length, 2, answer.outcome);
  }
});

Deno.test("who asks during a review gets its answer", async () => {
  const world = new World();
  const review = Promise.withResolvers<ReviewResult<string>>();
  let asked = 0;
  const ask = () => {
    asked++;
    return review.promise;
  };
  const all = Array.from({ length: 20 }, () => world.cache.get("a", ask));
  review.resolve(yes);
  assertEquals(await Promise.all(all), Array.from({ length: 20 }, () => yes));
  assertEquals(asked, 1);
});

Deno.test("a review that throws, at once or later, has failed", async () => {
  const world = new World();
  const later = await world.cache.get("a", () => Promise.reject(new Error("no")));
  const atOnce = await world.cache.get("b", () => {
    throw new Error("no");
  });
  assertEquals([later.outcome, atOnce.outcome], ["failed", "failed"]);
  await world.clock.advance(50);
  assertEquals(await world.get("a"), "yes");
});

Deno.test("a yes that becomes a no is a no at once, and the other way round", async () => {
  const world = new World();
  assertEquals(await world.get("a"), "yes");
  await world.clock.advance(1_000);
  world.answer = () => no;
  assertEquals(await world.get("a"), "no");
  await world.clock.advance(100);
  assertEquals(await world.get("a"), "no");
  world.answer = () => yes;
  await world.clock.advance(100);
  assertEquals(await world.get("a"), "yes");
  assertEquals(world.cache.size, 1);
});

Deno.test("a yes that has ended is none while it cannot be renewed", async () => {
  const world = new World();
  await world.get("a");
  await world.clock.advance(1_000);
  world.answer = () => failed;
  assertEquals(await world.get("a"), "failed");
  await world.clock.advance(49);
  assertEquals(await world.get("a"), "failed");
  assertEquals(world.asked.length, 2);
});

Deno.test("those whom nobody knows push out nobody who is known", async () => {
  const world = new World();
  await world.get("known");
  world.answer = () => no;
  for (let index = 0; index < 50; index++) await world.get(`random ${index}`);
  assertEquals(world.cache.size, 1 + limits.entriesMax);
  world.asked = [];
  assertEquals(await world.get("known"), "yes");
  assertEquals(world.asked, []);
});

Deno.test("the oldest goes where there are too many", async () => {
  const world = new World();
  for (const key of ["a", "b", "c", "d"]) await world.get(key);
  world.asked = [];
  for (const key of ["b", "c", "d", "a"]) await world.get(key);
  assertEquals(world.asked, ["a"]);
});

Deno.test("reviews beyond the budget are limited, come back with time, and count", async () => {
  const world = new World({ burst: 2 });
  world.answer = () => no;
  const answers = [await world.get("a"), await world.get("b"), await world.get("c")];
  assertEquals(answers, ["no", "no", "limited"]);
  await world.clock.advance(99);
  assertEquals(await world.get("c"), "limited");
  await world.clock.advance(1);
  assertEquals(await world.get("c"), "no");
  assertEquals(world.outcomes, ["no", "no", "limited", "limited", "no"]);
});

Deno.test("who was in is renewed during a flood", async () => {
  const world = new World({ burst: 1, perSecond: 0.001 });
  assertEquals(await world.get("known"), "yes");
  await world.clock.advance(1_000);
  assertEquals(await world.get("random"), "limited");
  assertEquals(await world.get("known"), "yes");
  assertEquals(world.asked, ["known", "known"]);
});
