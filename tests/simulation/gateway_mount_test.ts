/**
 * The engine as the process runs it, on a clock that the test moves: when it begins, when it is ready,
 * and that its flags reach it. A flag that is lost on the way, or a gate that opens early, shows in no
 * test of the parts.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { AssumedDataPlane } from "../../src/app/assumed_data_plane.ts";
import { type GatewayMount, mountGateway } from "../../src/app/gateway_mount.ts";
import { localClusterWorld } from "../../src/app/manifests_world.ts";
import { MetricsRegistry } from "../../src/base/metrics.ts";
import type { Config } from "../../src/config/flags.ts";
import { decodeSettings } from "../../src/config/decode_settings.ts";
import { flags } from "../../src/config/flags.ts";
import type { DataPlane } from "../../src/dataplane/data_plane.ts";
import type { DataPlaneConfig } from "../../src/dataplane/model.ts";
import { MemoryCluster } from "../../src/localkube/store.ts";
import { FakeClock } from "../fakes/fake_clock.ts";
import { gateway, gatewayClass, httpRoute, rule, service } from "../fakes/gateway_objects.ts";
import { kindOf, toKey } from "../fakes/gateway_world.ts";
import { RecordingLog } from "../fakes/recording_log.ts";
import { openAdmission } from "../fakes/open_admission.ts";

const { settings: config } = decodeSettings(flags, []);

/** A mount on a cluster with a Gateway and a route. */
class World {
  readonly clock = new FakeClock();
  readonly registry = new MetricsRegistry();
  readonly log = new RecordingLog();
  readonly cluster: MemoryCluster;
  readonly mount: GatewayMount;
  readonly #loaded = Promise.withResolvers<void>();
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  commits = 0;

  constructor(
    settings: Partial<Config> = {},
    dataPlane: DataPlane = new AssumedDataPlane("none"),
  ) {
    const { clock, registry } = this;
    let count = 0;
    const newUid = () => `uid-${++count}`;
    this.cluster = new MemoryCluster({ admission: openAdmission, clock, newUid });
    this.put(gatewayClass(), gateway("gw"), service("web"), httpRoute("r"));
    this.mount = mountGateway({
      config: { ...config, ...settings },
      world: { ...localClusterWorld(this.cluster, this.clock), loaded: this.#loaded.promise },
      dataPlane,
      registry,
      clock,
      log: this.log,
      random: () => 0.5,
    });
    this.mount.engine.state.onCommit(() => void this.commits++);
    this.#running = this.mount.subsystem.run(this.#stop.signal);
  }

  put(...objects: readonly ReturnType<typeof gateway>[]): void {
    for (const object of objects) {
      const { name, namespace } = object.metadata;
      const metadata = namespace === undefined ? { name } : { name, namespace };
      assert(this.cluster.apply(kindOf(object), { ...object, metadata }).ok);
    }
  }

  async load(): Promise<void> {
    this.#loaded.resolve();
    await this.clock.advance(100);
  }

  get readiness() {
    return this.mount.subsystem.ready();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("The test ends"));
    await this.#running;
  }
}

Deno.test("The engine publishes nothing, serves nothing and is not ready before the files are read", async () => {
  const applied: DataPlaneConfig[] = [];
  const assumed = new AssumedDataPlane("none");
  await using world = new World({}, {
    name: "none",
    apply: (config) => {
      applied.push(config);
      return assumed.apply(config);
    },
  });
  await world.clock.advance(1000);
  assertEquals([world.commits, applied.length, world.readiness.ready], [0, 0, false]);
  assertStringIncludes(world.readiness.reason, "waiting for GatewayClass, Gateway,");
  await world.load();
  assertEquals(world.readiness.ready, true);
  assertEquals(applied[0]?.gateways.size, 1, "its first configuration is the whole one");
});

Deno.test("The engine is not ready while the data plane has yet to take its first configuration", async () => {
  const goOn = Promise.withResolvers<void>();
  const assumed = new AssumedDataPlane("none");
  await using world = new World({}, {
    name: "none",
    apply: async (config) => {
      await goOn.promise;
      return await assumed.apply(config);
    },
  });
  await world.load();
  assertEquals(world.mount.engine.state.hasPublished, true);
  assertEquals(world.readiness, {
    ready: false,
    reason: "waiting for the data plane's first configuration",
  });
  goOn.resolve();
  await world.clock.advance(100);
  assertEquals(world.readiness.ready, true);
});

Deno.test("The times of --recompute-quiet and --recompute-max reach the engine", async () => {
  await using world = new World({ recomputeQuietMs: 10, recomputeMaxMs: 30 });
  await world.load();
  await world.clock.advance(1000);
  const { commits } = world;
  world.put(httpRoute("r", { rules: [rule("/quiet")] }));
  await world.clock.advance(9);
  assertEquals(world.commits, commits);
  await world.clock.advance(1);
  assertEquals(world.commits, commits + 1);
  await world.clock.advance(1000);
  const later = world.commits;
  for (let ms = 0; ms < 30; ms += 5) {
    assertEquals(world.commits, later, `${ms} ms after the first change`);
    world.put(httpRoute("r", { rules: [rule(`/${ms}`)] }));
    await world.clock.advance(5);
  }
  assertEquals(world.commits, later + 1, "although there was never a quiet time");
});

/** How many samples of check mode had this result. */
function sampled({ registry }: World, result: string): number {
  const wanted = `weir_check_samples_total{result="${result}"}`;
  const line = registry.render().split("\n").find((text) => text.startsWith(wanted));
  return Number(line?.split(" ").at(-1) ?? 0);
}

for (const checkIncremental of [true, false]) {
  const times = checkIncremental ? "after each recompute" : "never";
  Deno.test(`Outputs are sampled ${times} with --check-incremental=${checkIncremental}`, async () => {
    await using world = new World({ checkIncremental });
    await world.load();
    assertEquals(sampled(world, "same") > 0, checkIncremental);
    const zero = 'weir_check_samples_total{result="different"} 0\n';
    assertStringIncludes(world.registry.render(), zero, "an alert has to see it grow from 0 to 1");
  });
}

Deno.test("A difference that a sample finds is logged as an error with its place, and counted", async () => {
  await using world = new World({ checkIncremental: true });
  await world.load();
  // A fault of the program: somebody changes an object that the engine holds.
  const held = world.mount.engine.state.inputs.get("HTTPRoute", toKey("default/r"));
  assert(held);
  Object.assign(held.spec, { hostnames: ["spoilt.example"] });
  world.put(httpRoute("other", { rules: [rule("/other")] }));
  await world.clock.advance(100);
  const errors = world.log.records.filter(({ level }) => level === "error");
  assertEquals(errors.map(({ message }) => message), [
    "Outputs differ from a computation from scratch, all is computed anew",
  ]);
  assertStringIncludes(`${errors[0]?.fields.path}`, "default/r");
  assertEquals(sampled(world, "different"), 1);
});
