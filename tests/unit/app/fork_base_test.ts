// What a user would lose: a plan over a cluster that says what `kubectl apply` would do, not what a
// file in a folder would.

import { assert, assertEquals } from "@std/assert";
import type { ForkBase } from "../../../src/app/fork_base.ts";
import {
  endpointSlice,
  gateway,
  gatewayClass,
  httpRoute,
  listener,
  namespace,
  rule,
  service,
} from "../../fakes/gateway_objects.ts";
import { openAdmission } from "../../fakes/open_admission.ts";
import { linesOf, worldOf } from "../../fakes/plan_world.ts";

const real: ForkBase = {
  isReal: true,
  apiBundle: { versions: ["v1.6.3"] },
  absent: [],
  hasNamespaces: true,
};

const fromTeams = {
  allowedRoutes: { namespaces: { from: "Selector", selector: { matchLabels: { team: "web" } } } },
};
const objects = [
  gatewayClass(),
  namespace("default", { team: "web" }),
  gateway("gw", [listener("http", { port: 8080, ...fromTeams })]),
  service("web"),
  endpointSlice("web", "web", ["10.0.0.1"]),
  httpRoute("y", { hostnames: ["a.io"] }, { created: "2002-01-01T00:00:00Z" }),
  httpRoute("z", { hostnames: ["a.io"] }, { created: "2001-01-01T00:00:00Z" }),
];

const route = (name: string) => ({
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "HTTPRoute",
  metadata: { name },
  spec: { parentRefs: [{ name: "gw" }], hostnames: ["a.io"], rules: [rule("/")] },
});

const worldWith = (base: Partial<ForkBase>) =>
  worldOf(objects, { base: () => ({ ...real, ...base }) }, openAdmission);
const planOver = (base: Partial<ForkBase>, manifests: object) =>
  worldWith(base).plan(JSON.stringify(manifests));

Deno.test("A new object is younger than all of the cluster, and an old one stays as old", async () => {
  const added = await planOver({}, route("a"));
  const shadowed = added.newDiagnostics.map(({ object }) => object);
  assertEquals(shadowed, ["HTTPRoute default/a"]);
  const again = await planOver({}, route("y"));
  assertEquals(linesOf(again), []);
});

Deno.test("Labels that the manifest does not name stay", async () => {
  const plan = await planOver({}, {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "default" },
  });
  assertEquals([plan.verdict, plan.problems], ["unchanged", []]);
});

Deno.test("Nothing of a kind that the cluster does not have can be applied", async () => {
  const plan = await planOver({ absent: ["HTTPRoute"] }, route("a"));
  assertEquals(plan.changes, []);
  assertEquals(plan.problems.map(({ source, object }) => [source, object]), [
    ["-:1", "HTTPRoute default/a"],
  ]);
  assert(plan.problems[0]?.message.includes(`no matches for kind "HTTPRoute"`));
});

Deno.test("Namespaces that were not read match no selector, also those of copied objects", async () => {
  const plan = await planOver({ hasNamespaces: false }, route("a"));
  const accepted = plan.changes.find(({ name, path }) =>
    name === "a" && path.includes("[Accepted]")
  );
  assertEquals(JSON.stringify(accepted?.after).includes("NotAllowedByListeners"), true);
});

Deno.test("The class says what the CRDs of the cluster are, before and after", async () => {
  const classOf = (name: string) => ({
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "GatewayClass",
    metadata: { name },
    spec: { controllerName: "weir.dev/gateway-controller" },
  });
  const plan = await planOver({ apiBundle: { versions: ["v9.0.0"] } }, classOf("other"));
  const supported = plan.changes.find(({ path }) => path.includes("SupportedVersion"));
  assert(JSON.stringify(supported?.after).includes("v9.0.0"));
});

Deno.test("What is in a Namespace goes with it", async () => {
  const { changes, problems } = await worldWith({}).plan("", "namespace/default");
  assertEquals(problems, []);
  const gone = changes.filter(({ path, after }) =>
    /^status\.(?:parents.*\.)?conditions\[Accepted\]/.test(path) && after === null
  );
  assertEquals(gone.map(({ kind, name }) => `${kind} ${name}`), [
    "Gateway gw",
    "HTTPRoute y",
    "HTTPRoute z",
  ]);
});
