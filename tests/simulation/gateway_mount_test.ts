/**
 * The engine as the process runs it, on a clock that the test moves: when it begins, when it is ready,
 * and that its flags reach it. A flag that is lost on the way, or a gate that opens early, shows in no
 * test of the parts.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { AssumedDataPlane } from "../../src/app/assumed_data_plane.ts";
import { type GatewayMount, mountGateway } from "../../src/app/gateway_mount.ts";
import { noLog } from "../../src/base/log.ts";
import { MetricsRegistry } from "../../src/base/metrics.ts";
import type { Config } from "../../src/config/flags.ts";
import { decodeSettings } from "../../src/config/decode_settings.ts";
import { flags } from "../../src/config/flags.ts";
import type { DataPlane } from "../../src/dataplane/data_plane.ts";
import type { DataPlaneConfig } from "../../src/dataplane/model.ts";
import { MemoryCluster } from "../../src/localkube/store.ts";
import { FakeClock } from "../fakes/fake_clock.ts";
import { gateway, gatewayClass, httpRoute, rule, service } from "../fakes/gateway_objects.ts";
import { kindOf } from "../fakes/gateway_world.ts";
import { openAdmission } from "../fakes/open_admission.ts";

const { settings: config } = decodeSettings(flags, []);

/** A mount on a cluster with a Gateway and a route. */
class World {
  readonly clock = new FakeClock();
  readonly registry = new MetricsRegistry();
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
      cluster: this.cluster,
      loaded: this.#loaded.promise,
      dataPlane,
      registry,
      clock,
      log: noLog,
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

for (const checkIncremental of [true, false]) {
  Deno.test(`Outputs are ${checkIncremental ? "" : "not "}sampled with --check-incremental=${checkIncremental}`, async () => {
    await using world = new World({ checkIncremental });
    await world.load();
    const lines = world.registry.render().split("\n");
    const same = lines.find((line) => line.includes(`weir_check_samples_total{result="same"}`));
    assertEquals(Number(same?.split(" ").at(-1) ?? 0) > 0, checkIncremental, same);
  });
}
