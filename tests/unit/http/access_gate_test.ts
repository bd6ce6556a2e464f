/**
 * What an operator would lose: routes that are reached without a token by another spelling of a path
 * that needs none, and streams that go on for somebody who was taken out.
 */

import { assertEquals, assertMatch } from "@std/assert";
import type { AccessAction, AccessVerdict } from "../../../src/auth/access.ts";
import { refuseToken } from "../../../src/auth/access.ts";
import { AccessGate, grantOf } from "../../../src/http/access_gate.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

const limits = { recheckMs: 1_000, undecidedMs: 3_500, endMs: 100 };

class World {
  readonly clock = new FakeClock();
  readonly asked: string[] = [];
  verdict: AccessVerdict = {
    allowed: true,
    caller: { name: "jane", groups: [], extra: {} },
  };
  isCut = false;
  #close = (): void => {};
  readonly gate = new AccessGate({
    clock: this.clock,
    limits,
    control: {
      check: (lines: readonly string[], { verb, path }: AccessAction) => {
        this.asked.push([verb, path, ...lines].join(" "));
        return Promise.resolve(this.verdict);
      },
    },
  });

  async admit(method: string, url: string, ...rawHeaders: string[]) {
    const outgoing = {
      destroyed: false,
      once: (_event: string, listener: () => void) => {
        this.#close = listener;
      },
      destroy: () => {
        this.isCut = true;
      },
    } as unknown as Parameters<AccessGate["admit"]>[1];
    return await this.gate.admit({ method, url, rawHeaders }, outgoing);
  }

  /** What came of it, in a word. */
  async word(method: string, url: string, ...rawHeaders: string[]): Promise<string> {
    const admission = await this.admit(method, url, ...rawHeaders);
    if ("refusal" in admission) return `${admission.refusal.status} ${admission.refusal.reason}`;
    return admission.grant.hasDetails ? "all" : "code";
  }

  close(): void {
    this.#close();
  }
}

const denied = refuseToken("TokenUnknown", "unknown");
const undecided: AccessVerdict = {
  allowed: false,
  status: 503,
  reason: "ReviewUnavailable",
  detail: "",
  headers: {},
};

Deno.test("probes without a token get the code, and nobody is asked", async () => {
  const world = new World();
  world.verdict = denied;
  const targets = ["/livez", "/readyz", "/readyz?verbose", "/readyz?", "http://localhost/livez"];
  for (const target of targets) {
    assertEquals(await world.word("GET", target), "code", target);
    assertEquals(await world.word("HEAD", target), "code", target);
  }
  assertEquals(world.asked, []);
});

Deno.test("a probe with a token is asked who it is", async () => {
  const world = new World();
  assertEquals(await world.word("GET", "/readyz?verbose", "authorization", "Bearer t"), "all");
  world.verdict = denied;
  assertEquals(await world.word("GET", "/readyz", "Authorization", ""), "401 TokenUnknown");
  assertEquals(world.asked, ["get /weir.dev/readyz Bearer t", "get /weir.dev/readyz "]);
});

Deno.test("nothing else passes as a probe", async () => {
  const world = new World();
  world.verdict = denied;
  for (const method of ["POST", "OPTIONS", "PUT", "DELETE", "TRACE", "get"]) {
    assertEquals(await world.word(method, "/livez"), "401 TokenUnknown", method);
  }
  for (const path of ["/livez/", "/LIVEZ", "/readyz/verbose", "/livez;x", "/", "/metrics"]) {
    assertEquals(await world.word("GET", path), "401 TokenUnknown", path);
  }
  const odd = [
    "/livez/../metrics",
    "/livez/..%2fmetrics",
    "/%6civez",
    "/metrics/%2e%2e/livez",
    "//livez",
    "/./livez",
    "/livez\\..\\metrics",
    "/livez%3f",
    "livez",
    "",
  ];
  for (const path of odd) assertEquals(await world.word("GET", path), "400 PathNotPlain", path);
});

Deno.test("the right is asked by method and path, whatever the query; HEAD is a get", async () => {
  const world = new World();
  await world.admit("HEAD", "/metrics?name[]=x&path=/livez", "AUTHORIZATION", "Bearer t");
  await world.admit("POST", "/api/v1/plan?delete=a", "authorization", "Bearer t");
  await world.admit("OPTIONS", "http://localhost:1/api/v1/state#x", "authorization", "Bearer t");
  assertEquals(world.asked, [
    "get /metrics Bearer t",
    "post /weir.dev/api/v1/plan Bearer t",
    "options /weir.dev/api/v1/state Bearer t",
  ]);
});

Deno.test("what a cluster gives to all who have a token opens nothing here", async () => {
  const world = new World();
  const paths = ["/", "/readyz", "/api/v1/state", "/openapi.json", "/metrics/", "/healthz"];
  for (const path of paths) await world.admit("GET", path, "authorization", "Bearer t");
  for (const question of world.asked) assertMatch(question, /^get \/weir\.dev\//);
});

Deno.test("every Authorization line is seen, and a value that looks like a name is none", async () => {
  const world = new World();
  await world.admit(
    "GET",
    "/metrics",
    ...["authorization", "Bearer a", "x-other", "authorization", "AuthoriZation", "Bearer b"],
    ...["proxy-authorization", "Bearer c"],
  );
  assertEquals(world.asked, ["get /metrics Bearer a Bearer b"]);
});

/** A grant that is watched. */
async function watched(world: World): Promise<AbortSignal> {
  const admission = await world.admit("GET", "/api/v1/changes", "authorization", "Bearer t");
  const ended = "grant" in admission ? admission.grant.ended : undefined;
  if (ended === undefined) throw new Error("Nothing watches it");
  return ended;
}

Deno.test("an answer that goes on ends when the caller may no more, and is cut when it does not", async () => {
  const world = new World();
  const ended = await watched(world);
  await world.clock.advance(5_000);
  assertEquals([ended.aborted, world.asked.length], [false, 6]);
  world.verdict = denied;
  await world.clock.advance(1_000);
  assertEquals([ended.aborted, world.isCut], [true, false]);
  await world.clock.advance(limits.endMs);
  assertEquals(world.isCut, true);
  assertEquals(world.clock.pending, 0);
});

Deno.test("an answer goes on while nobody can decide, for a bounded time", async () => {
  const world = new World();
  const ended = await watched(world);
  world.verdict = undecided;
  await world.clock.advance(3_000);
  assertEquals(ended.aborted, false);
  world.verdict = { allowed: true, caller: { name: "jane", groups: [], extra: {} } };
  await world.clock.advance(1_000);
  world.verdict = undecided;
  await world.clock.advance(3_000);
  assertEquals(ended.aborted, false);
  await world.clock.advance(1_000);
  assertEquals(ended.aborted, true);
});

Deno.test("an answer that is over is watched no more", async () => {
  const world = new World();
  await watched(world);
  world.close();
  await world.clock.advance(10_000);
  assertEquals([world.asked.length, world.clock.pending], [1, 0]);
});

Deno.test("an app that is called without a server trusts its caller", () => {
  assertEquals(grantOf(undefined), { hasDetails: true });
  assertEquals(grantOf({ incoming: {} }), { hasDetails: true });
  assertEquals(grantOf({ grant: { hasDetails: false } }), { hasDetails: false });
});
