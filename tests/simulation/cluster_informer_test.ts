// Faults in any order and at any moment: at rest the view of a consumer is the state of the server,
// and the way there took few lists. A seed that fails is printed.

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Kind } from "../../src/kube/kinds.ts";
import { objectKey } from "../../src/kube/object.ts";
import { type DoubleReply, refusal } from "../fakes/double_reply.ts";
import { DoubleStream } from "../fakes/double_stream.ts";
import { FollowedCluster, versionsOf } from "../fakes/followed_cluster.ts";

const followedKinds: readonly Kind[] = ["HTTPRoute", "Gateway", "Secret"];
const names = ["a", "b", "c", "d", "e"];

/** One step of a run. Time passes after each. */
type Step =
  | { readonly type: "put" | "remove" | "recreate"; readonly kind: Kind; readonly name: string }
  | { readonly type: "cut" | "end" | "silent" | "garbage" | "half"; readonly kind: Kind }
  | { readonly type: "compact" | "bookmark" | "toggleStreaming" | "toggleExpiry" | "back" | "save" }
  | { readonly type: "toggleRight" | "toggleServed"; readonly kind: Kind }
  | { readonly type: "replies"; readonly replies: readonly number[] }
  | { readonly type: "time"; readonly ms: number };

const kind = fc.constantFrom(...followedKinds);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constantFrom("put" as const, "remove" as const, "recreate" as const),
      kind,
      name: fc.constantFrom(...names),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom(
        "cut" as const,
        "end" as const,
        "silent" as const,
        "garbage" as const,
        "half" as const,
      ),
      kind,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom(
        "compact" as const,
        "bookmark" as const,
        "toggleStreaming" as const,
        "toggleExpiry" as const,
        "back" as const,
        "save" as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constantFrom("toggleRight" as const, "toggleServed" as const),
      kind,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("replies" as const),
      replies: fc.array(fc.nat(6), { maxLength: 6 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("time" as const),
      ms: fc.constantFrom(0, 10, 900, 5_000, 40_000, 200_000),
    }),
  },
);

/** The bad answers, by number. */
function badReply(number: number): DoubleReply {
  const garbled = new DoubleStream();
  garbled.sendText("garbage\n");
  const replies: readonly DoubleReply[] = [
    { type: "reset" },
    { type: "hang" },
    refusal(429, "TooManyRequests", { retryAfter: 3 }),
    refusal(503, "ServiceUnavailable"),
    refusal(504, "Timeout", { causes: [{ reason: "ResourceVersionTooLarge" }] }),
    refusal(401, "Unauthorized"),
    { type: "stream", stream: garbled },
  ];
  return replies[number] ?? { type: "reset" };
}

/** What the steps of one run share. */
class Run {
  readonly cluster: FollowedCluster;
  readonly views = new Map<Kind, ReturnType<FollowedCluster["follow"]>>();
  #restore: (() => void) | undefined;
  #replies: DoubleReply[] = [];
  /** Steps after which reading everything again may be right. */
  reasonCount = 0;

  constructor(seed: number) {
    let state = seed >>> 0;
    const random = (): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    this.cluster = new FollowedCluster({ limits: { pageObjects: 2 } }, random);
    this.cluster.double.intercept = () => this.#replies.shift();
    for (const name of followedKinds) this.views.set(name, this.cluster.follow(name));
  }

  async take(step: Step): Promise<void> {
    const { double, clock } = this.cluster;
    if (step.type === "time") await clock.advance(step.ms);
    else if ("name" in step) this.#edit(step);
    else if ("replies" in step) {
      this.#replies = step.replies.map(badReply);
      this.reasonCount += step.replies.length;
    } else if ("kind" in step) this.#disturb(step);
    else if (step.type === "compact") double.compact();
    else if (step.type === "bookmark") double.bookmark();
    else if (step.type === "toggleStreaming") double.canStream = !double.canStream;
    else if (step.type === "toggleExpiry") double.expiresByCode = !double.expiresByCode;
    else if (step.type === "save") this.#restore = double.save();
    else await this.#goBack();
    await clock.settle();
    if (step.type !== "time" && step.type !== "bookmark" && !("name" in step)) this.reasonCount++;
  }

  /**
   * Readers notice a state that went back when they reconnect. One that is kept away until the new
   * history is longer than the old one cannot tell them apart by any means of the API.
   */
  async #goBack(): Promise<void> {
    const { double, clock } = this.cluster;
    if (this.#restore === undefined) return;
    this.#restore();
    this.#restore = undefined;
    this.#replies = [];
    double.forbidden.clear();
    await clock.advance(90_000);
  }

  #edit({ type, kind, name }: Extract<Step, { readonly name: string }>): void {
    const { double } = this.cluster;
    if (!double.served.has(kind)) return;
    if (type !== "put") double.remove(kind, objectKey("default", name));
    if (type !== "remove") double.put(kind, name);
  }

  #disturb({ type, kind }: Extract<Step, { readonly kind: Kind }>): void {
    const { double } = this.cluster;
    if (type === "toggleRight") {
      if (!double.forbidden.delete(kind)) double.forbidden.add(kind);
    } else if (type === "toggleServed") {
      if (double.served.has(kind)) double.unserve(kind);
      else double.serve(kind);
    }
    for (const stream of double.streams(kind)) {
      if (type === "cut" || type === "toggleRight") stream.cut();
      if (type === "end") stream.end();
      if (type === "silent") stream.fallSilent();
      if (type === "garbage") stream.sendText("{]\n");
      if (type === "half") {
        stream.sendText('{"type":"ADD');
        stream.end();
      }
    }
  }

  /** Minutes, as a server passes them: with a bookmark for every watch in each. */
  async pass(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute++) {
      await this.cluster.clock.advance(60_000);
      this.cluster.double.bookmark();
      await this.cluster.clock.settle();
    }
  }

  /** Heals everything and lets time pass; then the view has to be the state. */
  async rest(): Promise<void> {
    const { double } = this.cluster;
    this.#replies = [];
    double.forbidden.clear();
    for (const name of followedKinds) double.serve(name);
    await this.pass(8);
    for (const [name, view] of this.views) {
      const { phase } = this.cluster.source.states().get(name) ?? {};
      assertEquals(phase, "live", `${name} is ${phase}`);
      assertEquals(versionsOf(view.objects), versionsOf(double.objects(name)), name);
      for (const [key, object] of view.objects) {
        assertEquals(this.cluster.source.get(name, key), object);
      }
    }
  }
}

Deno.test("After any faults the view is the state of the server, with few lists", async () => {
  let listCount = 0;
  let stepCount = 0;
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 1, maxLength: 60 }),
    fc.nat(),
    async (steps, seed) => {
      const run = new Run(seed);
      for (const each of steps) await run.take(each);
      await run.rest();
      const lists = run.cluster.count("list", "stream");
      listCount += lists;
      stepCount += steps.length;
      const limit = 3 * followedKinds.length + 4 * run.reasonCount;
      assert(lists <= limit, `${lists} lists, ${run.reasonCount} reasons`);
      // Rest is rest: a quiet hour costs no list and no storm of requests.
      const before = run.cluster.double.seen.length;
      await run.pass(60);
      assertEquals(run.cluster.count("list", "stream"), lists);
      const requests = run.cluster.double.seen.length - before;
      assert(requests < 60, `${requests} requests in an hour of rest`);
      await run.cluster.stop();
      assertEquals(run.cluster.clock.pending, 0, "timers are left");
    },
  );
  const argument = (name: string): number | undefined => {
    const found = Deno.args.find((text) => text.startsWith(`--${name}=`));
    return found === undefined ? undefined : Number(found.split("=")[1]);
  };
  const seed = argument("seed");
  const details = await fc.check(property, {
    numRuns: argument("runs") ?? 150,
    ...seed === undefined ? {} : { seed },
  });
  // deno-lint-ignore no-console -- the seed is how a failure elsewhere is played again
  console.log(`informer: --seed=${details.seed}, ${stepCount} steps, ${listCount} lists`);
  const { errorInstance } = details;
  const cause = errorInstance instanceof Error ? `\n${errorInstance.stack}` : "";
  assert(!details.failed, `${fc.defaultReportMessage(details)}${cause}`);
});
