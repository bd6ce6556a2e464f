/**
 * The HTTP API where the network is not trusted, against a real API server: real tokens, real roles (the
 * ones that docs/security.md tells people to apply), and the rights that `weir install` gives weir.
 * Without it a ServiceAccount with no rights might read everything, by a role that every cluster has.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { isRecord } from "../../src/kube/json_value.ts";
import { grantAccess, makeToken } from "./access.ts";
import { type TestCluster, withCluster } from "./test_cluster.ts";
import { tellFigure, until } from "./until.ts";
import { weirOutput, WeirRun } from "./weir_run.ts";

/** Until what was taken away is refused: the time of a yes, and of the API server's own memory. */
const revokedLimitMs = 60_000;

/** The roles of the page, and one that gives the operator's to a ServiceAccount. */
async function applyRoles(cluster: TestCluster): Promise<void> {
  const page = await Deno.readTextFile(new URL("../../docs/security.md", import.meta.url));
  const roles = /```yaml\n([^`]*ClusterRole[^`]*)```/.exec(page)?.[1];
  assert(roles !== undefined, "the page shows roles");
  for (const namespace of ["monitoring", "people"]) {
    await cluster.kubectl(["create", "namespace", namespace]);
  }
  await cluster.apply(roles);
  const accounts = [["prometheus", "monitoring"], ["operator", "people"], ["nobody", "people"]];
  for (const [name = "", namespace = ""] of accounts) {
    await cluster.kubectl(["create", "serviceaccount", name, "-n", namespace]);
  }
  await cluster.kubectl([
    ...["create", "clusterrolebinding", "weir-operator", "--clusterrole=weir-operator"],
    "--serviceaccount=people:operator",
  ]);
}

async function tokenOf(
  cluster: TestCluster,
  name: string,
  namespace: string,
  ...more: readonly string[]
): Promise<string> {
  return (await cluster.kubectl(["create", "token", name, "-n", namespace, ...more])).trim();
}

/** A weir that everybody in the cluster's network reaches. */
function startWeir(kubeconfig: string, ...args: readonly string[]): WeirRun {
  return WeirRun.start({
    kubeconfig,
    args: ["--api-address=0.0.0.0:0", "--data-plane=none", ...args],
  });
}

/** `status`, or `status reason`. */
async function ask(url: string, token?: string, init: RequestInit = {}): Promise<string> {
  const headers = new Headers(init.headers);
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  const response = await fetch(url, { ...init, headers });
  const text = await response.text();
  const isProblem = response.headers.get("content-type") === "application/problem+json";
  return isProblem ? `${response.status} ${JSON.parse(text).reason}` : `${response.status}`;
}

const plan: RequestInit = {
  method: "POST",
  headers: { "content-type": "application/yaml" },
  body: "apiVersion: v1\nkind: Namespace\nmetadata: { name: planned }\n",
};

Deno.test("a real cluster decides who may use the API", () =>
  withCluster(async (cluster) => {
    const kubeconfig = await grantAccess(cluster);
    await applyRoles(cluster);
    const prometheus = await tokenOf(cluster, "prometheus", "monitoring");
    const operator = await tokenOf(cluster, "operator", "people");
    const nobody = await tokenOf(cluster, "nobody", "people");
    await using weir = startWeir(kubeconfig);
    const url = (await weir.ready()).replace("0.0.0.0", "127.0.0.1");
    await weir.explain(async () => {
      assertEquals(await ask(`${url}/livez`), "200");
      assertEquals(await ask(`${url}/readyz?verbose`), "200");
      const paths = ["/", "/metrics", "/readyz?verbose", "/api/v1/state", "/api/v1/proxy"];
      for (const path of [...paths, "/openapi.json", "/api/v1/changes", "/healthz", "/api"]) {
        // Every ServiceAccount may get /api/*, /openapi/* and /readyz of the API server.
        assertEquals(await ask(url + path, nobody), "403 AccessDenied", path);
        assertEquals(await ask(url + path, await makeToken(cluster)), "403 AccessDenied", path);
        assertEquals(await ask(url + path, `${nobody}x`), "401 TokenUnknown", path);
      }
      assertEquals(await ask(`${url}/metrics`, prometheus), "200");
      assertEquals(await ask(`${url}/api/v1/state`, prometheus), "403 AccessDenied");
      assertEquals(await ask(`${url}/api/v1/state`, operator), "200");
      assertEquals(await ask(`${url}/metrics`, operator), "403 AccessDenied");
      assertEquals(await ask(`${url}/api/v1/plan`, operator, plan), "200");
      assertEquals(await ask(`${url}/api/v1/plan`, prometheus, plan), "403 AccessDenied");
      const file = `${cluster.state}/operator.token`;
      await Deno.writeTextFile(file, `${operator}\n`);
      const answer = await weirOutput([
        ...["explain", `--api=${url}`, `--api-token-file=${file}`, "--host=shop.example", "-ojson"],
      ]);
      assertStringIncludes(answer, `"decision"`);
      for (const token of [prometheus, operator, nobody]) {
        assertEquals(weir.log.includes(token), false);
      }
    });
    const reviews = (await cluster.audit()).filter(({ resource }) => resource.endsWith("reviews"));
    assertEquals(reviews.filter(({ code }) => code === 403), []);
  }));

Deno.test("a token for an audience of weir's own opens weir, and nothing else", () =>
  withCluster(async (cluster) => {
    const kubeconfig = await grantAccess(cluster);
    const own = await tokenOf(cluster, "operator", "people", "--audience=weir");
    const usual = await tokenOf(cluster, "operator", "people");
    await using weir = startWeir(kubeconfig, "--api-audiences=weir");
    const url = (await weir.ready()).replace("0.0.0.0", "127.0.0.1");
    await weir.explain(async () => {
      assertEquals(await ask(`${url}/api/v1/state`, own), "200");
      assertEquals(await ask(`${url}/api/v1/state`, usual), "401 TokenUnknown");
    });
    const review = await cluster.api("/apis/authentication.k8s.io/v1/tokenreviews", {
      method: "POST",
      body: {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenReview",
        spec: { token: own },
      },
    });
    assert(isRecord(review?.status) && review.status.authenticated !== true);
  }));

Deno.test("who is taken out is refused, an API server that is away lets nobody in", () =>
  withCluster(async (cluster) => {
    const kubeconfig = await grantAccess(cluster);
    const operator = await tokenOf(cluster, "operator", "people");
    await using weir = startWeir(kubeconfig);
    const url = (await weir.ready()).replace("0.0.0.0", "127.0.0.1");
    await weir.explain(async () => {
      const authorization = `Bearer ${operator}`;
      const stream = await fetch(`${url}/api/v1/changes`, { headers: { authorization } });
      assertEquals(stream.status, 200);
      const events = stream.text();
      await cluster.kill("kube-apiserver");
      const fresh = `${operator.slice(0, -4)}AAAA`;
      assertEquals(await ask(`${url}/api/v1/state`, fresh), "503 ReviewUnavailable");
      assertEquals(await ask(`${url}/livez`), "200");
      await cluster.revive();
      await until(
        "the operator is let in",
        60_000,
        async () => await ask(`${url}/api/v1/state`, operator) === "200",
      );
      const fromMs = performance.now();
      await cluster.kubectl(["delete", "serviceaccount", "operator", "-n", "people"]);
      await until(
        "the operator is refused",
        revokedLimitMs,
        async () => await ask(`${url}/api/v1/state`, operator) === "401 TokenUnknown",
      );
      tellFigure("ms until a token was refused", Math.round(performance.now() - fromMs));
      assertStringIncludes(await events, `{"reason":"AccessEnded"}`);
      tellFigure("ms until its stream ended", Math.round(performance.now() - fromMs));
    });
  }));
