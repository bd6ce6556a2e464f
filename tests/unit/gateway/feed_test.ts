/**
 * What a feed makes of what its source tells: a source is a list and a watch of a cluster, which lags,
 * starts over and repeats itself. What is missed here is missed by everything behind it.
 */

import { assertEquals, assertRejects } from "@std/assert";
import { Feed, type ObjectHandler, type ObjectSource } from "../../../src/gateway/feed.ts";
import { keyOfInput } from "../../../src/gateway/inputs.ts";
import type { Kind } from "../../../src/kube/kinds.ts";
import { object, service } from "../../fakes/gateway_objects.ts";

/** A feed whose source the test plays, and what came of it, in order. */
class Played {
  readonly calls: string[] = [];
  readonly handlers = new Map<Kind, ObjectHandler>();
  readonly feed: Feed;
  readonly #abort = new AbortController();
  readonly #running: Promise<void>;

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
