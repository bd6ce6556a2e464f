/**
 * Commands that read a cluster, with the rights of weir. What a user would lose: that they say what the
 * weir in the cluster says, and that nobody is harmed by looking.
 */

import { assert, assertEquals } from "@std/assert";
import { asList, isRecord, type JsonRecord } from "../../src/kube/json_value.ts";
import { grantAccess } from "./access.ts";
import { withCluster } from "./test_cluster.ts";
import { until } from "./until.ts";
import { weirOutput, WeirRun } from "./weir_run.ts";
import {
  backendManifests,
  gatewayAddress,
  gatewayManifests,
  httpRoute,
  untilProgrammed,
  untilServed,
} from "./world.ts";

const account = "system:serviceaccount:weir-system:weir";
const reads = new Set(["get", "list"]);

/** `status` without times, which only what is stored has. */
function timeless(status: unknown): unknown {
  return JSON.parse(
    JSON.stringify(status),
    (key, value) => key === "lastTransitionTime" ? undefined : value,
  );
}

/** A route as it is, and as it is to be. */
function proposal(): string {
  const { metadata, spec, ...route } = httpRoute("looked-at", "app", "app.test");
  const rules = [{
    matches: [{ path: { type: "PathPrefix", value: "/new" } }],
    backendRefs: [{ name: "app", port: 80 }],
  }];
  const more = isRecord(spec) ? { ...spec, hostnames: ["app.test", "more.test"], rules } : {};
  return JSON.stringify({ ...route, metadata, spec: more });
}

function records(value: unknown): readonly JsonRecord[] {
  return asList(value).filter(isRecord);
}

Deno.test("translate and plan say what the weir of the cluster says, and write nothing", async () => {
  await withCluster(async (cluster) => {
    const kubeconfig = await grantAccess(cluster);
    await cluster.apply(gatewayManifests("looked-at"));
    await cluster.apply(backendManifests("looked-at", 3000));
    await cluster.apply(JSON.stringify(httpRoute("looked-at", "app", "app.test")));
    const weir = WeirRun.start({ kubeconfig, args: [`--gateway-addresses=${gatewayAddress}`] });
    const url = await weir.ready();
    await untilProgrammed(cluster, "looked-at");
    await untilServed(cluster, "looked-at", "app");
    const answer = await fetch(`${url}/api/v1/plan`, {
      method: "POST",
      headers: { "content-type": "application/yaml" },
      body: proposal(),
    });
    const asked: unknown = await answer.json();
    assertEquals(await weir.stop(), 0, weir.log);
    const before = (await cluster.audit()).length;

    const file = `${cluster.state}/proposal.yaml`;
    await Deno.writeTextFile(file, proposal());
    const from = ["--kubeconfig", kubeconfig];
    const translated: unknown = JSON.parse(await weirOutput(["translate", ...from, "-o", "json"]));
    for (
      const { apiVersion, kind, metadata, status } of records(
        isRecord(translated) ? translated.statuses : [],
      )
    ) {
      const place = isRecord(metadata) ? metadata : {};
      const namespaced = place.namespace === undefined ? "" : `/namespaces/${place.namespace}`;
      const plural = kind === "GatewayClass" ? "gatewayclasses" : `${String(kind).toLowerCase()}s`;
      const stored = await cluster.api(`/apis/${apiVersion}${namespaced}/${plural}/${place.name}`);
      assertEquals(timeless(stored?.status), timeless(status), `${kind} ${place.name}`);
    }
    const plan: unknown = JSON.parse(
      await weirOutput(["plan", "-f", file, ...from, "--fail-on=none", "-o", "json"]),
    );
    const changesOf = (value: unknown) => isRecord(value) ? records(value.changes) : [];
    assert(changesOf(plan).length > 0);
    assertEquals(changesOf(asked), changesOf(plan));
    await weirOutput(["explain", "HTTPRoute", "looked-at/app", ...from]);

    const own = await until("the audit log has the reading", 10_000, async () => {
      const all = (await cluster.audit()).slice(before).filter(({ user }) => user === account);
      return all.some(({ verb }) => verb === "list") && all;
    });
    assertEquals(own.filter(({ verb }) => !reads.has(verb)), []);

    await cluster.apply(proposal());
    assertEquals(await weirOutput(["plan", "-f", file, ...from]), "Nothing would change\n");
  });
});
