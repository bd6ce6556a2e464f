// The status writers on the local cluster, with the engine behind them: what another controller and
// a user see when they share an object with weir. A fault here is a stale entry that a deployment
// tool waits on for ever, or another controller's entry that is gone.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { AssumedDataPlane } from "../../src/app/assumed_data_plane.ts";
import { mountGateway } from "../../src/app/gateway_mount.ts";
import { localClusterWorld } from "../../src/app/manifests_world.ts";
import { noLog } from "../../src/base/log.ts";
import { MetricsRegistry } from "../../src/base/metrics.ts";
import { flags } from "../../src/config/flags.ts";
import { decodeSettings } from "../../src/config/decode_settings.ts";
import type { State } from "../../src/gateway/state.ts";
import { asList, isRecord } from "../../src/kube/json_value.ts";
import type { Kind } from "../../src/kube/kinds.ts";
import { type KubeObject, objectKey } from "../../src/kube/object.ts";
import { SchemaAdmission } from "../../src/localkube/admission/schema_admission.ts";
import { MemoryCluster } from "../../src/localkube/store.ts";
import type { ObjectInput } from "../../src/localkube/store_contract.ts";
import { FakeClock } from "../fakes/fake_clock.ts";

const { settings: config } = decodeSettings(flags, []);
const ours = "weir.dev/gateway-controller";
const apiVersion = "gateway.networking.k8s.io/v1";
const web = objectKey("default", "web");
const app = objectKey("default", "app");

function gatewayClass(): ObjectInput {
  return {
    apiVersion,
    kind: "GatewayClass",
    metadata: { name: "weir" },
    spec: { controllerName: ours },
  };
}

function gateway(port = 80): ObjectInput {
  return {
    apiVersion,
    kind: "Gateway",
    metadata: { name: "web", namespace: "default" },
    spec: { gatewayClassName: "weir", listeners: [{ name: "http", port, protocol: "HTTP" }] },
  };
}

function route(parents: readonly string[], path = "/"): ObjectInput {
  return {
    apiVersion,
    kind: "HTTPRoute",
    metadata: { name: "app", namespace: "default" },
    spec: {
      parentRefs: parents.map((name) => ({ name })),
      rules: [{ matches: [{ path: { value: path } }] }],
    },
  };
}

function newCluster(): MemoryCluster {
  let count = 0;
  return new MemoryCluster({
    admission: new SchemaAdmission(),
    clock: new FakeClock(),
    newUid: () => `uid-${++count}`,
  });
}

/** A cluster with the engine on it, and time that the test moves. */
class World {
  readonly clock = new FakeClock();
  readonly cluster: MemoryCluster;
  readonly state: State;
  /** Recomputes that were published. */
  commits = 0;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(cluster = newCluster(), settings: Partial<typeof config> = {}) {
    const { clock } = this;
    this.cluster = cluster;
    const { subsystem, engine } = mountGateway({
      config: { ...config, ...settings },
      world: localClusterWorld(cluster, clock),
      dataPlane: new AssumedDataPlane("none"),
      registry: new MetricsRegistry(),
      clock,
      log: noLog,
      random: () => 0.5,
    });
    this.state = engine.state;
    this.state.onCommit(() => void this.commits++);
    this.#running = subsystem.run(this.#stop.signal);
  }

  /** Applies `inputs` and lets everything come to rest. */
  async apply(...inputs: readonly (readonly [Kind, ObjectInput])[]): Promise<void> {
    for (const [kind, input] of inputs) {
      const result = this.cluster.apply(kind, input);
      assert(result.ok, result.ok ? "" : result.error.message);
    }
    await this.clock.advance(1000);
  }

  get(kind: Kind, key: ReturnType<typeof objectKey>): KubeObject {
    const object = this.cluster.get(kind, key);
    assert(object, `${kind} ${key} is not there`);
    return object;
  }

  /** Controller names of the route's parents, in their order. */
  get controllers(): unknown[] {
    const { status } = this.get("HTTPRoute", app);
    return asList(isRecord(status) ? status.parents : undefined)
      .map((entry) => isRecord(entry) ? entry.controllerName : undefined);
  }

  /** The conditions of the Gateway, as `Type=Status/Reason`. */
  get conditions(): string[] {
    const { status } = this.get("Gateway", web);
    return asList(isRecord(status) ? status.conditions : undefined).filter(isRecord)
      .map(({ type, status, reason }) => `${type}=${status}/${reason}`);
  }

  /** Adds a condition of somebody else to the Gateway's status. */
  writeForeignCondition(): void {
    const live = this.get("Gateway", web);
    const stored = isRecord(live.status) ? live.status : {};
    const condition = {
      type: "example.com/Audited",
      status: "True",
      reason: "Audited",
      message: "",
      lastTransitionTime: "2025-01-01T00:00:00Z",
    };
    const status = { ...stored, conditions: [...asList(stored.conditions), condition] };
    const result = this.cluster.updateStatus("Gateway", {
      ...live,
      metadata: { ...live.metadata },
      status,
    });
    assert(result.ok, result.ok ? "" : result.error.message);
  }

  /** Appends the entry of another controller to the route's status, as that controller would. */
  writeForeignEntry(): void {
    const live = this.get("HTTPRoute", app);
    const parents = asList(isRecord(live.status) ? live.status.parents : undefined);
    const condition = {
      type: "Accepted",
      status: "True",
      reason: "Accepted",
      message: "",
      observedGeneration: 1,
      lastTransitionTime: "2025-01-01T00:00:00Z",
    };
    const entry = {
      parentRef: { name: "theirs" },
      controllerName: "example.com/other",
      conditions: [condition],
    };
    const status = { parents: [entry, ...parents] };
    const result = this.cluster.updateStatus("HTTPRoute", {
      ...live,
      metadata: { ...live.metadata },
      status,
    });
    assert(result.ok, result.ok ? "" : result.error.message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("The test ends"));
    await this.#running;
  }
}

Deno.test("status writers replace the CRD's placeholder and leave the generation alone", async () => {
  await using world = new World();
  await world.apply(["GatewayClass", gatewayClass()], ["Gateway", gateway()]);
  const { status, metadata } = world.get("Gateway", web);
  assert(!JSON.stringify(status).includes("Waiting for controller"));
  assert(!JSON.stringify(status).includes("1970"));
  assertEquals(metadata.generation, 1);
});

Deno.test("status writers take back our entry when a route leaves our Gateway", async () => {
  await using world = new World();
  await world.apply(
    ["GatewayClass", gatewayClass()],
    ["Gateway", gateway()],
    ["HTTPRoute", route(["web"])],
  );
  assertEquals(world.controllers, [ours]);
  world.writeForeignEntry();
  await world.apply(["HTTPRoute", route(["elsewhere"])]);
  assertEquals(world.controllers, ["example.com/other"]);
});

Deno.test("status writers take back our entries when the class is no longer ours", async () => {
  await using world = new World();
  await world.apply(
    ["GatewayClass", gatewayClass()],
    ["Gateway", gateway()],
    ["HTTPRoute", route(["web"])],
  );
  world.cluster.delete("GatewayClass", objectKey(undefined, "weir"));
  await world.clock.advance(1000);
  assertEquals(world.controllers, []);
});

Deno.test("status writers do not rewrite a status for an entry of another controller", async () => {
  await using world = new World();
  await world.apply(
    ["GatewayClass", gatewayClass()],
    ["Gateway", gateway()],
    ["HTTPRoute", route(["web"])],
  );
  world.writeForeignEntry();
  const before = world.get("HTTPRoute", app).metadata.resourceVersion;
  await world.clock.advance(60_000);
  assertEquals(world.get("HTTPRoute", app).metadata.resourceVersion, before);
  assertEquals(world.controllers, ["example.com/other", ours]);
  // The next write of ours puts ours first and keeps the other as it was.
  await world.apply(["HTTPRoute", route(["web"], "/changed")]);
  assertEquals(world.controllers, [ours, "example.com/other"]);
});

Deno.test("status writers keep the time of a condition over a change of the spec", async () => {
  await using world = new World();
  await world.apply(["GatewayClass", gatewayClass()], ["Gateway", gateway()]);
  const times = (): unknown =>
    JSON.stringify(world.get("Gateway", web).status).match(/"lastTransitionTime":"[^"]+"/g);
  const before = times();
  await world.clock.advance(3_600_000);
  await world.apply(["Gateway", gateway(8080)]);
  assertEquals(times(), before);
  const { status } = world.get("Gateway", web);
  const generations = JSON.stringify(status).match(/"observedGeneration":\d+/g);
  assertEquals(new Set(generations), new Set(['"observedGeneration":2']));
});

Deno.test("status writers write a status for the successor of a deleted object", async () => {
  await using world = new World();
  await world.apply(["GatewayClass", gatewayClass()], ["Gateway", gateway()]);
  const { uid } = world.get("Gateway", web).metadata;
  world.cluster.delete("Gateway", web);
  await world.apply(["Gateway", gateway()]);
  const { status, metadata } = world.get("Gateway", web);
  assert(metadata.uid !== uid);
  assert(!JSON.stringify(status).includes("Waiting for controller"));
});

Deno.test("status writers take back what they said of a Gateway whose class is gone", async () => {
  await using world = new World();
  await world.apply(["GatewayClass", gatewayClass()], ["Gateway", gateway()]);
  world.writeForeignCondition();
  assertStringIncludes(JSON.stringify(world.get("Gateway", web).status), "127.0.0.1");
  world.cluster.delete("GatewayClass", objectKey(undefined, "weir"));
  await world.clock.advance(1000);
  // A deployment tool that reads True here calls a Gateway healthy that nobody serves.
  const { status } = world.get("Gateway", web);
  assertEquals(world.conditions, [
    "Accepted=Unknown/Pending",
    "Programmed=Unknown/Pending",
    "example.com/Audited=True/Audited",
  ]);
  assert(!JSON.stringify(status).includes("127.0.0.1"), "traffic would be sent into nothing");
  const { resourceVersion } = world.get("Gateway", web).metadata;
  await world.clock.advance(60_000);
  assertEquals(world.get("Gateway", web).metadata.resourceVersion, resourceVersion);
  await world.apply(["GatewayClass", gatewayClass()]);
  assertStringIncludes(world.conditions.join(" "), "Programmed=True/Programmed");
});

Deno.test("status writers leave a Gateway alone that another controller's class took over", async () => {
  await using world = new World();
  const theirs = {
    ...gatewayClass(),
    metadata: { name: "theirs" },
    spec: { controllerName: "a.b/c" },
  };
  await world.apply(
    ["GatewayClass", gatewayClass()],
    ["GatewayClass", theirs],
    ["Gateway", gateway()],
  );
  const before = JSON.stringify(world.get("Gateway", web).status);
  await world.apply(["Gateway", {
    ...gateway(),
    spec: { gatewayClassName: "theirs", listeners: [{ name: "h", port: 80, protocol: "HTTP" }] },
  }]);
  assertEquals(JSON.stringify(world.get("Gateway", web).status), before);
});

Deno.test("status writers take back entries that an earlier process left behind", async () => {
  const cluster = newCluster();
  {
    await using world = new World(cluster);
    await world.apply(
      ["GatewayClass", gatewayClass()],
      ["Gateway", gateway()],
      ["HTTPRoute", route(["web"])],
    );
    world.writeForeignEntry();
  }
  // While nobody watches, the route goes elsewhere.
  assert(cluster.apply("HTTPRoute", route(["elsewhere"])).ok);
  await using world = new World(cluster);
  await world.clock.advance(1000);
  assertEquals(world.controllers, ["example.com/other"]);
});

Deno.test("status writers of an instance for one Gateway leave the entries of its siblings", async () => {
  const cluster = newCluster();
  {
    await using world = new World(cluster);
    await world.apply(
      ["GatewayClass", gatewayClass()],
      ["Gateway", gateway()],
      ["HTTPRoute", route(["web"])],
    );
  }
  const before = JSON.stringify(cluster.list("HTTPRoute").items);
  await using world = new World(cluster, { gateways: ["default/other"] });
  await world.clock.advance(1000);
  assertEquals(JSON.stringify(cluster.list("HTTPRoute").items), before);
});

Deno.test("status writers come to rest: own writes cause no recompute and no further write", async () => {
  await using world = new World();
  await world.apply(
    ["GatewayClass", gatewayClass()],
    ["Gateway", gateway()],
    ["HTTPRoute", route(["web"])],
  );
  const { revision } = world.state;
  const versions = () => world.cluster.list("HTTPRoute").resourceVersion;
  const before = versions();
  await world.clock.advance(600_000);
  assertEquals(world.state.revision, revision);
  assertEquals(versions(), before);
  // One for what was put in, one for what the data plane answered.
  assertEquals(world.commits, 2);
});

Deno.test("status writers restore what another controller overwrote, and never in a tight loop", async () => {
  await using world = new World();
  await world.apply(
    ["GatewayClass", gatewayClass()],
    ["Gateway", gateway()],
    ["HTTPRoute", route(["web"])],
  );
  /** As a controller does that takes the whole list for its own. */
  const overwrite = (): void => {
    const live = world.get("HTTPRoute", app);
    const status = { parents: [] };
    const metadata = { ...live.metadata };
    assert(world.cluster.updateStatus("HTTPRoute", { ...live, metadata, status }).ok);
  };
  overwrite();
  await world.clock.advance(10);
  assertEquals(world.controllers, [ours], "external-dns and others live on this entry");
  let restored = 0;
  for (let second = 0; second < 600; second++) {
    if (world.controllers.length > 0) {
      restored++;
      overwrite();
    }
    await world.clock.advance(1000);
  }
  assert(restored < 15, `${restored} writes in ten minutes of fighting`);
  await world.clock.advance(1_200_000);
  assertEquals(world.controllers, [ours], "once the other one rests");
});
