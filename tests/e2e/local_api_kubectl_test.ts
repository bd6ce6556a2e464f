/**
 * The local cluster's API in the hands of kubectl: whatever a person tries, it ends and speaks as with
 * a real API server. What a user would lose: a folder of manifests to learn and to test with.
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { comparable, kubectl, KubectlWatch } from "./kubectl.ts";
import { kubectlSteps } from "./kubectl_steps.ts";
import { LocalWeir } from "./local_weir.ts";
import { TestCluster } from "./test_cluster.ts";

/** The words of a command: split at spaces, but for what is in single quotes. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:[^\s']|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ""));
}

/** A Gateway and what it needs, as in a folder that a person serves. */
function manifests(hostname: string): string {
  return `
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: weir }
spec: { controllerName: weir.dev/gateway-controller }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: demo }
spec:
  gatewayClassName: weir
  listeners: [{ name: http, port: 18080, protocol: HTTP }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: web, namespace: demo }
spec:
  parentRefs: [{ name: web }]
  hostnames: [${hostname}]
`;
}

Deno.test("kubectl ends and speaks alike with the local cluster and with a real one", async (test) => {
  const cluster = await TestCluster.open();
  await using weir = await LocalWeir.start("");
  const real = `${cluster.state}/admin.kubeconfig`;
  for (const [index, { args, endsAlike, ...options }] of kubectlSteps.entries()) {
    await test.step(`${index + 1}: kubectl ${args}`, async () => {
      const words = wordsOf(args);
      const [there, here] = await Promise.all([
        kubectl(words, { ...options, kubeconfig: real }),
        kubectl(words, { ...options, kubeconfig: weir.kubeconfig }),
      ]);
      if (endsAlike === undefined) assertEquals(comparable(here.text), comparable(there.text));
      assertEquals(here.code, there.code, here.text + there.text);
    });
  }
  await cluster.close();
});

Deno.test("what a file says, kubectl sees, waits for, changes, and watches the file take back", async () => {
  await using weir = await LocalWeir.start(manifests("a.example.com"));
  const { kubeconfig } = weir;
  const run = async (line: string, input = ""): Promise<string> => {
    const { code, text } = await kubectl(wordsOf(line), { kubeconfig, input });
    assertEquals(code, 0, `${line}: ${text}`);
    return text;
  };
  await run("wait gateway/web -n demo --for=condition=Programmed --timeout=20s");
  const owned = await run("get httproute web -n demo -o yaml --show-managed-fields");
  assertStringIncludes(owned, "manager: weir.dev/manifests");
  assertStringIncludes(owned, "manager: weir.dev/status");
  const mine = manifests("b.example.com").split("---").at(-1) ?? "";
  const apply = ["apply", "--server-side", "-f", "-"];
  const refused = await kubectl(apply, { kubeconfig, input: mine });
  assertStringIncludes(refused.text, 'conflicts with "weir.dev/manifests":\n- .spec.hostnames\n');
  await using watch = new KubectlWatch(["get", "httproutes", "-n", "demo", "-w"], kubeconfig);
  await watch.until("a.example.com");
  await run("apply --server-side --force-conflicts -f -", mine);
  await watch.until("b.example.com");
  await weir.edit(manifests("c.example.com"));
  await watch.until("c.example.com");
  assertStringIncludes(await run("describe httproute web -n demo"), "c.example.com");
});

Deno.test("a delete hits only the object that its preconditions name", async () => {
  await using weir = await LocalWeir.start("");
  const { kubeconfig } = weir;
  const run = (line: string, input = "") => kubectl(wordsOf(line), { kubeconfig, input });
  await run("create cm a -n demo --from-literal=a=b");
  const options = (uid: string): string =>
    JSON.stringify({ apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid } });
  const path = "/api/v1/namespaces/demo/configmaps/a";
  const other = await run(`delete --raw ${path} -f -`, options("another"));
  assertEquals(other.code, 1);
  assertStringIncludes(other.text, "Precondition failed: UID in precondition: another");
  const { text: uid } = await run("get cm a -n demo -o jsonpath={.metadata.uid}");
  assertEquals((await run(`delete --raw ${path} -f -`, options(uid))).code, 0);
});
