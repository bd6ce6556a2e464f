/**
 * Two weir processes on a real API server: one writes, and however it ends the other one takes over in
 * time, without a write twice. Without it two replicas could fight, or nobody could write.
 */

import { assert, assertEquals } from "@std/assert";
import { systemClock } from "../../src/base/clock.ts";
import { isRecord } from "../../src/kube/json_value.ts";
import { testElectionServer } from "../contract/election_suite.ts";
import { grantAccess } from "./access.ts";
import { countByObject, statusWrites } from "./audit_log.ts";
import { TestCluster, withCluster } from "./test_cluster.ts";
import { tellFigure, until } from "./until.ts";
import { WeirRun } from "./weir_run.ts";
import { gatewayManifests, httpRoute, pathOf, untilProgrammed } from "./world.ts";

const leaseMs = 15_000;
/** A takeover later than this fails: the lease and 2 s. */
const takeoverMs = leaseMs + 2_000;
const leases = "/apis/coordination.k8s.io/v1/namespaces/weir-system/leases";

testElectionServer("a real API server", async () => {
  const cluster = await TestCluster.open();
  return {
    transport: cluster.transport,
    clock: systemClock,
    namespace: "demo",
    hasLists: true,
    pass: () => systemClock.sleep(10),
    close: () => Promise.resolve(cluster.close()),
  };
});

/** Which replica the Lease names. */
async function holderOf(cluster: TestCluster): Promise<string> {
  const lease = await cluster.api(`${leases}/weir-weir.dev-gateway-controller`);
  const spec = isRecord(lease?.spec) ? lease.spec : {};
  return String(spec.holderIdentity ?? "").split("_")[0] ?? "";
}

/** Waits until `wanted` writes, by its own metric; how long that took, milliseconds. */
async function untilLeads(wanted: WeirRun, name: string, cluster: TestCluster): Promise<number> {
  const startMs = systemClock.monotonicMs();
  await until(
    `replica ${name} leads; its log:\n${wanted.log}`,
    takeoverMs + 5_000,
    async () => await wanted.metric("weir_leader") === 1,
  );
  assertEquals(await holderOf(cluster), name);
  return systemClock.monotonicMs() - startMs;
}

function start(kubeconfig: string, name: string): WeirRun {
  return WeirRun.start({
    kubeconfig,
    args: ["--data-plane=none", `--leader-election-identity=${name}`],
  });
}

Deno.test("a leader that is stopped, paused or killed is followed in time; nothing is written twice", async () => {
  await withCluster(async (cluster) => {
    const kubeconfig = await grantAccess(cluster);
    await cluster.apply(gatewayManifests("elect"));
    await using first = start(kubeconfig, "first");
    await first.ready();
    await untilLeads(first, "first", cluster);
    await untilProgrammed(cluster, "elect");
    await using second = start(kubeconfig, "second");
    await second.ready();
    assertEquals(await second.metric("weir_leader"), 0);

    assertEquals(await first.stop(), 0, first.log);
    const releasedMs = await untilLeads(second, "second", cluster);
    tellFigure("takeover after SIGTERM, ms", Math.round(releasedMs));
    assert(releasedMs < 3_000, `${releasedMs} ms`);

    await using third = start(kubeconfig, "third");
    await third.ready();
    second.signal("SIGSTOP");
    const pausedMs = await untilLeads(third, "third", cluster);
    tellFigure("takeover after SIGSTOP, ms", Math.round(pausedMs));
    assert(pausedMs <= takeoverMs, `${pausedMs} ms`);
    await cluster.apply(JSON.stringify(httpRoute("elect", "app", "app.test")));
    second.signal("SIGCONT");
    await until("the paused replica knows", 5_000, () => second.log.includes("Leads no more"));
    assertEquals(await second.metric("weir_leader"), 0);
    // The Gateway's are accepted and programmed; the route's as well, and that a backend is missing.
    await until("Events of Gateway and route are written", 5_000, async () => {
      const events = await cluster.kubectl(["get", "events", "-n", "elect", "-o=name"]);
      return events.trim().split("\n").length === 5;
    });

    third.signal("SIGKILL");
    const killedMs = await untilLeads(second, "second", cluster);
    tellFigure("takeover after SIGKILL, ms", Math.round(killedMs));
    assert(killedMs <= takeoverMs, `${killedMs} ms`);

    // The Gateway once more as it has a route now; the audit log counts every write.
    const counts = countByObject(statusWrites(await cluster.audit()));
    assertEquals(counts.get("httproutes/elect/app"), 1);
    assertEquals(counts.get("gatewayclasses//weir"), 1);
    assert((counts.get("gateways/elect/web") ?? 0) <= 2);
    await cluster.merge(pathOf("httproutes", "elect", "app"), {
      spec: { hostnames: ["other.test"] },
    });
    await until("the new leader writes", 5_000, async () => {
      const now = countByObject(statusWrites(await cluster.audit()));
      return now.get("httproutes/elect/app") === 2;
    });
    const told = await cluster.kubectl(["describe", "gateway", "-n", "elect", "web"]);
    assert(/Normal +Programmed .* weir.dev\/gateway-controller/.test(told), told);
    const events = await cluster.kubectl(["get", "events", "-n", "elect", "-o=name"]);
    assertEquals(events.trim().split("\n").length, 5, events);
  });
});
