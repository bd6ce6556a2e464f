/**
 * `weir install` on a real API server: every manifest is taken, pods start under the strictest Pod
 * Security Standard, and a weir with the rights of its ServiceAccount is refused nothing that it asks
 * for and has nothing besides. Without it the roles would be what somebody believes.
 */

import { assert, assertEquals } from "@std/assert";
import { checkNamedCluster } from "../../src/app/cluster_check.ts";
import { printedManifests } from "../../src/app/install.ts";
import { leasePlaceOf } from "../../src/app/leader_names.ts";
import { permissionScope } from "../../src/app/permission_scope.ts";
import { runCli } from "../../src/cli/run_cli.ts";
import { decodeSettings } from "../../src/config/decode_settings.ts";
import { flags } from "../../src/config/flags.ts";
import { asList, isRecord, type JsonRecord } from "../../src/kube/json_value.ts";
import { neededPermissions, type PermissionScope } from "../../src/kube/permissions.ts";
import { fakeCli } from "../fakes/cli_context.ts";
import { type TestCluster, withCluster } from "./test_cluster.ts";
import { until } from "./until.ts";
import { WeirRun } from "./weir_run.ts";

const limitMs = 60_000;
const address = "10.97.0.10";

/** What `weir install` prints. */
async function install(...args: string[]): Promise<string> {
  const cli = fakeCli({
    install: (request) => Promise.resolve(printedManifests(request, "0.1.0")),
  });
  assertEquals(await runCli(["install", "--image=registry.example/weir:1", ...args], cli), 0);
  return cli.out();
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((found: unknown, name) => isRecord(found) ? found[name] : undefined, value);
}

function accountOf(namespace: string): string {
  return `system:serviceaccount:${namespace}:weir`;
}

/** A kubeconfig with a token of the installation in `namespace`. */
async function kubeconfigOf(cluster: TestCluster, namespace: string): Promise<string> {
  const token = await cluster.kubectl(["create", "token", "weir", "-n", namespace]);
  const admin = await Deno.readTextFile(`${cluster.state}/admin.kubeconfig`);
  const path = `${cluster.state}/${namespace}.kubeconfig`;
  const user = `user: {token: ${token.trim()}}}]`;
  await Deno.writeTextFile(
    path,
    admin.replace(/user: \{client-certificate.*\}\}\]/, user)
      .replace("user: admin}", `user: admin, namespace: ${namespace}}`),
  );
  return path;
}

/** Whether the API server would let `user` do it. */
async function may(
  cluster: TestCluster,
  user: string,
  attributes: Readonly<Record<string, string>>,
): Promise<boolean> {
  const answer = await cluster.api("/apis/authorization.k8s.io/v1/subjectaccessreviews", {
    method: "POST",
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: {
        user,
        groups: ["system:serviceaccounts", "system:authenticated"],
        resourceAttributes: attributes,
      },
    },
  });
  return at(answer, "status", "allowed") === true;
}

/** Which of the rights for `scope` are missing. */
async function missingRights(
  cluster: TestCluster,
  user: string,
  scope: PermissionScope,
): Promise<string[]> {
  const missing: string[] = [];
  for (const { group, resource, verbs, names, place } of neededPermissions(scope)) {
    const [plural = "", subresource = ""] = resource.split("/");
    for (const verb of verbs) {
      for (const name of names ?? [""]) {
        const namespace = place === "everywhere" ? "" : place.namespace;
        const attributes = { group, resource: plural, subresource, verb, name, namespace };
        if (!await may(cluster, user, attributes)) missing.push(JSON.stringify(attributes));
      }
    }
  }
  return missing;
}

/** What a holder of the token must not be able to do. */
const forbidden: readonly Readonly<Record<string, string>>[] = [
  { group: "", resource: "secrets", verb: "get", namespace: "shop" },
  { group: "", resource: "secrets", verb: "create", namespace: "shop" },
  { group: "", resource: "pods", verb: "create", namespace: "weir-system" },
  { group: "", resource: "pods", verb: "list", namespace: "shop" },
  { group: "", resource: "services", verb: "update", namespace: "shop" },
  { group: "gateway.networking.k8s.io", resource: "gateways", verb: "update", namespace: "shop" },
  { group: "gateway.networking.k8s.io", resource: "httproutes", verb: "delete", namespace: "shop" },
  { group: "gateway.networking.k8s.io", resource: "gatewayclasses", verb: "create" },
  { group: "coordination.k8s.io", resource: "leases", verb: "update", namespace: "kube-system" },
  { group: "coordination.k8s.io", resource: "leases", verb: "delete", namespace: "weir-system" },
  { group: "rbac.authorization.k8s.io", resource: "clusterroles", verb: "bind" },
  { group: "apiextensions.k8s.io", resource: "customresourcedefinitions", verb: "list" },
];

function gateway(namespace: string, className: string): string {
  return `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: ${namespace} }
spec:
  gatewayClassName: ${className}
  listeners: [{ name: http, port: 80, protocol: HTTP }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: web, namespace: ${namespace} }
spec:
  parentRefs: [{ name: web }]
  rules: [{ backendRefs: [{ name: none, port: 80 }] }]
`;
}

/** What weir was refused, as the API server wrote it down. */
async function refusals(cluster: TestCluster, user: string): Promise<string[]> {
  const entries = await cluster.audit();
  const own = entries.filter((entry) => entry.user === user);
  assert(own.some(({ verb }) => verb === "watch"), "the audit log has the reads of weir");
  return own.filter(({ code }) => code === 401 || code === 403)
    .map(({ verb, resource, subresource, namespace, name }) =>
      `${verb} ${resource}/${subresource} ${namespace}/${name}`
    );
}

/** What `weir check` of the cluster tells an installation, as `result check subject`. */
async function checkedTroubles(cluster: TestCluster, installed: string): Promise<string[]> {
  const kubeconfig = await kubeconfigOf(cluster, installed);
  const settings = {
    ...decodeSettings(flags, []).settings,
    kubeconfig,
    leaderElectionNamespace: installed,
  };
  const lines = await checkNamedCluster(settings, "0.1.0");
  assert(lines.length > 10, JSON.stringify(lines));
  return lines.filter(({ result }) => result !== "ok")
    .map(({ result, check, subject }) => `${result} ${check} ${subject}`);
}

/** Runs weir as `user` until the Gateway and the route of `namespace` have their statuses. */
async function runAs(
  cluster: TestCluster,
  installed: string,
  namespace: string,
  args: readonly string[],
): Promise<void> {
  const kubeconfig = await kubeconfigOf(cluster, installed);
  // A pod knows its namespace, a kubeconfig has none.
  const pod = `--leader-election-namespace=${installed}`;
  const passedOn = [`--gateway-addresses=${address}`, pod, ...args];
  await using weir = WeirRun.start({ kubeconfig, args: passedOn });
  await weir.ready();
  const path = `/apis/gateway.networking.k8s.io/v1/namespaces/${namespace}`;
  const has = (object: JsonRecord | undefined, list: unknown, type: string): boolean =>
    object !== undefined &&
    asList(list).some((condition) =>
      at(condition, "type") === type && at(condition, "status") === "True"
    );
  await until(`the Gateway is programmed; the log:\n${weir.log}`, limitMs, async () => {
    const object = await cluster.api(`${path}/gateways/web`);
    return has(object, at(object, "status", "conditions"), "Programmed");
  });
  await until(`the route is accepted; the log:\n${weir.log}`, limitMs, async () => {
    const object = await cluster.api(`${path}/httproutes/web`);
    const [parent] = asList(at(object, "status", "parents"));
    return has(object, at(parent, "conditions"), "Accepted");
  });
  assertEquals(await weir.stop(), 0);
}

Deno.test("the API server takes every manifest, and replicas start under its rules", () =>
  withCluster(async (cluster) => {
    const manifests = await install("--secrets=all");
    await cluster.apply(manifests);
    const again = await cluster.kubectl(["apply", "--dry-run=server", "-f", "-"], manifests);
    assertEquals(again.trim().split("\n").length, 11, again);
    await until("both replicas are there", limitMs, async () => {
      const path = "/apis/apps/v1/namespaces/weir-system/deployments/weir";
      return at(await cluster.api(path), "status", "availableReplicas") === 2;
    });
    const privileged = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "root", namespace: "weir-system" },
      spec: { containers: [{ name: "root", image: "root" }] },
    };
    const path = "/api/v1/namespaces/weir-system/pods";
    const refused = await cluster.api(path, { method: "POST", body: privileged })
      .then(() => "taken", ({ message }) => String(message));
    assert(refused.includes("restricted"), refused);
  }));

Deno.test("weir has the rights that it needs, uses no others, and may do nothing else", () =>
  withCluster(async (cluster) => {
    const user = accountOf("weir-system");
    await cluster.apply(await install("--secrets=all"));
    await cluster.kubectl(["create", "namespace", "shop"]);
    await cluster.apply(gateway("shop", "weir"));
    const { settings } = decodeSettings(flags, []);
    const lease = leasePlaceOf(settings, "weir-system");
    const scope = { ...permissionScope(settings), lease };
    assertEquals(await missingRights(cluster, user, scope), []);
    for (const attributes of forbidden) {
      assert(!await may(cluster, user, attributes), JSON.stringify(attributes));
    }
    assertEquals(await checkedTroubles(cluster, "weir-system"), ["warning class weir"]);
    await runAs(cluster, "weir-system", "shop", []);
    assertEquals(await refusals(cluster, user), []);
    assertEquals(await checkedTroubles(cluster, "weir-system"), []);
  }));

Deno.test("weir check as somebody without rights names them, and what to do", () =>
  withCluster(async (cluster) => {
    const kubeconfig = `${cluster.state}/reader.kubeconfig`;
    const settings = { ...decodeSettings(flags, []).settings, kubeconfig };
    const failed = (await checkNamedCluster(settings, "0.1.0"))
      .filter(({ result }) => result === "failed");
    const subjects = failed.map(({ subject }) => subject);
    assert(subjects.includes("gateways.gateway.networking.k8s.io"), subjects.join());
    assert(subjects.includes("secrets"), subjects.join());
    assert(failed.every(({ advice }) => advice !== undefined));
  }));

Deno.test("a Role in one namespace is enough, and reaches no other", () =>
  withCluster(async (cluster) => {
    const user = accountOf("blog");
    await cluster.kubectl(["create", "namespace", "blog"]);
    const className = "--gateway-class=shared";
    const args = ["-n=blog", "--no-create-namespace", "--namespaces=blog", className];
    const manifests = await install(...args);
    assert(!manifests.includes("Cluster"), manifests);
    await cluster.apply(manifests);
    await cluster.apply(gateway("blog", "shared"));
    for (const resource of ["gateways", "httproutes"]) {
      const attributes = { group: "gateway.networking.k8s.io", resource, verb: "list" };
      assert(await may(cluster, user, { ...attributes, namespace: "blog" }));
      assert(!await may(cluster, user, { ...attributes, namespace: "default" }));
    }
    await runAs(cluster, "blog", "blog", ["--namespaces=blog", className, "--without=Secret"]);
    assertEquals(await refusals(cluster, user), []);
  }));
