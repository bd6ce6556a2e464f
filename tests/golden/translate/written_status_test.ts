// What `weir serve` writes into the cluster, for every golden case: the statuses pass the API's own
// schema, say the same as `weir translate`, are written once, and do not wake the engine again. A
// user would otherwise see a status that the API server refuses, or a controller that never rests.

import { assert, assertEquals } from "@std/assert";
import { AssumedDataPlane } from "../../../src/app/assumed_data_plane.ts";
import { mountGateway } from "../../../src/app/gateway_mount.ts";
import { localClusterWorld } from "../../../src/app/manifests_world.ts";
import { createLocalWorld } from "../../../src/app/local_world.ts";
import { noLog } from "../../../src/base/log.ts";
import { MetricsRegistry } from "../../../src/base/metrics.ts";
import { flags } from "../../../src/config/flags.ts";
import { type Outputs, statusKinds } from "../../../src/gateway/outputs.ts";
import { renderStatus } from "../../../src/kube/render_status.ts";
import type { LocalCluster } from "../../../src/localkube/store_contract.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";
import { caseNames, readInput, readSettings } from "./cases.ts";
import { desiredEntries } from "../../../src/kube/entry_list.ts";

/** Statuses as stored, without times. */
function storedStatuses(cluster: LocalCluster, outputs: Outputs): unknown {
  return statusKinds.map((kind) =>
    [...outputs.statuses[kind].keys()].map((key) => {
      const status = JSON.stringify(cluster.get(kind, key)?.status);
      return [kind, key, withoutTimes(JSON.parse(status ?? "null"))];
    })
  );
}

function wantedStatuses(outputs: Outputs): unknown {
  return statusKinds.map((kind) =>
    [...outputs.statuses[kind].values()].map((desired) => {
      return [kind, desired.key, withoutTimes(JSON.parse(JSON.stringify(renderStatus(desired))))];
    })
  );
}

function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => key !== "lastTransitionTime")
      .map(([key, item]) => [key, withoutTimes(item)]),
  );
}

/** Status writes by outcome, those that happened. */
function countWrites(metrics: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const pattern = /^weir_status_writes_total\{.*outcome="([^"]+)".*\} (\d+)$/gm;
  for (const [, outcome = "", value] of metrics.matchAll(pattern)) {
    if (Number(value) > 0) counts.set(outcome, (counts.get(outcome) ?? 0) + Number(value));
  }
  return counts;
}

/** Objects about which there is something to say: a route without a parent of ours is not one. */
function countSpeaking({ statuses }: Outputs): number {
  return statusKinds.flatMap((kind) => [...statuses[kind].values()])
    .filter(({ body }) => body.shape === "conditions" || desiredEntries(body).entries.length > 0)
    .length;
}

for (const name of caseNames) {
  Deno.test(`serve writes the statuses of ${name} once`, async () => {
    const config = await readSettings(flags, name);
    const clock = new FakeClock();
    let count = 0;
    const { cluster, loader } = createLocalWorld({
      settings: config,
      paths: ["-"],
      standardInputText: await readInput(name),
      clock,
      log: noLog,
      newUid: () => `uid-${++count}`,
    });
    await loader.initialLoad();
    const registry = new MetricsRegistry();
    const { subsystem, engine } = mountGateway({
      config,
      world: localClusterWorld(cluster, clock),
      dataPlane: new AssumedDataPlane("none"),
      registry,
      clock,
      log: noLog,
      random: () => 0.5,
    });
    const stop = new AbortController();
    const running = subsystem.run(stop.signal);
    await clock.advance(1000);
    assert(subsystem.ready().ready, subsystem.ready().reason);
    const { state } = engine;
    assertEquals(storedStatuses(cluster, state.outputs), wantedStatuses(state.outputs));
    const counts = countWrites(registry.render());
    assertEquals(
      [...counts.keys()].filter((outcome) => outcome !== "ok" && outcome !== "noop"),
      [],
      "every write is taken",
    );
    assertEquals(counts.get("ok") ?? 0, countSpeaking(state.outputs), "one write for each object");

    // Writing must not have woken anything: the same revision, the same objects, later too.
    const before = [state.revision, cluster.list("Gateway").resourceVersion];
    await clock.advance(60_000);
    assertEquals([state.revision, cluster.list("Gateway").resourceVersion], before);
    stop.abort(new Error("The test ends"));
    await running;
  });
}
