/**
 * The cluster itself changes under a running weir: rights, tokens, the kinds it knows, its past. What
 * is served goes on, nothing that was said is taken back out of ignorance, and weir catches up by
 * itself. Without it each of these needs a restart, or empties the gateway.
 */

import { assert, assertEquals } from "@std/assert";
import { systemClock } from "../../src/base/clock.ts";
import {
  authorityFile,
  grantAccess,
  installation,
  makeToken,
  tokenFile,
  weirNamespace,
} from "./access.ts";
import { statusWrites } from "./audit_log.ts";
import { TestCluster, withCluster } from "./test_cluster.ts";
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

const namespace = "changes";
const target = { address: gatewayAddress, port: 80, host: "app.test" };
const args = [`--gateway-addresses=${gatewayAddress}`];
/** A kind that may not be read is asked for twice a minute. */
const noticeMs = 45_000;

/** What a test is given. */
interface Scene {
  readonly cluster: TestCluster;
  readonly weir: WeirRun;
}

/** Runs `test` with weir serving a route; no request may fail meanwhile. */
async function withService(test: (scene: Scene) => Promise<void>): Promise<void> {
  await withCluster(async (cluster) => {
    await using backend = startBackend();
    const kubeconfig = await grantAccess(cluster);
    await cluster.apply(gatewayManifests(namespace));
    await cluster.apply(backendManifests(namespace, backend.addr.port));
    await cluster.apply(JSON.stringify(httpRoute(namespace, "app", "app.test")));
    await using weir = WeirRun.start({ kubeconfig, args });
    await weir.explain(async () => {
      await weir.ready();
      await untilProgrammed(cluster, namespace);
      await untilServed(cluster, namespace, "app");
      await until(
        "a request is answered",
        5_000,
        async () => (await ask(target)).outcome === "200",
      );
      const traffic = new Traffic(target);
      traffic.start();
      try {
        await test({ cluster, weir });
      } finally {
        const { failed, failures } = await traffic.stop();
        assertEquals([failed, Object.fromEntries(failures)], [0, {}]);
      }
    });
    assertEquals(await weir.stop(), 0, weir.log);
  });
}

/** Creates a route and waits until it is served; the milliseconds that it took. */
async function serveRoute(cluster: TestCluster, name: string, limitMs: number): Promise<number> {
  const startMs = systemClock.monotonicMs();
  await cluster.api(pathOf("httproutes", namespace), {
    method: "POST",
    body: httpRoute(namespace, name, `${name}.test`),
  });
  await untilServed(cluster, namespace, name, limitMs);
  return Math.round(systemClock.monotonicMs() - startMs);
}

async function roleName(): Promise<string> {
  const role = (await installation()).find(({ kind }) => kind === "ClusterRole");
  const metadata = role?.metadata;
  assert(typeof metadata === "object" && metadata !== null && "name" in metadata);
  return String(metadata.name);
}

Deno.test("rights are taken away and given back: what is served goes on, then all is right", async () => {
  await withService(async ({ cluster, weir }) => {
    const name = await roleName();
    const sinceMs = systemClock.now();
    await cluster.kubectl(["delete", "clusterrolebinding", name]);
    // A watch that is open goes on; all are opened anew.
    await cluster.kill("kube-apiserver");
    await cluster.revive();
    await until("weir says that it may not read", 30_000, () => /phase=forbidden/.test(weir.log));
    await cluster.api(pathOf("httproutes", namespace), {
      method: "POST",
      body: httpRoute(namespace, "later", "later.test"),
    });
    await systemClock.sleep(5_000);
    assertEquals(statusWrites(await cluster.audit(), sinceMs).length, 0);
    await grantAccess(cluster);
    const startMs = systemClock.monotonicMs();
    await untilServed(cluster, namespace, "later", noticeMs);
    tellFigure(
      "rights given back, caught up after",
      `${Math.round(systemClock.monotonicMs() - startMs)} ms`,
    );
    const names = statusWrites(await cluster.audit(), sinceMs).map(({ resource, name }) =>
      `${resource}/${name}`
    );
    assertEquals(names.sort(), ["gateways/web", "httproutes/later"]);
  });
});

Deno.test("a token that is no longer good is read anew from its file", async () => {
  await withService(async ({ cluster, weir }) => {
    // A new ServiceAccount of the same name: the old token is refused from then on.
    await cluster.kubectl(["delete", "serviceaccount", "weir", "-n", weirNamespace]);
    const items = (await installation()).filter(({ kind }) => kind === "ServiceAccount");
    await cluster.apply(JSON.stringify({ apiVersion: "v1", kind: "List", items }));
    await cluster.kill("kube-apiserver");
    await cluster.revive();
    await until("the old token is refused", 30_000, () => /401|nauthorized/.test(weir.log));
    await Deno.writeTextFile(tokenFile(cluster), await makeToken(cluster));
    const tookMs = await serveRoute(cluster, "with-new-token", 60_000);
    tellFigure("a new token in its file, caught up after", `${tookMs} ms`);
  });
});

Deno.test("the CRDs of routes go and come back", async () => {
  await withService(async ({ cluster }) => {
    const crd = "udproutes.gateway.networking.k8s.io";
    const text = await cluster.kubectl(["get", "crd", crd, "-o", "json"]);
    await cluster.kubectl(["delete", "crd", crd]);
    await serveRoute(cluster, "without-udp", 10_000);
    await cluster.apply(strip(text));
    await serveRoute(cluster, "with-udp-again", 10_000);
  });
});

/** What the server added to an object is not applied again. */
function strip(text: string): string {
  const { metadata: { name, annotations, labels }, apiVersion, kind, spec } = JSON.parse(text);
  return JSON.stringify({ apiVersion, kind, metadata: { name, annotations, labels }, spec });
}

Deno.test("an older state of etcd is taken for what it is: the present", async () => {
  await withService(async ({ cluster }) => {
    await serveRoute(cluster, "in-the-copy", 10_000);
    await cluster.kill("kube-apiserver");
    await cluster.kill("etcd");
    await copyFolder(`${cluster.state}/etcd`, `${cluster.state}/etcd-copy`);
    await cluster.revive();
    await serveRoute(cluster, "lost", 30_000);
    for (let index = 0; index < 200; index++) {
      await cluster.merge(pathOf("httproutes", namespace, "app"), {
        metadata: { annotations: { "test/turn": `${index}` } },
      });
    }
    await cluster.kill("kube-apiserver");
    await cluster.kill("etcd");
    await Deno.remove(`${cluster.state}/etcd`, { recursive: true });
    await Deno.rename(`${cluster.state}/etcd-copy`, `${cluster.state}/etcd`);
    await cluster.revive();
    const tookMs = await serveRoute(cluster, "after", 45_000);
    tellFigure("etcd restored from a copy, caught up after", `${tookMs} ms`);
    const lost = { ...target, host: "lost.test" };
    await until(
      "the lost route is served no more",
      45_000,
      async () => (await ask(lost)).outcome === "404",
    );
    assertEquals((await ask({ ...target, host: "in-the-copy.test" })).outcome, "200");
  });
});

async function copyFolder(from: string, to: string): Promise<void> {
  const { success } = await new Deno.Command("cp", { args: ["-a", from, to] }).output();
  assert(success);
}

Deno.test("the right to write statuses comes back: they are written within seconds", async () => {
  await withService(async ({ cluster, weir }) => {
    const name = await roleName();
    await cluster.merge(`/apis/rbac.authorization.k8s.io/v1/clusterroles/${name}`, {
      rules: [{
        apiGroups: ["gateway.networking.k8s.io", "", "discovery.k8s.io"],
        resources: ["*"],
        verbs: ["get", "list", "watch"],
      }],
    });
    for (const index of [1, 2, 3]) {
      await cluster.api(pathOf("httproutes", namespace), {
        method: "POST",
        body: httpRoute(namespace, `unwritten-${index}`, `unwritten-${index}.test`),
      });
    }
    await until("weir may not write", 20_000, () => /outcome=forbidden/.test(weir.log));
    await systemClock.sleep(5_000);
    await grantAccess(cluster);
    const startMs = systemClock.monotonicMs();
    for (const index of [1, 2, 3]) {
      await untilServed(cluster, namespace, `unwritten-${index}`, 20_000);
    }
    const tookMs = Math.round(systemClock.monotonicMs() - startMs);
    tellFigure("the right to write given back after 5 s, caught up after", `${tookMs} ms`);
  });
});

Deno.test("the CRD of HTTPRoutes goes and comes back, and so does what is served", async () => {
  await withCluster(async (cluster) => {
    await using backend = startBackend();
    const kubeconfig = await grantAccess(cluster);
    await cluster.apply(gatewayManifests(namespace));
    await cluster.apply(backendManifests(namespace, backend.addr.port));
    await using weir = WeirRun.start({ kubeconfig, args });
    await weir.explain(async () => {
      await weir.ready();
      await untilProgrammed(cluster, namespace);
      if (await cluster.api(pathOf("httproutes", namespace, "app")) === undefined) {
        await serveRoute(cluster, "app", 10_000);
      }
      const crd = "httproutes.gateway.networking.k8s.io";
      const text = await cluster.kubectl(["get", "crd", crd, "-o", "json"]);
      await cluster.kubectl(["delete", "crd", crd]);
      await until(
        "the route is served no more",
        30_000,
        async () => (await ask(target)).outcome === "404",
      );
      await untilProgrammed(cluster, namespace);
      await cluster.apply(strip(text));
      // A CRD that is a moment old has no conditions, of which `kubectl wait` makes an error.
      const established = ["wait", "--for=condition=Established", "--timeout=30s", "crd", crd];
      await until("the CRD is established", 30_000, () => cluster.kubectl(established));
      const tookMs = await serveRoute(cluster, "app", 30_000);
      tellFigure("the CRD of HTTPRoutes is back, a route is served after", `${tookMs} ms`);
      assertEquals((await ask(target)).outcome, "200");
    });
    assertEquals(await weir.stop(), 0, weir.log);
  });
});

// Changes what all later tests of the file would have to trust, so it is the last one.
Deno.test("the certificate authority of the API server is replaced", async () => {
  await withService(async ({ cluster, weir }) => {
    await signWithNewAuthority(`${cluster.state}/pki`);
    await cluster.kill("kube-apiserver");
    await cluster.revive();
    await until("weir does not trust the server", 30_000, () => /phase=stale/.test(weir.log));
    await systemClock.sleep(5_000);
    await Deno.copyFile(`${cluster.state}/pki/ca2.crt`, authorityFile(cluster));
    const trusting = await TestCluster.open();
    try {
      const tookMs = await serveRoute(trusting, "with-new-authority", 60_000);
      tellFigure("a new authority in its file, caught up after", `${tookMs} ms`);
    } finally {
      trusting.close();
    }
  });
});

/** The server's certificate from another authority; the rig itself trusts both. */
async function signWithNewAuthority(pki: string): Promise<void> {
  const { success, stderr } = await new Deno.Command("sh", {
    args: ["-ec", signing],
    cwd: pki,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  assert(success, new TextDecoder().decode(stderr));
}

const signing = `
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ca2.key -out ca2.crt \\
  -subj /CN=testbed-ca-2 -days 30
openssl req -new -key apiserver.key -subj /CN=kube-apiserver -out apiserver.csr
printf 'extendedKeyUsage=serverAuth\\nsubjectAltName=IP:10.244.0.1,IP:127.0.0.1' > apiserver.ext
openssl x509 -req -in apiserver.csr -CA ca2.crt -CAkey ca2.key -CAcreateserial -days 30 \\
  -extfile apiserver.ext -out apiserver.crt
cat ca2.crt >> ca.crt
`;
