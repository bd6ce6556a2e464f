/**
 * Others write to the same objects as fast as they can: a second controller with entries of its own,
 * people who annotate, specs that never stand still. Nothing of theirs is lost, what weir says is
 * right soon after the storm, and weir writes no more than what changed. Without it two controllers on
 * one cluster destroy each other's statuses, or the API server.
 */

import { assert, assertEquals } from "@std/assert";
import { systemClock } from "../../src/base/clock.ts";
import { ClusterError } from "../../src/kube/cluster_error.ts";
import { asList, isRecord, type JsonRecord } from "../../src/kube/json_value.ts";
import { grantAccess } from "./access.ts";
import { countByObject, statusWrites } from "./audit_log.ts";
import { type TestCluster, withCluster } from "./test_cluster.ts";
import { isSoak, tellFigure, until } from "./until.ts";
import {
  backendManifests,
  entriesOf,
  gatewayAddress,
  gatewayManifests,
  httpRoute,
  isServed,
  pathOf,
  untilProgrammed,
  untilServed,
} from "./world.ts";
import { WeirRun } from "./weir_run.ts";

const stormMs = isSoak ? 60_000 : 15_000;
const rightMaxMs = 2_000;
const limitMs = 30_000;
const namespace = "storm";
const other = "other.test/controller";
const routes = ["fought", "annotated", "edited", "quiet"] as const;

/** What a storm did. */
interface Storm {
  count: number;
  conflicts: number;
}

/** Repeats `act` until `untilMs`; a conflict is the other side's turn, and is counted. */
async function repeat(untilMs: number, act: (index: number) => Promise<void>): Promise<Storm> {
  const storm: Storm = { count: 0, conflicts: 0 };
  while (systemClock.monotonicMs() < untilMs) {
    try {
      await act(storm.count);
      storm.count++;
    } catch (error) {
      if (!(error instanceof ClusterError) || error.kind !== "stale-write") throw error;
      storm.conflicts++;
    }
  }
  return storm;
}

/** Replaces its own entries of `status.parents` and keeps those of others, as a controller has to. */
async function writeOwnEntry(cluster: TestCluster, name: string, index: number): Promise<void> {
  const path = pathOf("httproutes", namespace, name);
  const route = await cluster.api(path);
  if (index > 0) assertEquals(lastTurn(route), `turn ${index - 1}`, "the entry before was lost");
  const status = isRecord(route?.status) ? route.status : {};
  const kept = asList(status.parents).filter(isRecord)
    .filter(({ controllerName }) => controllerName !== other);
  const condition = {
    type: "Accepted",
    status: index % 2 === 0 ? "True" : "False",
    reason: "Turn",
    message: `turn ${index}`,
    lastTransitionTime: "2026-01-01T00:00:00Z",
  };
  const own = { controllerName: other, parentRef: { name: "theirs" }, conditions: [condition] };
  await cluster.api(`${path}/status`, {
    method: "PUT",
    body: { ...route, status: { parents: [...kept, own] } },
  });
}

function lastTurn(route: JsonRecord | undefined): string {
  const [entry] = entriesOf(route, other);
  const [condition] = asList(entry?.conditions).filter(isRecord);
  return String(condition?.message);
}

Deno.test("nothing is lost and all is right soon after a storm of writes", async () => {
  await withCluster(async (cluster) => {
    const kubeconfig = await grantAccess(cluster);
    await cluster.apply(gatewayManifests(namespace));
    await cluster.apply(backendManifests(namespace, 9));
    for (const name of routes) {
      await cluster.apply(JSON.stringify(httpRoute(namespace, name, `${name}.test`)));
    }
    await using weir = WeirRun.start({
      kubeconfig,
      args: [`--gateway-addresses=${gatewayAddress}`],
    });
    await weir.ready();
    await weir.explain(async () => {
      await untilProgrammed(cluster, namespace);
      for (const name of routes) await untilServed(cluster, namespace, name);
      const sinceMs = systemClock.now();
      const untilMs = systemClock.monotonicMs() + stormMs;
      const edit = (name: string, index: number): Promise<unknown> =>
        cluster.merge(pathOf("httproutes", namespace, name), {
          // Every other time to a Service that is not there.
          spec: { rules: [{ backendRefs: [{ name: index % 2 ? "app" : "gone", port: 80 }] }] },
        });
      const [fought, annotated, edited, wiped, shaken] = await Promise.all([
        repeat(untilMs, (index) => writeOwnEntry(cluster, "fought", index)),
        repeat(untilMs, async (index) => {
          const patch = { metadata: { annotations: { "test/turn": `${index}` } } };
          await cluster.merge(pathOf("httproutes", namespace, "annotated"), patch);
          await cluster.merge(pathOf("gateways", namespace, "web"), patch);
        }),
        repeat(untilMs, async (index) => void await edit("edited", index)),
        // Clears what weir said, as a restored backup or a careless script does.
        repeat(untilMs, async () => {
          await systemClock.sleep(1_000);
          const path = pathOf("httproutes", namespace, "quiet");
          await cluster.merge(`${path}/status`, { status: { parents: [] } });
        }),
        // What weir says beside the other controller's entries changes as well.
        repeat(untilMs, async (index) => {
          await systemClock.sleep(20);
          await edit("fought", index);
        }),
      ]);
      for (const name of ["edited", "fought"]) await edit(name, 1);
      const startMs = systemClock.monotonicMs();
      for (const name of routes.filter((name) => name !== "quiet")) {
        await until(
          `${name} is right`,
          limitMs,
          async () => isServed(await cluster.api(pathOf("httproutes", namespace, name))),
        );
      }
      const rightMs = Math.round(systemClock.monotonicMs() - startMs);
      await systemClock.sleep(rightMaxMs);
      const writes = countByObject(statusWrites(await cluster.audit(), sinceMs));
      const written = (key: string): number => writes.get(key) ?? 0;
      const route = (name: string): string => `httproutes/${namespace}/${name}`;
      tellFigure(
        `a storm of ${stormMs} ms`,
        [
          `${fought.count} foreign entries (${fought.conflicts} conflicts of theirs)`,
          `${annotated.count} annotations of two objects, ${
            edited.count + shaken.count
          } edits, ${wiped.count} wipes`,
          `weir wrote ${[...writes].map(([key, count]) => `${key} ${count}`).join(", ")}`,
          `all right after ${rightMs} ms`,
        ].join("; "),
      );

      // The last entry of the other controller stands, and ours beside it.
      const foughtRoute = await cluster.api(pathOf("httproutes", namespace, "fought"));
      assertEquals(lastTurn(foughtRoute), `turn ${fought.count - 1}`);
      assert(written(route("fought")) <= shaken.count + 1, "more writes than edits");
      assertEquals(written(route("annotated")), 0, "an annotation is no reason to write");
      assertEquals(written(`gateways/${namespace}/web`), 0, "an annotation is no reason to write");
      assert(written(route("edited")) <= edited.count + 1, "more writes than edits");
      assert(written(route("quiet")) <= wiped.count, "more writes than losses");
      assert(rightMs <= rightMaxMs, `right only after ${rightMs} ms`);
    });
    assertEquals(await weir.stop(), 0, weir.log);
  });
});
