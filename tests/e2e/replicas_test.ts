/**
 * Two replicas on one cluster: one of them writes, the other takes over when it is killed or stops
 * without ending. Without it either nobody writes, or two do and their words alternate.
 */

import { assert, assertEquals } from "@std/assert";
import { systemClock } from "../../src/base/clock.ts";
import { isRecord } from "../../src/kube/json_value.ts";
import { credentialOf, grantAccess, weirNamespace } from "./access.ts";
import { type AuditEntry, countByObject, statusWrites } from "./audit_log.ts";
import { type TestCluster, withCluster } from "./test_cluster.ts";
import { ask, Traffic } from "./traffic.ts";
import { tellFigure, until } from "./until.ts";
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

const namespace = "replicas";
const leaseMs = 5_000;
const takeoverMaxMs = leaseMs + 2_000;
const target = { address: gatewayAddress, port: 80, host: "app.test" };
const args = [
  ...[`--gateway-addresses=${gatewayAddress}`, "--share-ports"],
  ...[`--leader-election-lease-duration=${leaseMs}ms`, "--leader-election-renew-deadline=3s"],
  "--leader-election-retry-period=1s",
];

/** A replica by its name; `leads` once it has the Lease. */
interface Replica {
  readonly name: string;
  readonly weir: WeirRun;
}

async function start(cluster: TestCluster, name: string): Promise<Replica> {
  const kubeconfig = await grantAccess(cluster, name);
  const weir = WeirRun.start({
    kubeconfig,
    args: [...args, `--leader-election-identity=${name}`],
  });
  await weir.ready();
  return { name, weir };
}

async function holder(cluster: TestCluster): Promise<string> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${weirNamespace}/leases`;
  const list = await cluster.api(path);
  const [lease] = Array.isArray(list?.items) ? list.items : [];
  const spec = isRecord(lease) && isRecord(lease.spec) ? lease.spec : {};
  return String(spec.holderIdentity);
}

/** Creates a route; the milliseconds until its status is right. */
async function serveRoute(cluster: TestCluster, name: string): Promise<number> {
  const startMs = systemClock.monotonicMs();
  await cluster.api(pathOf("httproutes", namespace), {
    method: "POST",
    body: httpRoute(namespace, name, `${name}.test`),
  });
  await untilServed(cluster, namespace, name, 4 * leaseMs);
  return Math.round(systemClock.monotonicMs() - startMs);
}

/** Runs `test` with a leader `first` and a replica `second` that waits. */
async function withReplicas(
  test: (cluster: TestCluster, first: Replica, second: Replica) => Promise<void>,
): Promise<void> {
  await withCluster(async (cluster) => {
    await using backend = startBackend();
    await cluster.apply(gatewayManifests(namespace));
    await cluster.apply(backendManifests(namespace, backend.addr.port));
    await cluster.apply(JSON.stringify(httpRoute(namespace, "app", "app.test")));
    const first = await start(cluster, "first");
    await using _first = first.weir;
    await until(
      "the first one leads",
      3 * leaseMs,
      async () => (await holder(cluster)).startsWith("first_"),
    );
    const second = await start(cluster, "second");
    await using _second = second.weir;
    await second.weir.explain(() =>
      first.weir.explain(async () => {
        await untilProgrammed(cluster, namespace);
        await untilServed(cluster, namespace, "app");
        await until("a request is answered", 5_000, async () =>
          (await ask(target)).outcome === "200");
        await test(cluster, first, second);
      })
    );
  });
}

async function writesSince(cluster: TestCluster, sinceMs: number): Promise<AuditEntry[]> {
  return statusWrites(await cluster.audit(), sinceMs);
}

Deno.test("the leader is killed: the other one takes over, and writes each status once", async () => {
  await withReplicas(async (cluster, first, second) => {
    const sinceMs = systemClock.now();
    const traffic = new Traffic(target);
    traffic.start();
    await first.weir.stop("SIGKILL");
    const tookMs = await serveRoute(cluster, "after-kill");
    const { sent, failed, failures } = await traffic.stop();
    const writes = await writesSince(cluster, sinceMs);
    const reasons = [...failures].map(([name, count]) => `${name} ${count}`).join(", ");
    tellFigure(
      `leader killed, lease of ${leaseMs} ms`,
      `status written by the other after ${tookMs} ms; ${failed} of ${sent} requests failed (${reasons})`,
    );
    assert(tookMs <= takeoverMaxMs, `taken over after ${tookMs} ms`);
    assertEquals(Object.fromEntries(countByObject(writes)), {
      [`httproutes/${namespace}/after-kill`]: 1,
      [`gateways/${namespace}/web`]: 1,
    });
    // Only what the killed process was just working on.
    assert(failed <= 8, `${failed} failed`);
    assertEquals(await second.weir.stop(), 0, second.weir.log);
  });
});

Deno.test("the leader stands still for longer than its lease: it never writes again by mistake", async () => {
  await withReplicas(async (cluster, first, second) => {
    first.weir.signal("SIGSTOP");
    const tookMs = await serveRoute(cluster, "while-stopped");
    tellFigure(
      `leader stopped, lease of ${leaseMs} ms`,
      `status written by the other after ${tookMs} ms`,
    );
    assert(tookMs <= takeoverMaxMs, `taken over after ${tookMs} ms`);
    const sinceMs = systemClock.now();
    // It wakes with work to do, and believes for a moment that nothing happened.
    await cluster.api(pathOf("httproutes", namespace), {
      method: "POST",
      body: httpRoute(namespace, "at-wake-up", "at-wake-up.test"),
    });
    first.weir.signal("SIGCONT");
    for (let index = 0; index < 10; index++) await serveRoute(cluster, `later-${index}`);
    await systemClock.sleep(leaseMs);
    const credential = await credentialOf(cluster, second.name);
    const writes = await writesSince(cluster, sinceMs);
    assertEquals(writes.filter((entry) => entry.credential !== credential), []);
    const routeWrites = writes.filter(({ resource }) => resource === "httproutes");
    assertEquals(routeWrites.length, 11, "one write for each route");
    assertEquals(await first.weir.stop(), 0, first.weir.log);
    assertEquals(await second.weir.stop(), 0, second.weir.log);
  });
});

Deno.test("the leader ends as it should: the other one leads at once", async () => {
  await withReplicas(async (cluster, first, second) => {
    assertEquals(await first.weir.stop(), 0, first.weir.log);
    const tookMs = await serveRoute(cluster, "after-end");
    tellFigure("leader ended", `status written by the other after ${tookMs} ms`);
    assert(tookMs <= 3_000, `taken over after ${tookMs} ms`);
    assertEquals(await second.weir.stop(), 0, second.weir.log);
  });
});
