/**
 * What an operator would lose: callers that nobody reviewed, rights of one caller for another, and a
 * door that opens when the API server is down.
 */

import { assertEquals } from "@std/assert";
import type { AccessAction, AccessVerdict, Caller } from "../../../src/auth/access.ts";
import { defaultReviewLimits, ReviewedAccess } from "../../../src/auth/reviewed_access.ts";
import type { ReviewResult } from "../../../src/auth/review_cache.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

const metrics: AccessAction = { verb: "get", path: "/metrics" };

function callerOf(name: string, groups: readonly string[] = []): Caller {
  return { name, groups, extra: {} };
}

class World {
  readonly clock = new FakeClock();
  readonly asked: string[] = [];
  callers = new Map([["t1", callerOf("prometheus")], ["t2", callerOf("jane")]]);
  rights = new Set(["prometheus get /metrics"]);
  failure: ReviewResult<never> | undefined;
  readonly access = new ReviewedAccess({
    clock: this.clock,
    authenticator: {
      authenticate: (token) => {
        this.asked.push(`token ${token}`);
        const value = this.callers.get(token);
        return Promise.resolve(
          this.failure ?? (value ? { outcome: "yes", value } : { outcome: "no" }),
        );
      },
    },
    authorizer: {
      authorize: ({ name }, { verb, path }) => {
        this.asked.push(`access ${name} ${verb} ${path}`);
        const isAllowed = this.rights.has(`${name} ${verb} ${path}`);
        return Promise.resolve(
          this.failure ?? (isAllowed ? { outcome: "yes", value: true } : { outcome: "no" }),
        );
      },
    },
  });

  async check(token: string, action = metrics): Promise<string> {
    const verdict = await this.access.check([`Bearer ${token}`], action);
    return wordsOf(verdict);
  }
}

function wordsOf(verdict: AccessVerdict): string {
  return verdict.allowed ? verdict.caller.name : `${verdict.status} ${verdict.reason}`;
}

Deno.test("a token is reviewed, then the right; both hold for a while", async () => {
  const world = new World();
  assertEquals(await world.check("t1"), "prometheus");
  assertEquals(await world.check("t1"), "prometheus");
  assertEquals(world.asked, ["token t1", "access prometheus get /metrics"]);
});

Deno.test("a right is one caller's, for one verb and one path", async () => {
  const world = new World();
  assertEquals(await world.check("t1"), "prometheus");
  assertEquals(await world.check("t2"), "403 AccessDenied");
  assertEquals(await world.check("t1", { ...metrics, verb: "post" }), "403 AccessDenied");
  assertEquals(await world.check("t1", { ...metrics, path: "/metrics/" }), "403 AccessDenied");
});

Deno.test("callers of one name and other groups are told apart", async () => {
  const world = new World();
  await world.check("t1");
  world.callers.set("t3", callerOf("prometheus", ["x"]));
  world.rights.clear();
  assertEquals(await world.check("t3"), "403 AccessDenied");
});

Deno.test("no token, and one that nobody knows, are 401 and ask nobody in vain", async () => {
  const world = new World();
  assertEquals(wordsOf(await world.access.check([], metrics)), "401 TokenMissing");
  assertEquals(world.asked, []);
  assertEquals(await world.check("stranger"), "401 TokenUnknown");
  assertEquals(await world.check("stranger"), "401 TokenUnknown");
  assertEquals(world.asked, ["token stranger"]);
});

Deno.test("what cannot be reviewed is refused, also who was let in before", async () => {
  for (const reason of ["ReviewUnavailable", "ReviewForbidden"] as const) {
    const world = new World();
    assertEquals(await world.check("t1"), "prometheus");
    world.failure = { outcome: "failed", reason };
    assertEquals(await world.check("t2"), `503 ${reason}`);
    await world.clock.advance(defaultReviewLimits.token.yesMs);
    assertEquals(await world.check("t1"), `503 ${reason}`);
    world.failure = undefined;
    await world.clock.advance(defaultReviewLimits.token.failureMs);
    assertEquals(await world.check("t1"), "prometheus");
  }
});

Deno.test("a token and a right that were taken away are refused when the yes has ended", async () => {
  for (const take of [(w: World) => w.callers.clear(), (w: World) => w.rights.clear()]) {
    const world = new World();
    await world.check("t1");
    take(world);
    await world.clock.advance(defaultReviewLimits.token.yesMs);
    assertEquals((await world.check("t1")).slice(0, 2), "40");
  }
});

Deno.test("a flood of tokens is 429, and who is known goes on", async () => {
  const world = new World();
  assertEquals(await world.check("t1"), "prometheus");
  const answers = new Set<string>();
  for (let index = 0; index < 200; index++) answers.add(await world.check(`random${index}`));
  assertEquals([...answers], ["401 TokenUnknown", "429 TooManyReviews"]);
  assertEquals(world.asked.length, 1 + defaultReviewLimits.token.burst);
  assertEquals(await world.check("t1"), "prometheus");
});

Deno.test("a refusal holds no token, and no line break of a name", async () => {
  const world = new World();
  world.callers.set("t4", callerOf(`a\n${"b".repeat(500)}`));
  const verdicts = [
    await world.access.check(["Bearer t4"], metrics),
    await world.access.check(["Bearer secretsecret"], metrics),
  ];
  for (const verdict of verdicts) {
    const text = JSON.stringify(verdict);
    assertEquals(/secretsecret|\n/.test(text) || text.length > 600, false, text);
  }
});
