/**
 * Many routes created and deleted as fast as the API server takes them: every status is right, and
 * the Gateway's count is right soon and not written for every route. Without it an installation of
 * many teams floods its API server whenever one of them deploys.
 */

import { assert, assertEquals } from "@std/assert";
import { systemClock } from "../../src/base/clock.ts";
import { asList, isRecord } from "../../src/kube/json_value.ts";
import { grantAccess } from "./access.ts";
import { countByObject, statusWrites } from "./audit_log.ts";
import { type TestCluster, withCluster } from "./test_cluster.ts";
import { tellFigure, until } from "./until.ts";
import {
  backendManifests,
  forAll,
  gatewayAddress,
  gatewayManifests,
  httpRoute,
  isServed,
  pathOf,
  untilProgrammed,
} from "./world.ts";
import { WeirRun } from "./weir_run.ts";

const routeCount = 1_000;
const gatewayWritesMax = 50;
/** After the last create until all counts are right. */
const settledMaxMs = 2_000;
const limitMs = 60_000;
const namespace = "scale";

async function attachedRoutes(cluster: TestCluster): Promise<unknown> {
  const gateway = await cluster.api(pathOf("gateways", namespace, "web"));
  const status = isRecord(gateway?.status) ? gateway.status : {};
  const [listener] = asList(status.listeners);
  return isRecord(listener) ? listener.attachedRoutes : undefined;
}

/** Milliseconds until the Gateway's count is `count`. */
async function untilCounted(cluster: TestCluster, count: number): Promise<number> {
  const startMs = systemClock.monotonicMs();
  await until(
    `${count} attached routes`,
    limitMs,
    async () => await attachedRoutes(cluster) === count,
  );
  return Math.round(systemClock.monotonicMs() - startMs);
}

async function servedCount(cluster: TestCluster): Promise<number> {
  const list = await cluster.api(pathOf("httproutes", namespace));
  return asList(list?.items).filter(isRecord).filter(isServed).length;
}

Deno.test(`${routeCount} routes are created and deleted at full speed`, async () => {
  await withCluster(async (cluster) => {
    const kubeconfig = await grantAccess(cluster);
    await cluster.apply(gatewayManifests(namespace));
    await cluster.apply(backendManifests(namespace, 9));
    await using weir = WeirRun.start({
      kubeconfig,
      args: [`--gateway-addresses=${gatewayAddress}`],
    });
    await weir.ready();
    await weir.explain(async () => void await untilProgrammed(cluster, namespace));

    await weir.explain(async () => {
      const sinceMs = systemClock.now();
      await forAll(routeCount, (index) =>
        cluster.api(pathOf("httproutes", namespace), {
          method: "POST",
          body: httpRoute(namespace, `route-${index}`, `route-${index}.test`),
        }));
      const createdMs = systemClock.now() - sinceMs;
      const countedMs = await untilCounted(cluster, routeCount);
      await until(
        "all routes are served",
        limitMs,
        async () => await servedCount(cluster) === routeCount,
      );
      const servedMs = systemClock.now() - sinceMs - createdMs;
      await systemClock.sleep(settledMaxMs);
      const writes = countByObject(statusWrites(await cluster.audit(), sinceMs));
      const gatewayWrites = writes.get(`gateways/${namespace}/web`) ?? 0;
      const routeWrites = [...writes.values()].reduce((sum, count) => sum + count, 0) -
        gatewayWrites;
      tellFigure(
        `${routeCount} routes created in ${createdMs} ms`,
        `counted ${countedMs} ms later, all statuses ${servedMs} ms later, ` +
          `${gatewayWrites} Gateway writes, ${routeWrites} route writes`,
      );
      assert(gatewayWrites <= gatewayWritesMax, `${gatewayWrites} writes of the Gateway`);
      assertEquals(routeWrites, routeCount, "one write for each route");
      assert(countedMs <= settledMaxMs, `counted after ${countedMs} ms`);
    });

    await weir.explain(async () => {
      const sinceMs = systemClock.now();
      await forAll(routeCount, (index) =>
        cluster.api(
          pathOf("httproutes", namespace, `route-${index}`),
          { method: "DELETE" },
        ));
      const deletedMs = systemClock.now() - sinceMs;
      const countedMs = await untilCounted(cluster, 0);
      await systemClock.sleep(settledMaxMs);
      const writes = countByObject(statusWrites(await cluster.audit(), sinceMs));
      const gatewayWrites = writes.get(`gateways/${namespace}/web`) ?? 0;
      tellFigure(
        `${routeCount} routes deleted in ${deletedMs} ms`,
        `counted ${countedMs} ms later, ${gatewayWrites} Gateway writes`,
      );
      assert(gatewayWrites <= gatewayWritesMax, `${gatewayWrites} writes of the Gateway`);
      assertEquals([...writes.keys()].filter((key) => !key.startsWith("gateways/")), []);
      assert(countedMs <= settledMaxMs, `counted after ${countedMs} ms`);
    });
    assertEquals(await weir.stop(), 0, weir.log);
  });
});
