/**
 * weir with its own proxy is replaced under traffic, and killed: who replaces it well loses no
 * request. Without it every update of weir is an outage of what it serves.
 */

import { assert, assertEquals } from "@std/assert";
import { systemClock } from "../../src/base/clock.ts";
import { grantAccess } from "./access.ts";
import { statusWrites, writtenConditions } from "./audit_log.ts";
import { type TestCluster, withCluster } from "./test_cluster.ts";
import { ask, Traffic } from "./traffic.ts";
import { tellFigure, until } from "./until.ts";
import {
  backendManifests,
  gatewayAddress,
  gatewayManifests,
  httpRoute,
  startBackend,
  untilProgrammed,
  untilServed,
} from "./world.ts";
import { WeirRun } from "./weir_run.ts";

const restarts = 3;
const steadyMs = 1_000;
const namespace = "restart";
const target = { address: gatewayAddress, port: 80, host: "app.test" };
const args = [`--gateway-addresses=${gatewayAddress}`, "--share-ports"];

/**
 * Without it the kernel resets the connections that a closed socket had not accepted yet: a few in ten
 * thousand under load. No program can hand them to the other socket by itself.
 */
async function migrateConnections(): Promise<void> {
  const { success } = await new Deno.Command("sysctl", {
    args: ["-qw", "net.ipv4.tcp_migrate_req=1"],
  }).output();
  assert(success, "the kernel has no net.ipv4.tcp_migrate_req");
}

async function prepare(cluster: TestCluster, port: number): Promise<string> {
  await migrateConnections();
  const kubeconfig = await grantAccess(cluster);
  await cluster.apply(gatewayManifests(namespace));
  await cluster.apply(backendManifests(namespace, port));
  await cluster.apply(JSON.stringify(httpRoute(namespace, "app", "app.test")));
  return kubeconfig;
}

async function untilAnswered(): Promise<void> {
  await until("a request is answered", 20_000, async () => (await ask(target)).outcome === "200");
}

Deno.test("a second process takes over and the first one ends: no request fails", async () => {
  await withCluster(async (cluster) => {
    await using backend = startBackend();
    const kubeconfig = await prepare(cluster, backend.addr.port);
    let weir = WeirRun.start({ kubeconfig, args });
    try {
      await weir.ready();
      await untilProgrammed(cluster, namespace);
      await untilServed(cluster, namespace, "app");
      await untilAnswered();
      const sinceMs = systemClock.now();
      const traffic = new Traffic(target);
      traffic.start();
      for (let restart = 0; restart < restarts; restart++) {
        await systemClock.sleep(steadyMs);
        const next = WeirRun.start({ kubeconfig, args });
        const before = weir;
        weir = next;
        try {
          await next.ready();
          await systemClock.sleep(steadyMs);
        } finally {
          assertEquals(await before.stop(), 0, before.log);
        }
      }
      await systemClock.sleep(steadyMs);
      const { sent, failed, repeated, failures, slowestMs } = await traffic.stop();
      tellFigure(
        `${restarts} graceful restarts`,
        `${sent} requests, ${failed} failed, ${repeated} repeated, slowest ${slowestMs} ms`,
      );
      assertEquals([failed, Object.fromEntries(failures)], [0, {}]);
      // Whoever takes over says the same, so there is nothing to write.
      const writes = statusWrites(await cluster.audit(), sinceMs);
      assertEquals(writes.map((entry) => [entry.resource, ...writtenConditions(entry)]), []);
    } finally {
      await weir[Symbol.asyncDispose]();
    }
  });
});

Deno.test("after a kill a new process serves as soon as it is ready", async () => {
  await withCluster(async (cluster) => {
    await using backend = startBackend();
    const kubeconfig = await prepare(cluster, backend.addr.port);
    await using killed = WeirRun.start({ kubeconfig, args });
    await killed.ready();
    await untilProgrammed(cluster, namespace);
    await untilAnswered();
    const traffic = new Traffic(target);
    traffic.start();
    await systemClock.sleep(steadyMs);
    await killed.stop("SIGKILL");
    const startMs = systemClock.monotonicMs();
    await using next = WeirRun.start({ kubeconfig, args });
    await next.ready();
    const readyMs = Math.round(systemClock.monotonicMs() - startMs);
    await untilAnswered();
    const answeredMs = Math.round(systemClock.monotonicMs() - startMs);
    const { sent, failed, failures } = await traffic.stop();
    const reasons = [...failures].map(([name, count]) => `${name} ${count}`).join(", ");
    tellFigure(
      "a kill",
      `${failed} of ${sent} requests failed (${reasons}), ready after ${readyMs} ms, ` +
        `served after ${answeredMs} ms`,
    );
    assert(answeredMs - readyMs < 1_000, "ready, and does not serve");
    assertEquals(await next.stop(), 0, next.log);
  });
});
