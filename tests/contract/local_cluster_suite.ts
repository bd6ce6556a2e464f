/**
 * The promises of a LocalCluster, as a suite that runs on any implementation.
 *
 * Users reach these promises through kubectl and through status writers: what is broken here shows
 * up there as lost updates, watches that miss a change, or errors that no tool recognises.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { objectKey } from "../../src/kube/object.ts";
import type {
  LocalCluster,
  ObjectInput,
  StatusError,
  WatchEvent,
  WriteResult,
} from "../../src/localkube/store_contract.ts";

/** What an implementation can be asked to be built with. */
export interface ClusterSettings {
  readonly historyMax: number;
  readonly objectBytesMax: number;
  readonly objectsPerKindMax: number;
}

/** Builds an empty cluster with admission that lets everything in but `spec.forbidden`. */
export type NewCluster = (settings?: Partial<ClusterSettings>) => LocalCluster;

const aKey = objectKey("default", "a");

export function gateway(name: string, spec: unknown = {}, metadata = {}): ObjectInput {
  return {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "Gateway",
    metadata: { name, namespace: "default", ...metadata },
    spec,
  };
}

export function accepted(result: WriteResult): WriteResult & { ok: true } {
  assert(result.ok, `the write was refused: ${result.ok ? "" : result.error.message}`);
  return result;
}

export function refusal(result: { ok: true } | { ok: false; error: StatusError }): StatusError {
  assert(!result.ok, "the call was expected to be refused");
  return result.error;
}

function record(cluster: LocalCluster, from: string): WatchEvent[] {
  const events: WatchEvent[] = [];
  const watch = cluster.watch("Gateway", from, (event) => events.push(event));
  assert(watch.ok, "the watch was refused");
  return events;
}

function summary(events: readonly WatchEvent[]): string[] {
  return events.map(({ type, object }) => `${type} ${object.metadata.name}`);
}

/** Registers the suite for one implementation. */
export function testLocalCluster(name: string, newCluster: NewCluster): void {
  testIdentity(name, newCluster);
  testGeneration(name, newCluster);
  testConcurrency(name, newCluster);
  testWatch(name, newCluster);
  testLimits(name, newCluster);
}

function testIdentity(name: string, newCluster: NewCluster): void {
  Deno.test(`${name}.create() gives identity and version, and refuses a second of the name`, () => {
    const cluster = newCluster();
    const { object, changed } = accepted(cluster.create("Gateway", gateway("a")));
    assert(changed);
    assertMatch(object.metadata.uid, /./);
    assertEquals(object.metadata.generation, 1);
    assertEquals(object.metadata.resourceVersion, cluster.list("Gateway").resourceVersion);
    assertEquals(cluster.get("Gateway", aKey), object);
    assertEquals(refusal(cluster.create("Gateway", gateway("a"))), {
      code: 409,
      reason: "AlreadyExists",
      message: 'gateways.gateway.networking.k8s.io "a" already exists',
    });
  });

  Deno.test(`${name}.create() makes another object of a name that was deleted`, () => {
    const cluster = newCluster();
    const first = accepted(cluster.create("Gateway", gateway("a"))).object;
    accepted(cluster.delete("Gateway", aKey));
    const second = accepted(cluster.create("Gateway", gateway("a"))).object;
    assert(first.metadata.uid !== second.metadata.uid);
    assertEquals(second.metadata.generation, 1);
  });

  Deno.test(`${name}.update() and delete() of what is not there answer NotFound`, () => {
    const cluster = newCluster();
    const error = {
      code: 404,
      reason: "NotFound",
      message: 'gateways.gateway.networking.k8s.io "a" not found',
    };
    assertEquals(refusal(cluster.update("Gateway", gateway("a"))), error);
    assertEquals(refusal(cluster.updateStatus("Gateway", gateway("a"))), error);
    assertEquals(refusal(cluster.delete("Gateway", aKey)), error);
  });

  Deno.test(`${name} refuses what admission refuses, on every way of writing`, () => {
    const cluster = newCluster();
    const bad = gateway("a", { forbidden: true });
    const message = 'Gateway.gateway.networking.k8s.io "a" is invalid: ' +
      "spec.forbidden: Forbidden: not in this suite";
    assertEquals(refusal(cluster.create("Gateway", bad)).message, message);
    assertEquals(refusal(cluster.apply("Gateway", bad)).message, message);
    const { object } = accepted(cluster.apply("Gateway", gateway("a")));
    assertEquals(refusal(cluster.update("Gateway", bad)).message, message);
    assertEquals(cluster.get("Gateway", aKey), object);
  });

  Deno.test(`${name}.list() sorts by namespace and name and can be limited to a namespace`, () => {
    const cluster = newCluster();
    for (const [namespace, name] of [["b", "a"], ["a", "b"], ["a-b", "a"], ["a", "a"]]) {
      accepted(cluster.apply("Gateway", gateway("x", {}, { namespace, name })));
    }
    const names = (namespace?: string): string[] =>
      cluster.list("Gateway", namespace).items.map(({ metadata }) =>
        `${metadata.namespace}/${metadata.name}`
      );
    assertEquals(names(), ["a/a", "a/b", "a-b/a", "b/a"]);
    assertEquals(names("a"), ["a/a", "a/b"]);
  });
}

function testGeneration(name: string, newCluster: NewCluster): void {
  Deno.test(`${name} bumps generation for a change of the spec and of nothing else`, () => {
    const cluster = newCluster();
    const generation = (result: WriteResult): number | undefined =>
      accepted(result).object.metadata.generation;
    accepted(cluster.create("Gateway", gateway("a", { n: 1 })));
    assertEquals(
      generation(cluster.update("Gateway", gateway("a", { n: 1 }, { labels: { x: "y" } }))),
      1,
    );
    assertEquals(
      generation(cluster.updateStatus("Gateway", { ...gateway("a"), status: { s: 1 } })),
      1,
    );
    assertEquals(generation(cluster.update("Gateway", gateway("a", { n: 2 }))), 2);
    assertEquals(generation(cluster.apply("Gateway", gateway("a", { n: 3 }))), 3);
  });

  Deno.test(`${name}.update() leaves status alone, updateStatus() everything else`, () => {
    const cluster = newCluster();
    accepted(cluster.create("Gateway", { ...gateway("a", { n: 1 }), status: { sent: true } }));
    assertEquals(cluster.get("Gateway", aKey)?.status, undefined);
    accepted(cluster.updateStatus("Gateway", { ...gateway("a", { n: 9 }), status: { s: 1 } }));
    const afterStatus = cluster.get("Gateway", aKey);
    assertEquals(afterStatus?.spec, { n: 1 });
    assertEquals(afterStatus?.status, { s: 1 });
    accepted(cluster.update("Gateway", { ...gateway("a", { n: 2 }), status: { s: 2 } }));
    const afterUpdate = cluster.get("Gateway", aKey);
    assertEquals(afterUpdate?.spec, { n: 2 });
    assertEquals(afterUpdate?.status, { s: 1 });
  });

  Deno.test(`${name} keeps the version and tells nobody when a write changes nothing`, () => {
    const cluster = newCluster();
    const { object } = accepted(cluster.create("Gateway", gateway("a", { l: [{ x: 1, y: 2 }] })));
    const events = record(cluster, cluster.list("Gateway").resourceVersion);
    const same = accepted(cluster.update("Gateway", gateway("a", { l: [{ y: 2, x: 1 }] })));
    assertEquals(same.changed, false);
    assertEquals(same.object, object);
    accepted(cluster.updateStatus("Gateway", { ...gateway("a"), status: { s: 1 } }));
    const again = cluster.updateStatus("Gateway", { ...gateway("a"), status: { s: 1 } });
    assertEquals(accepted(again).changed, false);
    assertEquals(summary(events), ["MODIFIED a"]);
  });
}

function testConcurrency(name: string, newCluster: NewCluster): void {
  Deno.test(`${name} refuses a write that did not see the newest version`, () => {
    const cluster = newCluster();
    const { object } = accepted(cluster.create("Gateway", gateway("a", { n: 1 })));
    const { resourceVersion } = object.metadata;
    accepted(cluster.update("Gateway", gateway("a", { n: 2 }, { resourceVersion })));
    const error = {
      code: 409,
      reason: "Conflict",
      message: 'Operation cannot be fulfilled on gateways.gateway.networking.k8s.io "a": ' +
        "the object has been modified; please apply your changes to the latest version " +
        "and try again",
    };
    const stale = gateway("a", { n: 3 }, { resourceVersion });
    assertEquals(refusal(cluster.update("Gateway", stale)), error);
    assertEquals(refusal(cluster.updateStatus("Gateway", { ...stale, status: {} })), error);
    assertEquals(cluster.get("Gateway", aKey)?.spec, { n: 2 });
  });

  Deno.test(`${name} refuses a write that means an earlier object of the name`, () => {
    const cluster = newCluster();
    const { uid } = accepted(cluster.create("Gateway", gateway("a"))).object.metadata;
    accepted(cluster.delete("Gateway", aKey));
    accepted(cluster.create("Gateway", gateway("a")));
    const error = refusal(cluster.updateStatus("Gateway", gateway("a", {}, { uid })));
    assertEquals([error.code, error.reason], [409, "Conflict"]);
    assertMatch(error.message, /Precondition failed: UID in precondition/);
  });
}

function testWatch(name: string, newCluster: NewCluster): void {
  Deno.test(`${name}.watch() replays from a version and goes on, each change once`, () => {
    const cluster = newCluster();
    accepted(cluster.create("Gateway", gateway("a")));
    const { resourceVersion } = cluster.list("Gateway");
    accepted(cluster.update("Gateway", gateway("a", { n: 2 })));
    const events = record(cluster, resourceVersion);
    accepted(cluster.create("Gateway", gateway("b")));
    const { object } = accepted(cluster.delete("Gateway", aKey));
    assertEquals(summary(events), ["MODIFIED a", "ADDED b", "DELETED a"]);
    assertEquals(events[2]?.object, object);
    assertEquals(events[2]?.object.spec, { n: 2 });
    assertEquals(object.metadata.resourceVersion, cluster.list("Gateway").resourceVersion);
  });

  Deno.test(`${name}.watch() answers 410 when the history was cut, and works just above`, () => {
    const cluster = newCluster({ historyMax: 3 });
    for (const n of [1, 2, 3, 4, 5, 6]) accepted(cluster.apply("Gateway", gateway("a", { n })));
    const current = Number(cluster.list("Gateway").resourceVersion);
    const ignore = (): void => {};
    const error = refusal(cluster.watch("Gateway", String(current - 4), ignore));
    assertEquals([error.code, error.reason], [410, "Expired"]);
    assertEquals(error.message, `too old resource version: ${current - 4} (${current - 3})`);
    assertEquals(record(cluster, String(current - 3)).length, 3);
  });

  Deno.test(`${name}.watch() refuses a version that is not one or has not happened`, () => {
    const cluster = newCluster();
    const ignore = (): void => {};
    assertEquals(refusal(cluster.watch("Gateway", "x1", ignore)).code, 422);
    assertEquals(refusal(cluster.watch("Gateway", "99999", ignore)).reason, "Timeout");
  });

  Deno.test(`${name} delivers what a handler causes after what it was called for`, () => {
    const cluster = newCluster();
    const { resourceVersion } = cluster.list("Gateway");
    const handled: string[] = [];
    const first = cluster.watch("Gateway", resourceVersion, ({ type, object }) => {
      handled.push(`first ${type} ${object.metadata.name}`);
      if (object.metadata.name === "a") accepted(cluster.apply("Gateway", gateway("b")));
    });
    assert(first.ok);
    cluster.watch("Gateway", resourceVersion, ({ type, object }) => {
      handled.push(`second ${type} ${object.metadata.name}`);
    });
    accepted(cluster.apply("Gateway", gateway("a")));
    assertEquals(handled, ["first ADDED a", "second ADDED a", "first ADDED b", "second ADDED b"]);
    first.stop();
    first.stop();
    accepted(cluster.apply("Gateway", gateway("c")));
    assertEquals(handled.slice(4), ["second ADDED c"]);
  });

  Deno.test(`${name} tells a watcher that begins inside a delivery each change once`, () => {
    const cluster = newCluster();
    const { resourceVersion } = cluster.list("Gateway");
    const late: WatchEvent[] = [];
    cluster.watch("Gateway", resourceVersion, ({ object }) => {
      if (object.metadata.name !== "a") return;
      accepted(cluster.apply("Gateway", gateway("b")));
      assert(cluster.watch("Gateway", resourceVersion, (event) => late.push(event)).ok);
      accepted(cluster.apply("Gateway", gateway("c")));
    });
    accepted(cluster.apply("Gateway", gateway("a")));
    assertEquals(summary(late), ["ADDED a", "ADDED b", "ADDED c"]);
  });

  Deno.test(`${name} tells every watcher although a handler throws`, () => {
    const cluster = newCluster();
    const { resourceVersion } = cluster.list("Gateway");
    cluster.watch("Gateway", resourceVersion, () => {
      throw new Error("a fault of the handler");
    });
    const events = record(cluster, resourceVersion);
    let failure: unknown;
    try {
      cluster.apply("Gateway", gateway("a"));
    } catch (error) {
      failure = error;
    }
    assertEquals((failure as Error).message, "a fault of the handler");
    assertEquals(summary(events), ["ADDED a"]);
  });
}

function testLimits(name: string, newCluster: NewCluster): void {
  Deno.test(`${name} refuses an object that is too large or too deep`, () => {
    const cluster = newCluster({ objectBytesMax: 1000 });
    const error = refusal(cluster.apply("Gateway", gateway("a", { text: "x".repeat(1000) })));
    assertEquals([error.code, error.reason], [413, "RequestEntityTooLarge"]);
    assertEquals(error.message, "Request entity too large: limit is 1000");
    let deep: unknown = 1;
    for (let level = 0; level < 200; level++) deep = [deep];
    assertEquals(refusal(cluster.apply("Gateway", gateway("a", deep))).code, 413);
    accepted(cluster.apply("Gateway", gateway("a", { text: "x".repeat(500) })));
  });

  Deno.test(`${name} refuses one object more than may be, and takes it once there is room`, () => {
    const cluster = newCluster({ objectsPerKindMax: 2 });
    accepted(cluster.apply("Gateway", gateway("a")));
    accepted(cluster.apply("Gateway", gateway("b")));
    const error = refusal(cluster.apply("Gateway", gateway("c")));
    assertEquals([error.code, error.reason], [403, "Forbidden"]);
    assertMatch(error.message, /exceeded quota: weir, requested: count\/gateways\.gateway/);
    accepted(cluster.apply("Gateway", gateway("b", { changed: true })));
    accepted(cluster.delete("Gateway", aKey));
    accepted(cluster.apply("Gateway", gateway("c")));
  });
}
