/**
 * The API server, etcd or both go away under traffic and come back: requests go on, nobody's status
 * moves, and what changes afterwards is seen. Without it an upgrade of the control plane is an outage
 * of what the gateway serves.
 */

import { assertEquals } from "@std/assert";
import { systemClock } from "../../src/base/clock.ts";
import { grantAccess } from "./access.ts";
import { statusWrites } from "./audit_log.ts";
import { type Component, type TestCluster, withCluster } from "./test_cluster.ts";
import { ask, Traffic } from "./traffic.ts";
import { isSoak, tellFigure, until } from "./until.ts";
import {
  backendManifests,
  gatewayAddress,
  gatewayManifests,
  httpRoute,
  pathOf,
  startBackend,
  untilProgrammed,
  untilServed,
} from "./world.ts";
import { WeirRun } from "./weir_run.ts";

/** How long the API stays away. */
const outageMs = 3_000;
/** For watches to come back and for what weir would wrongly write. */
const settleMs = 4_000;

async function outage(
  cluster: TestCluster,
  components: readonly Component[],
  signal: Deno.Signal,
): Promise<void> {
  for (const component of components) await cluster.kill(component, signal);
  await systemClock.sleep(outageMs);
  await cluster.revive();
}

/** Takes a minute: the API server waits for its watches to end. */
const slowCases: readonly [string, readonly Component[], Deno.Signal][] = [
  ["the API server ends as it should", ["kube-apiserver"], "SIGTERM"],
];
const cases: readonly [string, readonly Component[], Deno.Signal][] = [
  ["the API server is killed", ["kube-apiserver"], "SIGKILL"],
  ["etcd is killed", ["etcd"], "SIGKILL"],
  ["both are killed", ["kube-apiserver", "etcd"], "SIGKILL"],
  ...isSoak ? slowCases : [],
];

Deno.test("no request fails and no status moves while the API is away", async (t) => {
  await withCluster(async (cluster) => {
    await using backend = startBackend();
    const kubeconfig = await grantAccess(cluster);
    const namespace = "outage";
    await cluster.apply(gatewayManifests(namespace));
    await cluster.apply(backendManifests(namespace, backend.addr.port));
    await cluster.apply(JSON.stringify(httpRoute(namespace, "app", "app.test")));
    await using weir = WeirRun.start({
      kubeconfig,
      args: [`--gateway-addresses=${gatewayAddress}`],
    });
    await weir.ready();
    await untilProgrammed(cluster, namespace);
    await untilServed(cluster, namespace, "app");
    const target = { address: gatewayAddress, port: 80, host: "app.test" };
    await until(
      "the first request is answered",
      5_000,
      async () => (await ask(target)).outcome === "200",
    );

    for (const [index, [name, components, signal]] of cases.entries()) {
      await t.step(name, () =>
        weir.explain(async () => {
          const sinceMs = systemClock.now();
          const traffic = new Traffic(target);
          traffic.start();
          await outage(cluster, components, signal);
          await systemClock.sleep(settleMs);
          const writes = statusWrites(await cluster.audit(), sinceMs);
          const { sent, failed, failures, repeated, slowestMs } = await traffic.stop();
          tellFigure(
            name,
            `${sent} requests, ${failed} failed, ${repeated} repeated, slowest ${slowestMs} ms`,
          );
          assertEquals([failed, Object.fromEntries(failures)], [0, {}]);
          assertEquals(writes.map(({ resource, name, body }) => [resource, name, body]), []);

          const later = httpRoute(namespace, `later-${index}`, `later-${index}.test`);
          await cluster.api(pathOf("httproutes", namespace), { method: "POST", body: later });
          const startedMs = systemClock.now();
          await untilServed(cluster, namespace, `later-${index}`, 10_000);
          tellFigure(
            `${name}, then a new route is served after`,
            `${systemClock.now() - startedMs} ms`,
          );
        }));
    }
    assertEquals(await weir.stop(), 0, weir.log);
  });
});
