/**
 * What a feed makes of what its source tells: a source is a list and a watch of a cluster, which lags,
 * starts over and repeats itself. What is missed here is missed by everything behind it.
 */

import { assertEquals, assertRejects } from "@std/assert";
import { Feed, type ObjectHandler, type ObjectSource } from "../../../src/gateway/feed.ts";
import { keyOfInput } from "../../../src/gateway/inputs.ts";
import type { Kind } from "../../../src/kube/kinds.ts";
import type { KubeObject } from "../../../src/kube/object.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";
import { object, service } from "../../fakes/gateway_objects.ts";

/** A feed whose source the test plays, and what came of it, in order. */
class Played {
  readonly calls: string[] = [];
  readonly handlers = new Map<Kind, ObjectHandler>();
  readonly feed: Feed;
  readonly #abort = new AbortController();
  readonly #running: Promise<void>;
  readonly clock = new FakeClock();

  constructor(kinds: readonly Kind[]) {
    const source: ObjectSource = {
      get: () => undefined,
      follow: (kind, handler, signal) => {
        this.handlers.set(kind, handler);
        return new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
      },
    };
    this.feed = new Feed({
      source,
      kinds,
      clock: this.clock,
      target: {
        upsert: (kind, object) => {
          this.calls.push(`${kind} ${keyOfInput(object)} ${object.metadata.uid}`);
          return true;
        },
        delete: (kind, key) => {
          this.calls.push(`no ${kind} ${key}`);
          return true;
        },
        markSynced: (kind) => {
          this.calls.push(`all ${kind}s`);
        },
      },
    });
    this.#running = this.feed.run(this.#abort.signal);
  }

  of(kind: Kind): ObjectHandler {
    const handler = this.handlers.get(kind);
    if (!handler) throw new Error(`${kind} must be followed`);
    return handler;
  }

  /** What was called since the last time. */
  take(): readonly string[] {
    return this.calls.splice(0);
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
  }
}

Deno.test("Feed follows every kind that it is given, and says of each when its list is in", async () => {
  const played = new Played(["Service", "Secret"]);
  assertEquals([...played.handlers.keys()], ["Service", "Secret"]);
  played.of("Service").snapshot([service("a", {}, { uid: "1" })]);
  assertEquals(played.take(), ["Service default/a 1", "all Services"], "objects, then the word");
  played.of("Secret").snapshot([]);
  assertEquals(played.take(), ["all Secrets"]);
  await played.stop();
});

Deno.test("Feed passes a version on once, and its successor of the same version too", async () => {
  const played = new Played(["Service"]);
  const services = played.of("Service");
  services.upsert(service("a", {}, { uid: "1", resourceVersion: "5" }));
  services.upsert(service("a", {}, { uid: "1", resourceVersion: "5" }));
  assertEquals(played.take(), ["Service default/a 1"]);
  // Versions are opaque: a cluster that was restored from a backup may give one out again.
  services.upsert(service("a", {}, { uid: "2", resourceVersion: "5" }));
  assertEquals(played.take(), ["Service default/a 2"]);
  await played.stop();
});

Deno.test("Feed takes an object back that an older list lacked", async () => {
  const played = new Played(["Service"]);
  const services = played.of("Service");
  const known = service("a", {}, { uid: "1", resourceVersion: "5" });
  services.snapshot([known]);
  services.snapshot([]);
  services.snapshot([known]);
  assertEquals(played.take(), [
    "Service default/a 1",
    "all Services",
    "no Service default/a",
    "all Services",
    "Service default/a 1",
    "all Services",
  ]);
  services.delete(known);
  services.delete(known);
  assertEquals(played.take(), ["no Service default/a"], "and forgets it when it is gone");
  await played.stop();
});

Deno.test("Feed ends everything when a kind cannot be followed any more", async () => {
  const feed = new Feed({
    source: {
      get: () => undefined,
      follow: (kind, _, signal) =>
        kind === "Secret"
          ? Promise.reject(new Error("forbidden"))
          : new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
    },
    kinds: ["Service", "Secret"],
    clock: new FakeClock(),
    target: { upsert: () => false, delete: () => false, markSynced: () => {} },
  });
  await assertRejects(() => feed.run(new AbortController().signal), Error, "forbidden");
});

Deno.test("Feed does not take a list of what it cannot read for no list at all", async () => {
  const played = new Played(["Service"]);
  played.of("Service").snapshot([object("v1", "Service", "a", {}, { spec: { ports: "none" } })]);
  assertEquals(played.take(), ["all Services"], "one broken object must not hold the gate");
  assertEquals(played.feed.problems().map(({ key }) => `${key}`), ["default/a"]);
  await played.stop();
});

/** More than are passed on at once. */
function manyServices(count: number, uid: string): readonly KubeObject[] {
  return Array.from(
    { length: count },
    (_, i) => service(`s${String(i).padStart(4, "0")}`, {}, { uid, resourceVersion: uid }),
  );
}

Deno.test("Feed passes a large list on later, says then that it is in, and keeps the order", async () => {
  const played = new Played(["Service", "Secret"]);
  const services = played.of("Service");
  services.snapshot(manyServices(300, "1"));
  services.upsert(service("s0007", {}, { uid: "1", resourceVersion: "2" }));
  services.delete(service("s0008", {}, { uid: "1" }));
  services.upsert(service("new", {}, { uid: "1" }));
  assertEquals(played.take(), [], "nothing of it holds up whoever tells");
  played.of("Secret").snapshot([]);
  assertEquals(played.take(), ["all Secrets"], "nor other kinds");
  await played.clock.advance(0);
  const calls = played.take();
  assertEquals(calls.length, 300 - 1 + 1 + 1);
  assertEquals(calls.slice(-3), [
    "Service default/s0007 1",
    "Service default/new 1",
    "all Services",
  ]);
  assertEquals(calls.filter((call) => call.includes("s0008")), [], "it never was, for the target");
  services.upsert(service("s0009", {}, { uid: "1", resourceVersion: "3" }));
  assertEquals(played.take(), ["Service default/s0009 1"], "small changes come at once again");
  await played.stop();
});

Deno.test("Feed takes a newer list in the place of a large one that is under way", async () => {
  for (const count of [2, 200]) {
    const played = new Played(["Service"]);
    const services = played.of("Service");
    services.snapshot(manyServices(300, "1"));
    services.snapshot(manyServices(count, "2"));
    await played.clock.advance(0);
    const calls = played.take();
    assertEquals(calls.length, count + 1, "nothing of the first one is told");
    assertEquals(calls.at(-1), "all Services");
    await played.stop();
  }
});

Deno.test("Feed deletes what a large list does not have any more", async () => {
  const played = new Played(["Service"]);
  const services = played.of("Service");
  services.snapshot([service("gone", {}, { uid: "1" })]);
  played.take();
  services.snapshot(manyServices(300, "2"));
  await played.clock.advance(0);
  assertEquals(played.take()[0], "no Service default/gone");
  await played.stop();
});

Deno.test("Feed that is stopped leaves the rest of a large list where it is", async () => {
  const played = new Played(["Service"]);
  played.of("Service").snapshot(manyServices(300, "1"));
  await played.stop();
  assertEquals(played.take(), []);
});
