// Commands that read a cluster, over real HTTP. What a user would lose: a look at a cluster that leaves
// it as it is, an answer about what it really holds, and a credential that nobody gets to see.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { refusal } from "../fakes/double_reply.ts";
import { type ClusterFolder, clusterToken, openClusterFolder } from "../fakes/cluster_folder.ts";
import { weirCommand } from "../fakes/weir_process.ts";

/** Runs a command; nothing of what it says may hold the credential. */
async function weir(...args: readonly string[]) {
  const { code, stdout, stderr } = await weirCommand(args).output();
  const decoder = new TextDecoder();
  const [out, err] = [decoder.decode(stdout), decoder.decode(stderr)];
  assert(!`${out}${err}`.includes(clusterToken));
  return { code, out, err };
}

/** A class, a Gateway with an address, a Service, and a route that its second generation is of. */
function fill({ double }: ClusterFolder): void {
  const cluster = { namespace: "" };
  for (const name of ["default", "shop"]) {
    const labels = { "kubernetes.io/metadata.name": name };
    double.put("Namespace", name, { ...cluster, metadata: { labels } });
  }
  const controllerName = "weir.dev/gateway-controller";
  double.put("GatewayClass", "weir", { ...cluster, spec: { controllerName } });
  double.put("Gateway", "web", {
    namespace: "shop",
    spec: {
      gatewayClassName: "weir",
      listeners: [{
        name: "http",
        port: 8080,
        protocol: "HTTP",
        allowedRoutes: { namespaces: { from: "Same" } },
      }],
    },
    status: { addresses: [{ type: "IPAddress", value: "127.0.0.7" }] },
  });
  const annotations = { "weir.dev/endpoints": "127.0.0.1:3000" };
  double.put("Service", "app", {
    namespace: "shop",
    metadata: { annotations },
    spec: { ports: [{ port: 80, protocol: "TCP" }] },
  });
  const group = "gateway.networking.k8s.io";
  double.put("HTTPRoute", "cart", {
    namespace: "shop",
    metadata: { generation: 2 },
    spec: {
      parentRefs: [{ group, kind: "Gateway", name: "web" }],
      hostnames: ["shop.example.com"],
      rules: [{
        matches: [{ path: { type: "PathPrefix", value: "/" } }],
        backendRefs: [{ group: "", kind: "Service", name: "app", port: 80, weight: 1 }],
      }],
    },
  });
}

const change = `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: cart, namespace: shop }
spec:
  parentRefs: [{ name: web }]
  hostnames: [shop.example.com]
  rules: [{ backendRefs: [{ name: gone, port: 80 }] }]
`;

Deno.test("Commands answer about a cluster and send it nothing but GETs", async () => {
  await using cluster = await openClusterFolder("v9.1.0");
  fill(cluster);
  const from = ["--kubeconfig", cluster.kubeconfig];
  const translated = await weir("translate", ...from, "-o", "json");
  assertEquals([translated.code, translated.err], [0, ""]);
  const { statuses, gateways } = JSON.parse(translated.out);
  assertEquals(gateways[0].addresses, ["127.0.0.7"]);
  const ofKind = (kind: string) =>
    statuses.find((status: { readonly kind: string }) => status.kind === kind).status;
  const supported = ofKind("GatewayClass").conditions
    .find(({ type }: { readonly type: string }) => type === "SupportedVersion");
  assertEquals([supported.status, supported.message.includes("v9.1.0")], ["False", true]);
  const [{ observedGeneration }] = ofKind("HTTPRoute").parents[0].conditions;
  assertEquals(observedGeneration, 2);

  const proposal = await cluster.write("change.yaml", change);
  const plan = await weir("plan", "-f", proposal, ...from, "-o", "json");
  assertEquals([plan.code, plan.err], [1, ""]);
  const { verdict, changes } = JSON.parse(plan.out);
  assertEquals(verdict, "worse");
  const paths = changes.map(({ path }: { readonly path: string }) => path);
  assert(paths.every((path: string) => !path.includes("address")), paths.join("\n"));
  const deletion = await weir("plan", "--delete=svc/shop/app", ...from);
  assertStringIncludes(deletion.out, 'Cannot use Service "shop/app": it does not exist');

  const status = await weir("explain", "HTTPRoute", "shop/cart", ...from);
  assertStringIncludes(status.out, "HTTPRoute shop/cart spec.rules");
  const request = await weir("explain", "--host=shop.example.com", "--port=8080", ...from);
  assertStringIncludes(request.out, "100% Service shop/app:80 at 127.0.0.1:3000");
  const none = await weir("explain", "HTTPRoute", "shop/none", ...from);
  assertEquals(none.code, 1);
  assertStringIncludes(none.err, 'Explain HTTPRoute "shop/none": there is no such HTTPRoute');
  const elsewhere = await weir("explain", "HTTPRoute", "cart", ...from);
  assertStringIncludes(elsewhere.err, 'no such HTTPRoute, did you mean "shop/cart"?');

  const { served } = cluster.server;
  assertEquals([...new Set(served.map(({ method }) => method))], ["GET"]);
  assertEquals(served.filter(({ url }) => url.includes("watch=")), []);
});

Deno.test("What may not be read is a warning or an end, with the way out", async () => {
  await using cluster = await openClusterFolder();
  fill(cluster);
  const from = ["--kubeconfig", cluster.kubeconfig];
  cluster.double.forbidden.add("TCPRoute");
  const warned = await weir("translate", ...from);
  assertEquals(warned.code, 0);
  assertStringIncludes(
    warned.err,
    "warning: TCPRoute may not be read and counts as empty: The API",
  );
  cluster.double.forbidden.add("Secret").add("GatewayClass");
  const refused = await weir("translate", ...from);
  assertEquals(refused.code, 1);
  assertStringIncludes(
    refused.err,
    `Read the cluster at ${cluster.server.url.origin}: Cannot read`,
  );
  assertStringIncludes(
    refused.err,
    "wanted the right to list them, or --gateway-class=NAME --without=Secret",
  );
  const without = await weir("translate", ...from, "--without=Secret", "--gateway-class=weir");
  assertEquals(without.code, 0);
  assertStringIncludes(without.out, "HTTPRoute shop/cart");
});

Deno.test("A cluster that cannot be asked is named, with what is wrong", async () => {
  await using cluster = await openClusterFolder();
  const from = ["--kubeconfig", cluster.kubeconfig];
  const context = await weir("translate", ...from, "--context=prod");
  assertStringIncludes(context.err, `Cannot use context "prod" of "${cluster.kubeconfig}"`);
  const missing = await weir("translate", "--kubeconfig", `${cluster.root}/none`);
  assertStringIncludes(missing.err, `"${cluster.root}/none" cannot be read`);
  const broken = await cluster.write("broken", "clusters: {");
  assertStringIncludes(
    (await weir("translate", "--kubeconfig", broken)).err,
    `Cannot read "${broken}"`,
  );
  cluster.double.tokens = new Set(["another"]);
  const unauthorized = await weir("translate", ...from);
  assertEquals(unauthorized.code, 1);
  assertStringIncludes(unauthorized.err, "The API server answered 401");
  cluster.double.tokens = undefined;
  cluster.double.intercept = () => refusal(403, "Forbidden");
  assertStringIncludes(
    (await weir("translate", ...from)).err,
    "wanted the right to list them, or in part",
  );
  await cluster.server.stop();
  const gone = await weir("translate", ...from);
  assertEquals(gone.code, 1);
  assertStringIncludes(gone.err, "Read the cluster at http://127.0.0.1:");
});

Deno.test("Nothing can be applied of a kind that the cluster does not have", async () => {
  await using cluster = await openClusterFolder();
  fill(cluster);
  cluster.double.unserve("HTTPRoute");
  const proposal = await cluster.write("change.yaml", change);
  const plan = await weir("plan", "-f", proposal, "--kubeconfig", cluster.kubeconfig);
  assertEquals(plan.code, 3);
  assertStringIncludes(plan.err, `change.yaml:2 HTTPRoute shop/cart`);
  assertStringIncludes(plan.err, `no matches for kind "HTTPRoute"`);
});
