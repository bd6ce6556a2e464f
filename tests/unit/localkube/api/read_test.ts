/**
 * Reading through the Kubernetes API. What a user would lose: kubectl that finds what is served, lists
 * that are complete and show one moment, selectors that select, and refusals that kubectl understands.
 */

import { assert, assertEquals } from "@std/assert";
import { configMap, configMaps, route, routes, TestKubeApi } from "../../../fakes/kube_api.ts";

const table = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
const partial = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList," +
  "application/json";

async function withMaps(count: number): Promise<TestKubeApi> {
  const api = new TestKubeApi();
  for (let index = 0; index < count; index++) {
    const object = configMap(`m${index}`);
    object.metadata.labels = { tier: index % 2 === 0 ? "even" : "odd", n: String(index) };
    await api.ask("POST", configMaps, { body: object });
  }
  return api;
}

function namesOf({ json }: { readonly json: { items: { metadata: { name: string } }[] } }) {
  return json.items.map(({ metadata }) => metadata.name);
}

Deno.test("discovery lists every group with its versions, the preferred one first", async () => {
  const api = new TestKubeApi();
  const { json } = await api.ask("GET", "/apis");
  const gateway = json.groups.find(({ name }: { name: string }) =>
    name === "gateway.networking.k8s.io"
  );
  assertEquals(gateway.preferredVersion.version, "v1");
  assertEquals(
    gateway.versions.map(({ version }: { version: string }) => version),
    ["v1", "v1beta1", "v1alpha3", "v1alpha2"],
  );
  assertEquals((await api.ask("GET", "/api")).json.versions, ["v1"]);
});

Deno.test("aggregated discovery has all of it in one document of its own type", async () => {
  const api = new TestKubeApi();
  const { json, contentType } = await api.ask("GET", "/apis", { accept: aggregated });
  assert(contentType.includes("as=APIGroupDiscoveryList"));
  const group = json.items.find((item: { metadata: { name: string } }) =>
    item.metadata.name === "gateway.networking.k8s.io"
  );
  const routes = group.versions[0].resources.find((one: { resource: string }) =>
    one.resource === "httproutes"
  );
  assertEquals(routes.responseKind.kind, "HTTPRoute");
  assertEquals(routes.subresources[0].subresource, "status");
});

Deno.test("kubectl get all finds Services and Pods, get gateway-api what the CRDs say", async () => {
  const api = new TestKubeApi();
  const ofCategory = async (root: string, wanted: string) => {
    const { json } = await api.ask("GET", root);
    return json.resources
      .filter(({ categories }: { categories?: string[] }) => categories?.includes(wanted))
      .map(({ name }: { name: string }) => name);
  };
  assertEquals((await ofCategory("/api/v1", "all")).sort(), ["pods", "services"]);
  const gatewayApi = await ofCategory("/apis/gateway.networking.k8s.io/v1", "gateway-api");
  assert(gatewayApi.includes("httproutes"));
});

Deno.test("every listed resource can be listed", async () => {
  const api = new TestKubeApi();
  for (const root of ["/api/v1", "/apis/gateway.networking.k8s.io/v1"]) {
    const { json } = await api.ask("GET", root);
    for (const { name, verbs } of json.resources) {
      if (!verbs.includes("list")) continue;
      const { status, json: list } = await api.ask("GET", `${root}/${name}`);
      assertEquals(status, 200, name);
      assert(list.kind.endsWith("List"));
    }
  }
});

Deno.test("a missing object is a Status that names it", async () => {
  const { status, json } = await new TestKubeApi().ask("GET", `${configMaps}/none`);
  assertEquals(status, 404);
  assertEquals(json.reason, "NotFound");
  assertEquals(json.message, `configmaps "none" not found`);
  assertEquals(json.details, { name: "none", kind: "configmaps" });
});

Deno.test("selectors select by labels and by fields", async () => {
  const api = await withMaps(5);
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["labelSelector=tier%3Dodd", ["m1", "m3"]],
    ["labelSelector=tier!%3Dodd", ["m0", "m2", "m4"]],
    ["labelSelector=tier+in+(odd,none),n+notin+(1)", ["m3"]],
    ["labelSelector=missing", []],
    ["labelSelector=!missing,n>2", ["m3", "m4"]],
    ["labelSelector=!constructor,n%3D0", ["m0"]],
    ["fieldSelector=metadata.name%3Dm2", ["m2"]],
    ["fieldSelector=metadata.name!%3Dm2,metadata.namespace%3Ddefault", ["m0", "m1", "m3", "m4"]],
  ];
  for (const [query, wanted] of cases) {
    assertEquals(namesOf(await api.ask("GET", `${configMaps}?${query}`)), wanted, query);
  }
});

Deno.test("a bad selector is refused with 400", async () => {
  const api = new TestKubeApi();
  for (
    const query of [
      "labelSelector=a+in+(b",
      "labelSelector=a+in+b",
      "labelSelector=%3Db",
      "labelSelector=a%3Db%3Dc",
      "labelSelector=a>b",
      "labelSelector=,",
      `labelSelector=${"a,".repeat(20_000)}`,
      "labelSelector=-a%3Db",
      "fieldSelector=spec.secret%3Dx",
      "fieldSelector=metadata.name",
      "fieldSelector=__proto__%3Dx",
      "limit=-1",
      "limit=many",
      "continue=%00",
      "continue=bm8",
      "resourceVersion=abc",
      "resourceVersionMatch=Exact",
      "resourceVersion=0&resourceVersionMatch=Exact",
      "sendInitialEvents=true",
    ]
  ) {
    const { status, json } = await api.ask("GET", `${configMaps}?${query}`);
    assertEquals([status, json.kind], [400, "Status"], query.slice(0, 100));
  }
});

Deno.test("pages show the moment of the first one", async () => {
  const api = await withMaps(5);
  const first = await api.ask("GET", `${configMaps}?limit=2`);
  assertEquals(namesOf(first), ["m0", "m1"]);
  assertEquals(first.json.metadata.remainingItemCount, 3);
  await api.ask("DELETE", `${configMaps}/m3`);
  await api.ask("POST", configMaps, { body: configMap("m2a") });
  const next = encodeURIComponent(first.json.metadata.continue);
  const second = await api.ask("GET", `${configMaps}?limit=2&continue=${next}`);
  assertEquals(namesOf(second), ["m2", "m3"]);
  assertEquals(second.json.metadata.resourceVersion, first.json.metadata.resourceVersion);
  const last = encodeURIComponent(second.json.metadata.continue);
  const third = await api.ask("GET", `${configMaps}?limit=2&continue=${last}`);
  assertEquals(namesOf(third), ["m4"]);
  assertEquals(third.json.metadata.continue, undefined);
});

Deno.test("an old page is 410 with a token that goes on with what there is now", async () => {
  const api = await withMaps(4);
  const first = await api.ask("GET", `${configMaps}?limit=2`);
  for (let index = 0; index < 40; index++) await api.ask("GET", `${configMaps}?limit=1`);
  const next = encodeURIComponent(first.json.metadata.continue);
  const expired = await api.ask("GET", `${configMaps}?limit=2&continue=${next}`);
  assertEquals([expired.status, expired.json.reason], [410, "Expired"]);
  const token = encodeURIComponent(expired.json.metadata.continue);
  assertEquals(namesOf(await api.ask("GET", `${configMaps}?continue=${token}`)), ["m2", "m3"]);
});

Deno.test("a version from the future is 504, one that is gone 410", async () => {
  const api = await withMaps(2);
  const future = await api.ask("GET", `${configMaps}?resourceVersion=999`);
  assertEquals(future.status, 504);
  assertEquals(future.json.details.causes[0].reason, "ResourceVersionTooLarge");
  const exact = `${configMaps}?resourceVersion=2&resourceVersionMatch=Exact`;
  assertEquals((await api.ask("GET", exact)).status, 410);
  const notOlder = `${configMaps}?resourceVersion=2&resourceVersionMatch=NotOlderThan`;
  assertEquals((await api.ask("GET", notOlder)).status, 200);
});

Deno.test("kubectl's table has the columns of the kind", async () => {
  const api = new TestKubeApi();
  await api.ask("POST", routes, { body: route("shop") });
  const { json } = await api.ask("GET", routes, { accept: table });
  assertEquals(json.kind, "Table");
  assertEquals(
    json.columnDefinitions.map(({ name }: { name: string }) => name),
    ["Name", "Hostnames", "Age"],
  );
  assertEquals(json.rows[0].cells, ["shop", `["a.example.com"]`, "0s"]);
  assertEquals(json.rows[0].object.kind, "PartialObjectMetadata");
});

Deno.test("metadata alone has no spec", async () => {
  const api = new TestKubeApi();
  await api.ask("POST", routes, { body: route("shop") });
  const { json } = await api.ask("GET", routes, { accept: partial });
  assertEquals(json.kind, "PartialObjectMetadataList");
  assertEquals(json.items[0].spec, undefined);
  assertEquals(json.items[0].metadata.name, "shop");
});

Deno.test("an older version shows the same objects under its own name", async () => {
  const api = new TestKubeApi();
  await api.ask("POST", routes, { body: route("shop") });
  const { json } = await api.ask("GET", routes.replace("/v1/", "/v1beta1/"));
  assertEquals(json.apiVersion, "gateway.networking.k8s.io/v1beta1");
  assertEquals(json.items[0].apiVersion, "gateway.networking.k8s.io/v1beta1");
});

Deno.test("paths that are none are refused, whatever is in them", async () => {
  const api = new TestKubeApi();
  for (
    const path of [
      "/api/v2",
      "/api/v1/nodes",
      "/apis/none/v1",
      "/apis/gateway.networking.k8s.io/v9",
      `${configMaps}/a%2Fb`,
      `${configMaps}/..%2f..`,
      `${configMaps}/%00`,
      `${configMaps}/a/status`,
      `${configMaps}/a/b/c`,
      "/api/v1/configmaps/a",
      "/api/v1/namespaces/default/namespaces/x",
      "/api/v1/namespaces//configmaps",
      "/api/v1/__proto__",
      `/api/v1/${"a".repeat(5000)}`,
      "//api/v1",
    ]
  ) {
    const { status, json } = await api.ask("GET", path);
    assertEquals([status, json.kind], [404, "Status"], path.slice(0, 80));
  }
  assertEquals((await api.ask("GET", `${configMaps}/%zz`)).status, 400);
  assertEquals((await api.ask("TRACE", configMaps)).status, 405);
  assertEquals((await api.ask("GET", configMaps, { accept: "text/html" })).status, 406);
});

Deno.test("a client learns what it may do", async () => {
  const api = new TestKubeApi();
  const reviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  const spec = { resourceAttributes: { verb: "create", resource: "configmaps" } };
  const { status, json } = await api.ask("POST", reviews, { body: { spec } });
  assertEquals([status, json.status.allowed], [201, true]);
  const self = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const who = await api.ask("POST", self, { body: {} });
  assertEquals(who.json.status.userInfo.username, "system:local");
});
