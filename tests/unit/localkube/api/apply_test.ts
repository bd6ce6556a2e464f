/**
 * Server-side apply. What a user would lose: fields of others that stay, fields that one gives up and
 * that go, and a conflict that says with whom and about what, instead of a silent fight.
 */

import { assert, assertEquals } from "@std/assert";
import {
  configMap,
  configMaps,
  type Json,
  route,
  routes,
  service,
  services,
  TestKubeApi,
} from "../../../fakes/kube_api.ts";

const contentType = "application/apply-patch+yaml";
const merge = { contentType: "application/merge-patch+json" };

interface Applied {
  readonly status: number;
  readonly json: Json;
}

function apply(api: TestKubeApi, path: string, manager: string, body: Json, more = "") {
  const query = `fieldManager=${manager}${more}`;
  return api.ask("PATCH", `${path}/${body.metadata.name}?${query}`, { body, contentType });
}

/** What `manager` owns by applying. */
function fieldsOf({ json }: Applied, manager: string): Json {
  return json.metadata.managedFields
    ?.find((entry: Json) => entry.manager === manager && entry.operation === "Apply")?.fieldsV1;
}

Deno.test("the first apply creates, and owns what it names", async () => {
  const api = new TestKubeApi();
  const made = await apply(api, configMaps, "ci", configMap("a", { x: "1" }));
  assertEquals(made.status, 201);
  assertEquals(fieldsOf(made, "ci"), { "f:data": { "f:x": {} } });
  const again = await apply(api, configMaps, "ci", configMap("a", { x: "1" }));
  assertEquals(again.status, 200);
  assertEquals(again.json.metadata.resourceVersion, made.json.metadata.resourceVersion);
});

Deno.test("what is no longer named goes, unless somebody else wants it", async () => {
  const api = new TestKubeApi();
  await apply(api, configMaps, "one", configMap("a", { x: "1", y: "1", z: "1" }));
  await apply(api, configMaps, "two", configMap("a", { y: "1" }));
  const { json } = await apply(api, configMaps, "one", configMap("a", { x: "1" }));
  assertEquals(json.data, { x: "1", y: "1" });
  const { json: left } = await apply(api, configMaps, "two", configMap("a"));
  assertEquals(left.data, { x: "1" });
});

Deno.test("another value is a conflict that names the manager and the field", async () => {
  const api = new TestKubeApi();
  await apply(api, configMaps, "one", configMap("a", { x: "1" }));
  const { status, json } = await apply(api, configMaps, "two", configMap("a", { x: "2" }));
  assertEquals([status, json.reason], [409, "Conflict"]);
  assertEquals(json.message, `Apply failed with 1 conflict: conflict with "one": .data.x`);
  assertEquals(json.details.causes, [
    { reason: "FieldManagerConflict", message: `conflict with "one"`, field: ".data.x" },
  ]);
  const shared = await apply(api, configMaps, "two", configMap("a", { x: "1" }));
  assertEquals(shared.status, 200);
});

Deno.test("force takes the field over", async () => {
  const api = new TestKubeApi();
  await apply(api, configMaps, "one", configMap("a", { x: "1", y: "1" }));
  const forced = await apply(api, configMaps, "two", configMap("a", { x: "2" }), "&force=true");
  assertEquals(forced.json.data, { x: "2", y: "1" });
  assertEquals(fieldsOf(forced, "one"), { "f:data": { "f:y": {} } });
});

Deno.test("items of a keyed list are told apart by all their keys", async () => {
  const api = new TestKubeApi();
  await apply(api, services, "one", service("a", [{ port: 53, name: "t" }]));
  const udp = { port: 53, protocol: "UDP", name: "u" };
  const both = await apply(api, services, "two", service("a", [udp]));
  assertEquals(both.json.spec.ports.map(({ name }: Json) => name), ["t", "u"]);
  assertEquals(Object.keys(fieldsOf(both, "one")["f:spec"]["f:ports"]), [
    `k:{"port":53,"protocol":"TCP"}`,
  ]);
  const gone = await apply(api, services, "one", service("a", []));
  assertEquals(gone.json.spec.ports.map(({ name }: Json) => name), ["u"]);
});

Deno.test("an item goes whole, with the defaults that nobody applied", async () => {
  const api = new TestKubeApi();
  const first = [{ port: 80, name: "a" }, { port: 81, name: "b" }];
  await apply(api, services, "one", service("a", first));
  const { json } = await apply(api, services, "one", service("a", [{ port: 81, name: "b" }]));
  assertEquals(json.spec.ports.map(({ port }: Json) => port), [81]);
});

Deno.test("a list that the schema calls atomic is one field", async () => {
  const api = new TestKubeApi();
  const path = "/apis/gateway.networking.k8s.io/v1/namespaces/default/httproutes";
  const body = (hostnames: readonly string[]): Json => ({
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "HTTPRoute",
    metadata: { name: "a" },
    spec: { hostnames },
  });
  await apply(api, path, "one", body(["a.example.com"]));
  const { json } = await apply(api, path, "two", body(["b.example.com"]));
  assertEquals(json.details.causes[0].field, ".spec.hostnames");
});

Deno.test("Gateway listeners are merged by name", async () => {
  const api = new TestKubeApi();
  const path = "/apis/gateway.networking.k8s.io/v1/namespaces/default/gateways";
  const body = (listeners: readonly Json[]): Json => ({
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "Gateway",
    metadata: { name: "a" },
    spec: { gatewayClassName: "weir", listeners },
  });
  await apply(api, path, "one", body([{ name: "http", port: 80, protocol: "HTTP" }]));
  const added = await apply(api, path, "two", body([{ name: "alt", port: 81, protocol: "HTTP" }]));
  assertEquals(added.json.spec.listeners.map(({ name }: Json) => name), ["http", "alt"]);
  const moved = await apply(api, path, "two", body([{ name: "http", port: 90, protocol: "HTTP" }]));
  assertEquals(moved.json.details.causes[0].field, `.spec.listeners[name="http"].port`);
});

Deno.test("an update takes fields away from those who applied them", async () => {
  const api = new TestKubeApi();
  await apply(api, configMaps, "one", configMap("a", { x: "1", y: "1" }));
  const patched = await api.ask("PATCH", `${configMaps}/a?fieldManager=edit`, {
    body: { data: { x: "2" } },
    contentType: "application/merge-patch+json",
  });
  assertEquals(fieldsOf(patched, "one"), { "f:data": { "f:y": {} } });
  const { json } = await apply(api, configMaps, "one", configMap("a", { x: "1", y: "1" }));
  assert(json.message.includes(`conflict with "edit" using v1: .data.x`));
});

Deno.test("an object from a file belongs to the manifests until somebody else writes it", async () => {
  const api = new TestKubeApi();
  const file = configMap("a", { x: "1", y: "1" });
  file.metadata.namespace = "default";
  api.cluster.apply("ConfigMap", file);
  const conflict = await apply(api, configMaps, "one", configMap("a", { x: "2" }));
  assert(conflict.json.message.includes(`conflict with "weir.dev/manifests": .data.x`));
  const forced = await apply(api, configMaps, "one", configMap("a", { x: "2" }), "&force=1");
  assertEquals(forced.json.data, { x: "2", y: "1" });
  assertEquals(fieldsOf(forced, "weir.dev/manifests"), { "f:data": { "f:y": {} } });
  // The file changes: it says again what the object is, and all fields are its own.
  api.cluster.apply("ConfigMap", { ...file, data: { x: "3" } });
  const { json } = await api.ask("GET", `${configMaps}/a`);
  assertEquals(json.data, { x: "3" });
  assertEquals(json.metadata.managedFields.length, 1);
  assertEquals(fieldsOf({ status: 200, json }, "weir.dev/manifests"), {
    "f:data": { "f:x": {} },
  });
});

Deno.test("status is applied by its own managers and touches nothing else", async () => {
  const api = new TestKubeApi();
  const path = "/api/v1/namespaces/default/services";
  await apply(api, path, "one", service("a", [{ port: 80 }]));
  const condition = { type: "Ready", status: "True" };
  const body = { ...service("a", []), status: { conditions: [condition] } };
  const query = "fieldManager=one";
  const told = await api.ask("PATCH", `${path}/a/status?${query}`, { body, contentType });
  assertEquals(told.json.spec.ports.length, 1);
  assertEquals(told.json.status.conditions, [condition]);
  const entries = told.json.metadata.managedFields.map((
    { manager, subresource }: Json,
  ) => [manager, subresource]);
  assertEquals(entries, [["one", undefined], ["one", "status"]]);
  const empty = service("a", []);
  const gone = await api.ask("PATCH", `${path}/a/status?${query}`, { body: empty, contentType });
  assertEquals(gone.json.status?.conditions, undefined);
});

Deno.test("a client may hand its fields over, as kubectl does from client-side apply", async () => {
  const api = new TestKubeApi();
  const query = "fieldManager=kubectl-client-side-apply";
  const made = await api.ask("POST", `${configMaps}?${query}`, {
    body: configMap("a", { x: "1" }),
  });
  const [entry] = made.json.metadata.managedFields;
  const managedFields = [{ ...entry, manager: "kubectl", operation: "Apply" }];
  await api.ask("PATCH", `${configMaps}/a`, {
    body: [{ op: "replace", path: "/metadata/managedFields", value: managedFields }],
    contentType: "application/json-patch+json",
  });
  const { json } = await apply(api, configMaps, "kubectl", configMap("a", { y: "1" }));
  assertEquals(json.data, { y: "1" });
});

Deno.test("an apply that is none is refused", async () => {
  const api = new TestKubeApi();
  const body = configMap("a", { x: "1" });
  const path = `${configMaps}/a`;
  const ask = async (query: string, sent: Json) =>
    (await api.ask("PATCH", `${path}?${query}`, { body: sent, contentType })).status;
  assertEquals(await ask("", body), 422);
  assertEquals(await ask(`fieldManager=${"x".repeat(129)}`, body), 400);
  assertEquals(await ask("fieldManager=a%0Ab", body), 400);
  const owned = { ...body, metadata: { name: "a", managedFields: [{}] } };
  assertEquals(await ask("fieldManager=a", owned), 400);
  const named = { ...body, metadata: { name: "b" } };
  assertEquals(await ask("fieldManager=a", named), 400);
  const uid = { ...body, metadata: { name: "a", uid: "gone" } };
  assertEquals(await ask("fieldManager=a", uid), 409);
  const twice = service("a", [{ port: 1, name: "a" }, { port: 1, name: "b" }]);
  const repeated = await apply(api, services, "a", twice);
  assertEquals(repeated.status, 400);
  assertEquals((await api.ask("GET", path)).status, 404);
});

Deno.test("a status that weir wrote is its own, and a write that changes nothing stores nothing", async () => {
  const api = new TestKubeApi();
  const file = route("a");
  file.metadata.namespace = "default";
  api.cluster.apply("HTTPRoute", file);
  const status = { parents: [] };
  const written = { ...file, metadata: { ...file.metadata }, status };
  const { ok } = api.cluster.updateStatus("HTTPRoute", written);
  assert(ok);
  const version = api.cluster.resourceVersion;
  const { json } = await api.ask("GET", `${routes}/a`);
  const owners = json.metadata.managedFields.map(({ manager, subresource }: Json) => [
    manager,
    subresource,
  ]);
  assertEquals(owners.sort(), [["weir.dev/manifests", undefined], ["weir.dev/status", "status"]]);
  const same = { body: { spec: { hostnames: ["a.example.com"] } }, ...merge };
  await api.ask("PATCH", `${routes}/a`, same);
  assertEquals(api.cluster.resourceVersion, version);
  const other = { body: { spec: { hostnames: ["b.example.com"] } }, ...merge };
  const { json: edited } = await api.ask("PATCH", `${routes}/a?fieldManager=edit`, other);
  assertEquals(edited.metadata.managedFields.length, 3);
  // What is left is a default, as of an object that somebody applied.
  assertEquals(fieldsOf({ status: 200, json: edited }, "weir.dev/manifests"), {
    "f:spec": { "f:rules": {} },
  });
});

Deno.test("who makes a structure or takes it away by an update owns it, or ends owning of it", async () => {
  const api = new TestKubeApi();
  const query = "fieldManager=edit";
  const { json } = await api.ask("POST", `${routes}?${query}`, { body: route("a") });
  const [{ fieldsV1 }] = json.metadata.managedFields;
  assertEquals(fieldsV1, { "f:spec": { ".": {}, "f:hostnames": {}, "f:rules": {} } });
  const body = service("a", [{ port: 80, name: "web" }]);
  const { json: made } = await api.ask("POST", `${services}?${query}`, { body });
  const [{ fieldsV1: owned }] = made.metadata.managedFields;
  // The API server's own type of a Service has a spec before anybody sends one.
  assertEquals(owned["f:spec"]["."], undefined);
  assertEquals(owned["f:spec"]["f:ports"]["."], {});
  const labels = { body: { metadata: { labels: { a: "b" } } }, ...merge };
  await api.ask("PATCH", `${services}/a?${query}`, labels);
  const none = { body: { metadata: { labels: null } }, ...merge };
  const { json: bare } = await api.ask("PATCH", `${services}/a?fieldManager=other`, none);
  assertEquals(JSON.stringify(bare.metadata.managedFields).includes("f:labels"), false);
});

Deno.test("an apply with a field that no schema has is refused, as is a strict write, before faults", async () => {
  const api = new TestKubeApi();
  const bad = { ...route("a"), spec: { hostnames: ["*"], surprise: 1 } };
  const told = await apply(api, routes, "one", bad);
  assertEquals(told.status, 500);
  assertEquals(
    told.json.message,
    "failed to create typed patch object (default/a; gateway.networking.k8s.io/v1, " +
      "Kind=HTTPRoute): .spec.surprise: field not declared in schema",
  );
  const strict = await api.ask("POST", `${routes}?fieldValidation=Strict`, { body: bad });
  assertEquals([strict.status, strict.json.reason], [400, "BadRequest"]);
  const invalid = await api.ask("POST", routes, { body: bad });
  const { kind, name } = invalid.json.details;
  assertEquals([invalid.status, kind, name], [422, "HTTPRoute", "a"]);
});
