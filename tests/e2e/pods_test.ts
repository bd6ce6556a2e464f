/**
 * What `weir install` prints, applied and running: two replicas in pods, reached by their Service, with
 * the token, the probes, the grace period and the rights that they have there. Without it each part
 * would be right and the whole might not start.
 *
 * The Deployment is the printed one, but for where the program comes from: pods of the testbed run
 * weir from source, by folders of this machine, which "restricted" would not let them mount.
 */

import { assert, assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { asList, asString, isRecord, type JsonRecord } from "../../src/kube/json_value.ts";
import { installation, makeToken, weirNamespace } from "./access.ts";
import { withCluster } from "./test_cluster.ts";
import type { TestCluster } from "./test_cluster.ts";
import { ask, Traffic } from "./traffic.ts";
import { tellFigure, until } from "./until.ts";
import {
  backendManifests,
  gatewayManifests,
  httpRoute,
  startBackend,
  untilProgrammed,
  untilServed,
} from "./world.ts";

const limitMs = 60_000;
const namespace = "shop";
const host = "shop.example";

/** The folder with the libraries that weir is run with. */
async function denoFolder(): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), { args: ["info", "--json"], stderr: "null" });
  const { stdout } = await command.output();
  return String(JSON.parse(new TextDecoder().decode(stdout)).denoDir);
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((found: unknown, name) => isRecord(found) ? found[name] : undefined, value);
}

/** The Deployment, with the program that the testbed has. */
function fromSource(deployment: JsonRecord, libraries: string): JsonRecord {
  const pod = at(deployment, "spec", "template", "spec");
  const [container] = asList(at(pod, "containers"));
  assert(isRecord(pod) && isRecord(container));
  const permissions = config.tasks.weir.command.split(" ").filter((word) => word.startsWith("--"));
  const project = new URL("../../", import.meta.url).pathname;
  const changed = {
    ...container,
    command: ["weir", "run", ...permissions, "--cached-only", "--no-check", "/app/main.ts"],
    env: [{ name: "DENO_DIR", value: "/libraries" }, { name: "HOME", value: "/tmp" }],
    volumeMounts: [
      { name: "app", mountPath: "/app", readOnly: true },
      { name: "libraries", mountPath: "/libraries" },
    ],
  };
  const spec = {
    ...pod,
    containers: [changed],
    volumes: [
      { name: "app", hostPath: { path: project } },
      { name: "libraries", hostPath: { path: libraries } },
    ],
  };
  const [outer, template] = [at(deployment, "spec"), at(deployment, "spec", "template")];
  assert(isRecord(outer) && isRecord(template));
  return { ...deployment, spec: { ...outer, template: { ...template, spec } } };
}

/** Applies the installation; the address of its Service. */
async function installPods(cluster: TestCluster): Promise<string> {
  const libraries = await denoFolder();
  const items = (await installation()).map((item) => {
    if (item.kind === "Deployment") return fromSource(item, libraries);
    return item.kind === "Namespace"
      ? { apiVersion: "v1", kind: "Namespace", metadata: { name: weirNamespace } }
      : item;
  });
  await cluster.apply(JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  await cluster.kubectl(["-n", weirNamespace, "rollout", "status", "deploy/weir", "--timeout=25s"]);
  const path = `/api/v1/namespaces/${weirNamespace}/services/weir`;
  return await until("the Service has an address", limitMs, async () => {
    const [first] = asList(at(await cluster.api(path), "status", "loadBalancer", "ingress"));
    return asString(at(first, "ip"));
  });
}

/** In a pod nobody is trusted for the place that he calls from, and the cluster is asked. */
async function checkApi(cluster: TestCluster): Promise<void> {
  const pods = asList(at(await cluster.api(`/api/v1/namespaces/${weirNamespace}/pods`), "items"));
  const address = asString(at(pods[0], "status", "podIP"));
  const token = await makeToken(cluster);
  const statusOf = async (path: string, headers: Record<string, string> = {}): Promise<number> => {
    const response = await fetch(`http://${address}:9080${path}`, { headers });
    await response.body?.cancel();
    return response.status;
  };
  assertEquals(await statusOf("/livez"), 200);
  assertEquals(await statusOf("/metrics"), 401);
  assertEquals(await statusOf("/metrics", { authorization: "Bearer nobody-knows-it" }), 401);
  assertEquals(await statusOf("/api/v1/state", { authorization: `Bearer ${token}` }), 403);
}

/**
 * Tells which pods answer and what the kernel knows of the way there: twice a pod that had just started
 * could not be reached any more, when the link of the next one was made.
 */
async function tellNetwork(cluster: TestCluster): Promise<void> {
  const pods = asList(at(await cluster.api(`/api/v1/namespaces/${weirNamespace}/pods`), "items"));
  for (const pod of pods) {
    const address = asString(at(pod, "status", "podIP")) ?? "";
    tellFigure(`pod ${address}`, (await ask({ address, port: 80, host })).outcome);
  }
  for (const args of [["neigh"], ["-s", "-br", "link"], ["-4", "-br", "addr"]]) {
    const { stdout } = await new Deno.Command("ip", { args, stderr: "null" }).output();
    tellFigure(`ip ${args.join(" ")}`, new TextDecoder().decode(stdout).replaceAll("\n", "; "));
  }
}

Deno.test("the printed replicas start, serve, and are replaced without a failed request", () =>
  withCluster(async (cluster) => {
    await using backend = startBackend();
    const address = await installPods(cluster);
    await cluster.apply(gatewayManifests(namespace));
    await cluster.apply(backendManifests(namespace, backend.addr.port));
    await cluster.apply(JSON.stringify(httpRoute(namespace, "web", host)));
    await untilProgrammed(cluster, namespace);
    await untilServed(cluster, namespace, "web");
    const target = { address, port: 80, host };
    await until(
      "traffic is served",
      limitMs,
      async () => (await ask(target)).outcome === "200",
    );
    await checkApi(cluster);
    const traffic = new Traffic(target);
    traffic.start();
    await cluster.kubectl(["-n", weirNamespace, "rollout", "restart", "deploy/weir"]);
    await cluster.kubectl([
      "-n",
      weirNamespace,
      "rollout",
      "status",
      "deploy/weir",
      "--timeout=28s",
    ]);
    await until("two pods are left", limitMs, async () => {
      const path = `/api/v1/namespaces/${weirNamespace}/pods`;
      return asList(at(await cluster.api(path), "items")).length === 2;
    });
    const { sent, failed, repeated, failures } = await traffic.stop();
    tellFigure("requests during a rollout of two replicas", `${sent}, ${failed} failed`);
    tellFigure("requests repeated on a closed connection", repeated);
    if (failed > 0) await tellNetwork(cluster);
    assertEquals([...failures], []);
    const user = `system:serviceaccount:${weirNamespace}:weir`;
    const refused = (await cluster.audit()).filter((entry) =>
      entry.user === user && (entry.code === 401 || entry.code === 403)
    );
    assertEquals(refused.map(({ verb, resource, name }) => `${verb} ${resource} ${name}`), []);
  }));
