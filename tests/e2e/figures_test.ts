/**
 * What it costs to follow a large cluster: time to the ready line, memory, the CPU of a replica that
 * has nothing to do, and that a status which is right already is not written again.
 *
 * Figures are told (docs/performance.md); asserted are counts, and bounds at five times the targets.
 */

import { assert, assertEquals } from "@std/assert";
import { systemClock } from "../../src/base/clock.ts";
import { grantAccess } from "./access.ts";
import { countByObject, statusWrites } from "./audit_log.ts";
import { type TestCluster, withCluster } from "./test_cluster.ts";
import { isSoak, tellFigure, until } from "./until.ts";
import { WeirRun } from "./weir_run.ts";
import { forAll, gatewayManifests, httpRoute, pathOf } from "./world.ts";

const objectCount = isSoak ? 10_000 : 1_000;
const idleMs = isSoak ? 30_000 : 5_000;
/** After a start the collector has work of its own. */
const restMs = isSoak ? 20_000 : 2_000;
const readyMaxMs = 5 * 6_000;
const residentMaxKb = 5 * 350 * 1024;
const idleMaxPercent = 5 * 0.5;
const settledMaxMs = 180_000;
const namespace = "figures";
const slices = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;

/** An EndpointSlice of one of many Services. */
function endpointSlice(index: number): unknown {
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      name: `slice-${index}`,
      labels: { "kubernetes.io/service-name": `service-${index % 1000}` },
    },
    addressType: "IPv4",
    ports: [{ name: "", port: 8080, protocol: "TCP" }],
    endpoints: [{
      addresses: [`198.18.${index >> 8 & 255}.${index & 255}`],
      conditions: { ready: true },
    }],
  };
}

async function fill(cluster: TestCluster): Promise<void> {
  await cluster.apply(gatewayManifests(namespace));
  await forAll(objectCount, async (index) => {
    const route = httpRoute(namespace, `route-${index}`, `host-${index}.test`);
    await cluster.api(pathOf("httproutes", namespace), { method: "POST", body: route });
    await cluster.api(slices, { method: "POST", body: endpointSlice(index) });
  });
}

async function residentKb(weir: WeirRun): Promise<number> {
  return Math.round((await weir.metric("process_resident_memory_bytes") ?? NaN) / 1024);
}

async function cpuSeconds(weir: WeirRun): Promise<number> {
  return await weir.metric("process_cpu_seconds_total") ?? NaN;
}

/** Starts a replica, and waits until it has looked at every status. */
async function startReplica(kubeconfig: string): Promise<WeirRun> {
  const startMs = systemClock.monotonicMs();
  const weir = WeirRun.start({ kubeconfig, args: ["--data-plane=none"] });
  await weir.ready();
  const readyMs = Math.round(systemClock.monotonicMs() - startMs);
  tellFigure(`ready with ${objectCount} routes and slices`, `${readyMs} ms`);
  assert(readyMs < readyMaxMs, `ready after ${readyMs} ms`);
  await until("all statuses were looked at", settledMaxMs, async () => {
    const looked = await weir.metric("weir_status_writes_total");
    return looked !== undefined && looked >= objectCount + 2;
  });
  return weir;
}

Deno.test(`a cluster of ${objectCount} routes is followed at little cost`, async () => {
  await withCluster(async (cluster) => {
    const kubeconfig = await grantAccess(cluster);
    await fill(cluster);

    const firstMs = systemClock.now();
    {
      await using weir = await startReplica(kubeconfig);
      tellFigure(
        "resident memory after all statuses were written",
        `${await residentKb(weir)} kB`,
      );
      assertEquals(await weir.stop(), 0);
    }
    const written = countByObject(statusWrites(await cluster.audit(), firstMs));
    assertEquals([...written.values()].filter((count) => count !== 1), [], "one write for each");
    assertEquals(written.size, objectCount + 2, "routes, the Gateway, the class");

    const againMs = systemClock.now();
    await using weir = await startReplica(kubeconfig);
    await systemClock.sleep(restMs);
    const before = await cpuSeconds(weir);
    await systemClock.sleep(idleMs);
    const percent = (await cpuSeconds(weir) - before) / (idleMs / 1000) * 100;
    const resident = await residentKb(weir);
    tellFigure("CPU of an idle replica", `${percent.toFixed(2)} % of a core`);
    tellFigure("resident memory of an idle replica", `${resident} kB`);
    assert(percent <= idleMaxPercent, `an idle replica uses ${percent} % of a core`);
    assert(resident <= residentMaxKb, `resident memory is ${resident} kB`);
    const again = statusWrites(await cluster.audit(), againMs);
    assertEquals(again.length, 0, "what is right is not written again");
  });
});
