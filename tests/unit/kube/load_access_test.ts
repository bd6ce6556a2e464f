// Who misreads a kubeconfig talks to the wrong cluster, or as the wrong user; who prints it gives the
// cluster away.

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  type AccessSurroundings,
  kubeconfigPaths,
  loadKubeconfigAccess,
  loadPodAccess,
} from "../../../src/kube/load_access.ts";
import { AccessError } from "../../../src/kube/cluster_access.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

const never = new AbortController().signal;
const pem = "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n";

/** A machine with these files, this environment and this credential plugin. */
function surroundings(
  files: Readonly<Record<string, string>>,
  more: Partial<AccessSurroundings> = {},
): AccessSurroundings & { readonly clock: FakeClock } {
  return {
    env: () => undefined,
    readFile: (path) =>
      files[path] === undefined
        ? Promise.reject(new Error(`no file ${path}`))
        : Promise.resolve(files[path]),
    runProgram: () => Promise.reject(new Error("no programs here")),
    askProvider: () => Promise.reject(new Error("no providers here")),
    ...more,
    clock: new FakeClock(),
  };
}

/** One context `c` of one cluster and one user, in YAML. */
function kubeconfig(user: string, cluster = "server: https://a.example:6443"): string {
  return `
current-context: c
contexts: [{name: c, context: {cluster: k, user: u, namespace: shop}}]
clusters: [{name: k, cluster: {${cluster}}}]
users: [{name: u, user: {${user}}}]
`;
}

async function load(content: string, more: Partial<AccessSurroundings> = {}, files = {}) {
  const around = surroundings({ "/home/me/.kube/config": content, ...files }, more);
  const access = await loadKubeconfigAccess(["/home/me/.kube/config"], undefined, around);
  return { access, around };
}

Deno.test("A context gives server, namespace and token", async () => {
  const { access } = await load(kubeconfig("token: abc"));
  assertEquals(access.server.href, "https://a.example:6443/");
  assertEquals([access.namespace, access.isInsecure], ["shop", false]);
  assertEquals(await access.credentials.identity(never), { authorization: "Bearer abc" });
});

Deno.test("Several files are one: the first that says something wins, missing ones are left out", async () => {
  const files = {
    "/a": "current-context: two\nclusters: [{name: k, cluster: {server: 'https://first:1'}}]",
    "/b": `
current-context: one
contexts: [{name: one, context: {cluster: k}}, {name: two, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: 'https://second:1'}}]
users: [{name: u, user: {token: t}}]`,
  };
  const around = surroundings(files);
  const access = await loadKubeconfigAccess(["/none", "/a", "/b"], undefined, around);
  assertEquals(access.server.host, "first:1");
  assertEquals((await access.credentials.identity(never)).authorization, "Bearer t");
  const other = await loadKubeconfigAccess(["/a", "/b"], "one", around);
  assertEquals(await other.credentials.identity(never), {});
});

Deno.test("kubeconfigPaths() takes the named file, KUBECONFIG, the home folder, in this order", () => {
  const env = (name: string) => ({ KUBECONFIG: "/a::/b", HOME: "/home/me" })[name];
  assertEquals(kubeconfigPaths("/x", env), ["/x"]);
  assertEquals(kubeconfigPaths(undefined, env), ["/a", "/b"]);
  assertEquals(kubeconfigPaths(undefined, (name) => name === "HOME" ? "/h" : ""), [
    "/h/.kube/config",
  ]);
});

Deno.test("Paths are relative to their file; data goes before files", async () => {
  const { access } = await load(
    kubeconfig(
      `client-certificate: c.pem, client-certificate-data: ${btoa(pem)}, client-key: ../k.pem`,
      "server: 'https://a:1', certificate-authority: ca.pem",
    ),
    {},
    { "/home/me/.kube/ca.pem": "CA", "/home/me/k.pem": "KEY" },
  );
  assertEquals(await access.credentials.identity(never), { ca: "CA", cert: pem, key: "KEY" });
});

Deno.test("A token file is read again after a minute, and when the token was refused", async () => {
  const files: Record<string, string> = { "/t": "one\n" };
  const { access, around } = await load(kubeconfig("tokenFile: /t, token: old"), {
    readFile: (path) =>
      Promise.resolve(path === "/t" ? files["/t"] ?? "" : kubeconfig("tokenFile: /t, token: old")),
  });
  const token = async () => (await access.credentials.identity(never)).authorization;
  assertEquals(await token(), "Bearer one");
  files["/t"] = "two";
  assertEquals(await token(), "Bearer one");
  await around.clock.advance(60_000);
  assertEquals(await token(), "Bearer two");
  files["/t"] = "three";
  await around.clock.advance(1_000);
  access.credentials.forget();
  assertEquals(await token(), "Bearer three");
  // A file that is gone for the moment does no harm.
  files["/t"] = "";
  await around.clock.advance(120_000);
  assertEquals(await token(), "Bearer three");
});

Deno.test("Impersonation, proxy, server name and insecure are taken over", async () => {
  const { access } = await load(kubeconfig(
    "as: jane, as-uid: '7', as-groups: [dev], as-user-extra: {reason: [x]}",
    "server: 'https://a:1', proxy-url: 'socks5://p:1080', tls-server-name: b, insecure-skip-tls-verify: true",
  ));
  const { impersonate, proxy, tlsServerName, isInsecure } = access;
  assertEquals(impersonate, { user: "jane", uid: "7", groups: ["dev"], extra: { reason: ["x"] } });
  assertEquals([proxy?.href, tlsServerName, isInsecure], ["socks5://p:1080", "b", true]);
});

Deno.test("The environment's proxy counts unless NO_PROXY has the server", async () => {
  const proxyWith = async (exceptions: string, server = "https://api.a.example:6443") => {
    const env = (name: string) => ({ HTTPS_PROXY: "proxy:3128", NO_PROXY: exceptions })[name];
    return (await load(kubeconfig("token: t", `server: '${server}'`), { env })).access.proxy?.href;
  };
  assertEquals(await proxyWith(""), "http://proxy:3128/");
  assertEquals(await proxyWith("b.example, a.example"), undefined);
  assertEquals(await proxyWith(".a.example"), undefined);
  assertEquals(await proxyWith("xa.example"), "http://proxy:3128/");
  assertEquals(await proxyWith("*"), undefined);
  assertEquals(await proxyWith("10.0.0.0/8", "https://10.1.2.3"), undefined);
  assertEquals(await proxyWith("10.0.0.0/8", "https://11.1.2.3"), "http://proxy:3128/");
  assertEquals(await proxyWith("fd00::/8", "https://[fd00::1]"), undefined);
  assertEquals(await proxyWith("", "https://127.0.0.1:1"), undefined);
});

const refused: Readonly<Record<string, readonly [content: string, words: string]>> = {
  "that is not YAML": ["a: [1,\nb: 'SECRET", "it is not YAML"],
  "of another shape": ["clusters: 7", "clusters: wanted"],
  "without a current context": ["clusters: []", "no current context"],
  "with a context that is not there": ["current-context: x", 'context "x"'],
  "with a cluster that is not there": [
    "current-context: c\ncontexts: [{name: c, context: {cluster: k}}]",
    'no cluster "k"',
  ],
  "with a certificate without a key": [
    kubeconfig("client-certificate: a"),
    "there is no client-key",
  ],
  "with data that is no certificate": [
    kubeconfig("client-certificate-data: SECRET, client-key: k"),
    "client-certificate-data: it is not PEM",
  ],
  "with a server that is no URL": [
    kubeconfig("token: t", "server: nowhere"),
    "not an https or http",
  ],
  "with a token in the clear": [
    kubeconfig("token: t", "server: 'http://a.example'"),
    "in the clear",
  ],
  "with a proxy that is not known": [
    kubeconfig("token: t", "server: 'https://a', proxy-url: 'ftp://SECRET@x'"),
    "proxy-url",
  ],
  "with an auth-provider that is gone": [kubeconfig("auth-provider: {name: gcp}"), "exec plugin"],
  "with a provider without an address": [
    kubeconfig("auth-provider: {name: oidc, config: {id-token: SECRET}}"),
    "idp-issuer-url",
  ],
  "with a provider in the clear": [
    kubeconfig("auth-provider: {name: oidc, config: {idp-issuer-url: 'http://a', client-id: x}}"),
    "https",
  ],
  "with a provider that knows no client": [
    kubeconfig("auth-provider: {name: oidc, config: {idp-issuer-url: 'https://a'}}"),
    "client-id",
  ],
  "with groups but no user": [kubeconfig("as-groups: [a]"), "without a user"],
  "with a plugin of an old version": [
    kubeconfig("exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: x}"),
    "apiVersion",
  ],
  "with a plugin that wants a terminal": [
    kubeconfig(
      "exec: {apiVersion: client.authentication.k8s.io/v1, command: x, interactiveMode: Always}",
    ),
    "terminal",
  ],
};
for (const [what, [content, words]] of Object.entries(refused)) {
  Deno.test(`A kubeconfig ${what} is refused, and its secrets are not told`, async () => {
    const error = await assertRejects(() => load(content), Error);
    assertStringIncludes(error.message, words);
    assertEquals(error.message.includes("SECRET"), false);
  });
}

Deno.test("In a pod: the files of its ServiceAccount", async () => {
  const folder = "/var/run/secrets/kubernetes.io/serviceaccount";
  const around = surroundings({
    [`${folder}/token`]: "tok",
    [`${folder}/ca.crt`]: "CA",
    [`${folder}/namespace`]: "weir-system\n",
  }, {
    env: (name) => ({ KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" })[name],
  });
  const access = await loadPodAccess(around);
  assertEquals(access.server.href, "https://[fd00::1]/");
  assertEquals(access.namespace, "weir-system");
  assertEquals(await access.credentials.identity(never), {
    authorization: "Bearer tok",
    ca: "CA",
  });
  await assertRejects(() => loadPodAccess(surroundings({})), Error, "KUBERNETES_SERVICE_HOST");
});

Deno.test("Of several kubeconfigs those that are missing are left out; of none it is said why", async () => {
  const around = surroundings({ "/b": kubeconfig("token: secret") });
  const { server } = await loadKubeconfigAccess(["/a", "/b"], undefined, around);
  assertEquals(server.hostname, "a.example");
  await assertRejects(
    () => loadKubeconfigAccess(["/a", "/c"], undefined, around),
    AccessError,
    "Cannot use a kubeconfig: no file /a; no file /c",
  );
});
