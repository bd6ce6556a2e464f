/**
 * How weir's statuses fare among other writers, as a suite that runs on any API server: the double, the
 * local cluster's API, a real kube-apiserver. The writer is the product's own; what is wanted, and what
 * its cache knows, is the test's.
 */

import { assert, assertEquals } from "@std/assert";
import { ClusterStatusClient } from "../../src/kube/cluster_status_client.ts";
import type { DesiredCondition, DesiredStatus } from "../../src/kube/desired_status.ts";
import { asList, isRecord, type JsonRecord } from "../../src/kube/json_value.ts";
import type { Kind } from "../../src/kube/kinds.ts";
import { alwaysLeader } from "../../src/kube/leader_gate.ts";
import { keyOf, type KubeObject, type ObjectKey } from "../../src/kube/object.ts";
import type {
  StatusKeySink,
  StatusWriteOutcome,
  WriteConflict,
} from "../../src/kube/status_client.ts";
import { StatusWriter } from "../../src/kube/status_writer.ts";
import { unlimitedWrites, WritePermits } from "../../src/kube/write_permits.ts";
import { RecordingLog } from "../fakes/recording_log.ts";
import { desiredCondition, ourController } from "../fakes/status_objects.ts";
import { type WritingTarget, writingTest, type WrittenCluster } from "../fakes/written_cluster.ts";

const theirs = {
  type: "example.com/Theirs",
  status: "True",
  reason: "Theirs",
  message: "",
  lastTransitionTime: "2025-01-01T00:00:00Z",
};
const gatewaySpec = {
  gatewayClassName: "suite",
  listeners: [{ name: "web", port: 80, protocol: "HTTP" }],
};
const addresses = [{ type: "IPAddress", value: "192.0.2.1" }];

/** Writes in a storm. A writer lets a status that changes all the time wait after some. */
const rounds = 6;

/** Registers the suite for one server. */
export function testStatusWriting(name: string, open: () => Promise<WritingTarget>): void {
  const test = writingTest(name, open);

  test("a status is applied once, and others keep what is theirs", async (cluster) => {
    await using writer = new Writer(cluster, "Gateway");
    const live = await cluster.create("Gateway", "gw", { spec: gatewaySpec });
    await addCondition(cluster, theirs);
    await writer.want(live, gatewayBody(["Accepted", "Programmed"]));
    assertEquals(await writer.write(live), "ok");
    const { status, metadata } = await cluster.whole("Gateway", "gw");
    assertEquals(typesOf(status), ["Accepted", "Programmed", "example.com/Theirs"]);
    assertEquals(managersOf(metadata).includes("weir.dev/status Apply status"), true);
    assertEquals(await writer.write(live), "noop");
    assertEquals(
      (await cluster.get("Gateway", "gw")).metadata.resourceVersion,
      versionOf(metadata),
    );
    assertEquals(writer.conflicts, []);
  });

  test("what we no longer say goes, and a time moves only with its status", async (cluster) => {
    await using writer = new Writer(cluster, "Gateway");
    const live = await cluster.create("Gateway", "gw", { spec: gatewaySpec });
    await writer.want(live, gatewayBody(["Accepted", "Programmed", "Conflicted"], { addresses }));
    assertEquals(await writer.write(live), "ok");
    const before = await cluster.get("Gateway", "gw");
    // Times of conditions have seconds.
    for (let round = 0; round < 110; round++) await cluster.target.pass();
    await writer.want(live, gatewayBody(["Accepted"], {}, { reason: "Other" }));
    await writer.refresh(live);
    assertEquals(await writer.write(live), "ok");
    const { status } = await cluster.get("Gateway", "gw");
    // The CRD's default for a condition that nobody says any more is not ours to keep.
    assertEquals(typesOf(status).filter((type) => type !== "Programmed"), ["Accepted"]);
    assert(isRecord(status) && status.addresses === undefined);
    assertEquals(timeOf(status, "Accepted"), timeOf(before.status, "Accepted"));
  });

  test("a status that somebody else wrote whole is right after our apply", async (cluster) => {
    await using writer = new Writer(cluster, "Gateway");
    const live = await cluster.create("Gateway", "gw", { spec: gatewaySpec });
    const left = { attachedRoutes: 3, supportedKinds: [], conditions: [] };
    const own = (type: string) => ({ ...theirs, type, status: "False", observedGeneration: 1 });
    await cluster.putStatus("Gateway", "gw", {
      addresses: [{ type: "IPAddress", value: "198.51.100.1" }],
      conditions: [own("Accepted"), own("Conflicted"), theirs],
      listeners: [{ name: "left", ...left }, { name: "web", ...left }],
    });
    await writer.refresh(live);
    await writer.want(live, gatewayBody(["Accepted", "Programmed"]));
    assertEquals(await writer.write(live), "ok");
    const { status } = await cluster.get("Gateway", "gw");
    assertEquals(typesOf(status), ["Accepted", "Programmed", "example.com/Theirs"]);
    assert(isRecord(status) && status.addresses === undefined);
    const listeners = asList(status.listeners).filter(isRecord);
    assertEquals(listeners.map(({ name, attachedRoutes }) => [name, attachedRoutes]), [["web", 1]]);
    await writer.refresh(live);
    assertEquals(await writer.write(live), "noop");
  });

  test("an apply loses no race, however fast others write", async (cluster) => {
    await using writer = new Writer(cluster, "Gateway");
    const live = await cluster.create("Gateway", "gw", { spec: gatewaySpec });
    let isOver = false;
    const storm = (async () => {
      for (let round = 0; !isOver; round++) {
        await cluster.merge("Gateway", "gw", { metadata: { annotations: { a: String(round) } } });
      }
    })();
    for (let round = 0; round < rounds; round++) {
      const reason = `Round${round}`;
      // Both of the CRD's default conditions, so that there is nothing to take out.
      await writer.want(live, gatewayBody(["Accepted", "Programmed"], {}, { reason }));
      assertEquals(await writer.write(live), "ok");
    }
    isOver = true;
    await storm;
    assertEquals(writer.conflicts, []);
    const { status } = await cluster.get("Gateway", "gw");
    assertEquals(conditionOf(status, "Accepted").reason, `Round${rounds - 1}`);
  });

  test("entries of others stay, however fast both sides write", async (cluster) => {
    await using writer = new Writer(cluster, "HTTPRoute");
    const live = await cluster.create("HTTPRoute", "r", { spec: { parentRefs: [{ name: "gw" }] } });
    const other = {
      parentRef: { name: "theirs" },
      controllerName: "example.com/other",
      conditions: [{ ...theirs, type: "Accepted", observedGeneration: 1 }],
    };
    let stored = "";
    let isOver = false;
    const storm = (async () => {
      for (let round = 0; !isOver; round++) {
        const message = `Round ${round}`;
        const conditions = [{ ...other.conditions[0], message }];
        if (await addEntry(cluster, { ...other, conditions })) stored = message;
      }
    })();
    for (let round = 0; round < rounds; round++) {
      await writer.want(live, routeBody({ reason: `Round${round}` }));
      await writer.until(live, "ok");
    }
    isOver = true;
    await storm;
    const { status } = await cluster.get("HTTPRoute", "r");
    const parents = asList(isRecord(status) ? status.parents : undefined).filter(isRecord);
    assertEquals(parents.map(({ controllerName }) => controllerName), [
      ourController,
      "example.com/other",
    ]);
    assertEquals(conditionOf(parents[0], "Accepted").reason, `Round${rounds - 1}`);
    assertEquals(conditionOf(parents[1], "Accepted").message, stored);
    assert(writer.conflicts.every((reason) => reason === "stale-write"));
  });

  test("a cache that lags costs one conflict, and nobody anything", async (cluster) => {
    await using writer = new Writer(cluster, "HTTPRoute");
    const live = await cluster.create("HTTPRoute", "r", { spec: { parentRefs: [{ name: "gw" }] } });
    await cluster.merge("HTTPRoute", "r", { metadata: { annotations: { a: "b" } } });
    await writer.want(live, routeBody({}));
    assertEquals(await writer.write(live), "ok");
    assertEquals(writer.conflicts, ["stale-write"]);
    // Our own write is known before the cache shows it: the next needs no conflict.
    await writer.want(live, routeBody({ reason: "Next" }));
    assertEquals(await writer.write(live), "ok");
    assertEquals(writer.conflicts, ["stale-write"]);
    assertEquals(
      writer.cached.get(keyOf(live))?.metadata.resourceVersion,
      versionOf(live.metadata),
    );
  });

  test("what was meant for a deleted object does not stay on its successor", async (cluster) => {
    await using writer = new Writer(cluster, "Gateway");
    const first = await cluster.create("Gateway", "gw", { spec: gatewaySpec });
    await cluster.remove("Gateway", "gw");
    const second = await cluster.create("Gateway", "gw", { spec: gatewaySpec });
    // The cache still has the first, of a generation that the second is far from.
    await writer.want(first, { ...gatewayBody(["Accepted"], { addresses }), generation: 7 });
    assertEquals(await writer.write(first), "dropped-stale");
    assertEquals(writer.conflicts, ["recreated"]);
    await writer.refresh(second);
    await writer.want(second, gatewayBody(["Programmed"]));
    assertEquals(await writer.write(second), "ok");
    const { status } = await cluster.get("Gateway", "gw");
    assert(isRecord(status) && status.addresses === undefined);
    assertEquals(conditionOf(status, "Programmed").observedGeneration, 1);
    assertEquals(typesOf(status).filter((type) => type !== "Accepted"), ["Programmed"]);
  });

  test("an object that is gone is no failure", async (cluster) => {
    await using writer = new Writer(cluster, "Gateway");
    const live = await cluster.create("Gateway", "gw", { spec: gatewaySpec });
    await writer.want(live, gatewayBody(["Accepted"]));
    await cluster.remove("Gateway", "gw");
    assertEquals(await writer.write(live), "gone");
  });
}

/** The product's writer of one kind, with what it wants and what its cache has. */
class Writer implements AsyncDisposable {
  readonly cached = new Map<ObjectKey, KubeObject>();
  readonly conflicts: WriteConflict[] = [];
  readonly #outcomes: StatusWriteOutcome[] = [];
  readonly #wanted = new Map<ObjectKey, DesiredStatus>();
  readonly #stop = new AbortController();
  readonly #cluster: WrittenCluster;
  readonly #kind: Kind;
  readonly #running: Promise<void>;
  #queue: StatusKeySink | undefined;

  constructor(cluster: WrittenCluster, kind: Kind) {
    this.#cluster = cluster;
    this.#kind = kind;
    const { transport, clock } = cluster.target;
    const cache = {
      get: (_: Kind, key: ObjectKey) => this.cached.get(key),
      states: () => new Map(),
    };
    const writer = new StatusWriter({
      kind,
      controllerName: ourController,
      source: { start: (queue) => void (this.#queue = queue) },
      outputs: { desired: (_, key) => this.#wanted.get(key), revision: () => 1 },
      client: new ClusterStatusClient(transport, cache, clock),
      gate: alwaysLeader,
      permits: new WritePermits(alwaysLeader, clock, unlimitedWrites),
      metrics: {
        outcome: (_, outcome) => void this.#outcomes.push(outcome),
        conflict: (_, reason) => void this.conflicts.push(reason),
        limited: () => {},
      },
      log: new RecordingLog(),
      clock,
      random: () => 0.5,
    });
    this.#running = writer.run(this.#stop.signal);
  }

  /** From now on `body` is what is wanted of `object`, which the cache knows from here on. */
  want(
    object: KubeObject,
    { generation = 1, ...body }: DesiredStatus["body"] & { readonly generation?: number },
  ): Promise<void> {
    const key = keyOf(object);
    if (!this.cached.has(key)) this.cached.set(key, object);
    const { uid } = object.metadata;
    const common = { kind: this.#kind, key, uid, generation, revision: 1, pending: false };
    this.#wanted.set(key, { ...common, body });
    return Promise.resolve();
  }

  /** Lets the cache catch up. */
  async refresh({ metadata }: KubeObject): Promise<void> {
    const live = await this.#cluster.get(this.#kind, metadata.name);
    this.cached.set(keyOf(live), live);
  }

  /** One run of the key of `object`. */
  async write(object: KubeObject): Promise<StatusWriteOutcome | undefined> {
    const count = this.#outcomes.length;
    this.#queue?.add(keyOf(object));
    await this.#cluster.until(() => this.#outcomes.length > count);
    return this.#outcomes[count];
  }

  /** Lets the key of `object` be worked on until it ends in `outcome`. */
  async until(object: KubeObject, outcome: StatusWriteOutcome): Promise<void> {
    const count = this.#outcomes.length;
    this.#queue?.add(keyOf(object));
    await this.#cluster.until(() => this.#outcomes.slice(count).includes(outcome));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("The test is over"));
    await this.#running;
  }
}

function gatewayBody(
  types: readonly string[],
  fields: JsonRecord = {},
  more: Partial<DesiredCondition> = {},
): DesiredStatus["body"] {
  const conditions = types.map((type) => desiredCondition(type, more));
  return {
    shape: "conditions",
    conditions,
    listeners: [{ name: "web", supportedKinds: [], attachedRoutes: 1, conditions: [] }],
    fields,
  };
}

function routeBody(more: Partial<DesiredCondition>): DesiredStatus["body"] {
  return {
    shape: "parents",
    controllerName: ourController,
    parents: [{ parentRef: { name: "gw" }, conditions: [desiredCondition("Accepted", more)] }],
  };
}

/** Adds a condition as a careful controller does: at the version that it read. */
async function addCondition(cluster: WrittenCluster, condition: JsonRecord): Promise<void> {
  const { status } = await cluster.get("Gateway", "gw");
  const stored = isRecord(status) ? status : {};
  const conditions = [...asList(stored.conditions), condition];
  await cluster.putStatus("Gateway", "gw", { ...stored, conditions });
}

/**
 * Puts the other controller's entry into the route, and leaves all others as they are. False when
 * somebody else was faster.
 */
async function addEntry(cluster: WrittenCluster, entry: JsonRecord): Promise<boolean> {
  const live = await cluster.whole("HTTPRoute", "r");
  const parents = asList(isRecord(live.status) ? live.status.parents : undefined).filter(isRecord)
    .filter(({ controllerName }) => controllerName !== entry.controllerName);
  const refusal = await cluster.refused(`${cluster.path("HTTPRoute", "r")}/status`, {
    method: "PUT",
    body: { ...live, status: { parents: [...parents, entry] } },
  });
  return refusal === undefined;
}

function conditionOf(status: unknown, type: string): JsonRecord {
  const list = asList(isRecord(status) ? status.conditions : undefined).filter(isRecord);
  return list.find((condition) => condition.type === type) ?? {};
}

function timeOf(status: unknown, type: string): unknown {
  return conditionOf(status, type).lastTransitionTime;
}

function typesOf(status: unknown): readonly string[] {
  return asList(isRecord(status) ? status.conditions : undefined).filter(isRecord)
    .map(({ type }) => String(type)).sort();
}

function versionOf(metadata: unknown): unknown {
  return isRecord(metadata) ? metadata.resourceVersion : undefined;
}

function managersOf(metadata: unknown): readonly string[] {
  return asList(isRecord(metadata) ? metadata.managedFields : undefined).filter(isRecord)
    .map(({ manager, operation, subresource }) => `${manager} ${operation} ${subresource}`);
}
