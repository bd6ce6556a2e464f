/**
 * Writing through the Kubernetes API. What a user would lose: writes that overwrite nobody's, patches
 * that do what kubectl means by them, dry runs that store nothing, and deletes that hit the right object.
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

const merge = { contentType: "application/merge-patch+json" };
const json = { contentType: "application/json-patch+json" };
const strategic = { contentType: "application/strategic-merge-patch+json" };

Deno.test("an object is created once, in the namespace of the path", async () => {
  const api = new TestKubeApi();
  const made = await api.ask("POST", configMaps, { body: configMap("a", { x: "1" }) });
  assertEquals([made.status, made.json.metadata.namespace], [201, "default"]);
  assert(made.json.metadata.uid);
  const again = await api.ask("POST", configMaps, { body: configMap("a") });
  assertEquals([again.status, again.json.reason], [409, "AlreadyExists"]);
  const elsewhere = configMap("b");
  elsewhere.metadata.namespace = "other";
  assertEquals((await api.ask("POST", configMaps, { body: elsewhere })).status, 400);
});

Deno.test("what the server owns cannot be sent", async () => {
  const api = new TestKubeApi();
  const object = configMap("a");
  Object.assign(object.metadata, {
    uid: "mine",
    creationTimestamp: "2001-01-01T00:00:00Z",
    generation: 7,
    managedFields: [{ manager: "x", operation: "Apply", fieldsV1: { "f:data": {} } }],
  });
  const { json: made } = await api.ask("POST", configMaps, { body: object });
  assert(made.metadata.uid !== "mine");
  assertEquals(made.metadata.creationTimestamp, "2026-01-01T00:00:00Z");
  assertEquals(made.metadata.managedFields.map(({ manager }: Json) => manager), ["test"]);
});

Deno.test("a generated name begins as asked", async () => {
  const api = new TestKubeApi();
  const body = { ...configMap(""), metadata: { generateName: "job-" } };
  const { json: made } = await api.ask("POST", configMaps, { body });
  assert(/^job-[0-9a-f]{5}$/.test(made.metadata.name), made.metadata.name);
});

Deno.test("an invalid object is 422 with a cause for each fault", async () => {
  const api = new TestKubeApi();
  const body = service("a", [{ port: 0 }, { port: 70_000, name: "b" }]);
  const { status, json: told } = await api.ask("POST", services, { body });
  assertEquals([status, told.reason], [422, "Invalid"]);
  assert(told.details.causes.length >= 2);
});

Deno.test("unknown fields are warned of, refused or ignored as asked", async () => {
  const api = new TestKubeApi();
  const body = route("a");
  body.spec.surprise = true;
  const warned = await api.ask("POST", routes, { body });
  assertEquals([warned.status, warned.warnings], [201, [`unknown field "spec.surprise"`]]);
  body.metadata.name = "b";
  const strict = await api.ask("POST", `${routes}?fieldValidation=Strict`, { body });
  assertEquals(strict.status, 400);
  assert(strict.json.message.includes(`strict decoding error: unknown field "spec.surprise"`));
  const ignored = await api.ask("POST", `${routes}?fieldValidation=Ignore`, { body });
  assertEquals([ignored.status, ignored.warnings], [201, []]);
});

Deno.test("a replace with an old version is a conflict, with the current one it wins", async () => {
  const api = new TestKubeApi();
  const { json: made } = await api.ask("POST", configMaps, { body: configMap("a", { x: "1" }) });
  const changed = { ...made, data: { x: "2" } };
  const put = await api.ask("PUT", `${configMaps}/a`, { body: changed });
  assertEquals([put.status, put.json.data], [200, { x: "2" }]);
  const stale = await api.ask("PUT", `${configMaps}/a`, { body: { ...changed, data: {} } });
  assertEquals([stale.status, stale.json.reason], [409, "Conflict"]);
  const other = { ...put.json, metadata: { ...put.json.metadata, uid: "another" } };
  const replaced = await api.ask("PUT", `${configMaps}/a`, { body: other });
  assert(replaced.json.message.includes("UID in precondition: another"));
  assertEquals((await api.ask("PUT", `${configMaps}/b`, { body: made })).status, 400);
  assertEquals((await api.ask("PUT", `${configMaps}/b`, { body: configMap("b") })).status, 404);
});

Deno.test("a custom resource is replaced only by who names its version, a built-in by anybody", async () => {
  const api = new TestKubeApi();
  await api.ask("POST", routes, { body: route("a") });
  await api.ask("POST", configMaps, { body: configMap("a") });
  for (const path of [`${routes}/a`, `${routes}/a/status`]) {
    const { status, json } = await api.ask("PUT", path, { body: route("a", "b.example.com") });
    assertEquals([status, json.reason], [422, "Invalid"]);
    assertEquals(
      json.message,
      'httproutes.gateway.networking.k8s.io "a" is invalid: metadata.resourceVersion: Invalid ' +
        "value: 0: must be specified for an update",
    );
  }
  const body = { metadata: { resourceVersion: null }, spec: { hostnames: ["b.example.com"] } };
  assertEquals((await api.ask("PATCH", `${routes}/a`, { body, ...merge })).status, 422);
  const { status } = await api.ask("PUT", `${configMaps}/a`, { body: configMap("a", { x: "1" }) });
  assertEquals(status, 200);
});

Deno.test("status is its own resource", async () => {
  const api = new TestKubeApi();
  const { json: made } = await api.ask("POST", routes, { body: route("a") });
  const status = { parents: [] };
  const ignored = await api.ask("PUT", `${routes}/a`, { body: { ...made, status } });
  assertEquals(ignored.json.status, made.status);
  const body = { ...made, spec: { hostnames: ["other.example.com"] }, status };
  const { json: put } = await api.ask("PUT", `${routes}/a/status`, { body });
  assertEquals([put.status, put.spec.hostnames], [status, ["a.example.com"]]);
  const patch = { spec: {}, status: { parents: null } };
  const patched = await api.ask("PATCH", `${routes}/a/status`, { body: patch, ...merge });
  // The schema wants the list that the patch takes away.
  assertEquals([patched.status, patched.json.reason], [422, "Invalid"]);
});

Deno.test("a dry run answers as if, and stores nothing", async () => {
  const api = new TestKubeApi();
  const before = api.cluster.resourceVersion;
  const made = await api.ask("POST", `${services}?dryRun=All`, {
    body: service("a", [{ port: 80 }]),
  });
  assertEquals([made.status, made.json.spec.ports[0].protocol], [201, "TCP"]);
  assertEquals((await api.ask("GET", `${services}/a`)).status, 404);
  assertEquals(api.cluster.resourceVersion, before);
  await api.ask("POST", configMaps, { body: configMap("a", { x: "1" }) });
  const version = api.cluster.resourceVersion;
  const body = { data: { x: "2" } };
  const { json: patched } = await api.ask("PATCH", `${configMaps}/a?dryRun=All`, {
    body,
    ...merge,
  });
  assertEquals(patched.data.x, "2");
  assertEquals((await api.ask("DELETE", `${configMaps}/a?dryRun=All`)).status, 200);
  assertEquals((await api.ask("GET", `${configMaps}/a`)).json.data.x, "1");
  assertEquals(api.cluster.resourceVersion, version);
  assertEquals((await api.ask("DELETE", `${configMaps}/a?dryRun=Some`)).status, 400);
});

Deno.test("patches of each kind change what they name", async () => {
  const api = new TestKubeApi();
  const ports = [{ name: "a", port: 80 }, { name: "b", port: 81 }];
  await api.ask("POST", services, { body: service("a", ports) });
  const patch = async (body: Json, type: { contentType: string }) => {
    const { status, json: told } = await api.ask("PATCH", `${services}/a`, { body, ...type });
    assertEquals(status, 200, told.message);
    return told.spec.ports.map(({ name, port }: Json) => `${name}=${port}`);
  };
  const byKey = { spec: { ports: [{ port: 81, name: "c" }] } };
  assertEquals(await patch(byKey, strategic), ["a=80", "c=81"]);
  const remove = { spec: { ports: [{ port: 80, $patch: "delete" }] } };
  assertEquals(await patch(remove, strategic), ["c=81"]);
  const ordered = {
    spec: {
      "$setElementOrder/ports": [{ port: 90 }, { port: 81 }],
      ports: [{ port: 90, name: "d" }],
    },
  };
  assertEquals(await patch(ordered, strategic), ["d=90", "c=81"]);
  const test = [
    { op: "test", path: "/spec/ports/0/port", value: 90 },
    { op: "replace", path: "/spec/ports/0/name", value: "e" },
    { op: "move", from: "/spec/ports/0", path: "/spec/ports/1" },
  ];
  assertEquals(await patch(test, json), ["c=81", "e=90"]);
  assertEquals(await patch({ spec: { ports: [{ port: 1, name: "z" }] } }, merge), ["z=1"]);
});

Deno.test("a custom resource takes no strategic patch, as in a cluster", async () => {
  const api = new TestKubeApi();
  await api.ask("POST", routes, { body: route("a") });
  const { status, json: told } = await api.ask("PATCH", `${routes}/a`, { body: {}, ...strategic });
  assertEquals([status, told.reason], [415, "UnsupportedMediaType"]);
});

Deno.test("a patch that does not fit changes nothing", async () => {
  const api = new TestKubeApi();
  await api.ask("POST", configMaps, { body: configMap("a", { x: "1" }) });
  const version = api.cluster.resourceVersion;
  const bad: readonly Json[] = [
    {},
    [1],
    [{ op: "add", path: "data", value: 1 }],
    [{ op: "add", path: "/none/x", value: 1 }],
    [{ op: "remove", path: "/data/y" }],
    [{ op: "test", path: "/data/x", value: "2" }],
    [{ op: "grow", path: "/data/x" }],
    [{ op: "copy", from: "/data/y", path: "/data/z" }],
    [{ op: "move", from: "/data", path: "/data/z" }],
    [{ op: "add", path: "/data/~2", value: "1" }],
    [{ op: "remove", path: "" }],
    Array.from({ length: 1001 }, () => ({ op: "test", path: "/data/x", value: "1" })),
  ];
  for (const body of bad) {
    const { status } = await api.ask("PATCH", `${configMaps}/a`, { body, ...json });
    assertEquals(status, 422, JSON.stringify(body).slice(0, 80));
  }
  const fields: readonly (readonly [Json, number])[] = [
    [[], 422],
    [{ data: 7 }, 422],
    [{ metadata: { name: "b" } }, 400],
    [{ kind: "Secret" }, 400],
    [{ metadata: null }, 409],
    [{ metadata: { resourceVersion: "1" } }, 409],
  ];
  for (const [body, wanted] of fields) {
    const { status } = await api.ask("PATCH", `${configMaps}/a`, { body, ...merge });
    if (wanted !== 409 || body.metadata) assertEquals(status, wanted, JSON.stringify(body));
  }
  assertEquals((await api.ask("GET", `${configMaps}/a`)).json.data, { x: "1" });
  assert(Number(api.cluster.resourceVersion) - Number(version) <= 1);
});

Deno.test("a patch cannot reach into prototypes", async () => {
  const api = new TestKubeApi();
  await api.ask("POST", configMaps, { body: configMap("a") });
  const text = `[{"op":"add","path":"/__proto__","value":{"polluted":true}}]`;
  await api.ask("PATCH", `${configMaps}/a`, { text, ...json });
  await api.ask("PATCH", `${configMaps}/a`, { text: `{"__proto__":{"polluted":true}}`, ...merge });
  assertEquals(Reflect.get({}, "polluted"), undefined);
  assertEquals((await api.ask("GET", `${configMaps}/a`)).status, 200);
});

Deno.test("bodies that are none are refused without quoting them", async () => {
  const api = new TestKubeApi();
  const secret = "hunter2-planted";
  const cases: readonly (readonly [string, string, number])[] = [
    [`{"data":"${secret}"`, "application/json", 400],
    [`[]`, "application/json", 400],
    [`"${secret}"`, "application/json", 400],
    [`{"metadata":7,"kind":"ConfigMap","apiVersion":"v1"}`, "application/json", 400],
    [`{"kind":"ConfigMap"}`, "application/json", 400],
    [`a: &a [*a]`, "application/yaml", 400],
    [`a: b\n---\nc: ${secret}`, "application/yaml", 400],
    [`a: [${secret}`, "application/yaml", 400],
    [`x: ${"y".repeat(300 * 1024)}`, "application/yaml", 413],
    [`{"a":${"[".repeat(150)}${"]".repeat(150)}}`, "application/json", 413],
    ["\u0000", "application/cbor", 415],
  ];
  for (const [text, contentType, wanted] of cases) {
    const { status, json: told } = await api.ask("POST", configMaps, { text, contentType });
    assertEquals(status, wanted, text.slice(0, 60));
    assert(!JSON.stringify(told).includes(secret), told.message);
  }
});

Deno.test("a delete hits only the object that its conditions name", async () => {
  const api = new TestKubeApi();
  const { json: made } = await api.ask("POST", configMaps, { body: configMap("a") });
  const { uid, resourceVersion } = made.metadata;
  const attempt = (preconditions: Json) =>
    api.ask("DELETE", `${configMaps}/a`, {
      body: { kind: "DeleteOptions", apiVersion: "v1", preconditions },
    });
  assertEquals((await attempt({ uid: "other" })).status, 409);
  assertEquals((await attempt({ resourceVersion: "1" })).status, 409);
  const gone = await attempt({ uid, resourceVersion });
  assertEquals([gone.status, gone.json.status, gone.json.details.uid], [200, "Success", uid]);
  assertEquals((await attempt({})).status, 404);
});

Deno.test("a collection is deleted as it is selected", async () => {
  const api = new TestKubeApi();
  for (const name of ["a", "b"]) {
    const body = configMap(name);
    body.metadata.labels = { name };
    await api.ask("POST", configMaps, { body });
  }
  await api.ask("DELETE", `${configMaps}?labelSelector=name%3Da`);
  const { json: left } = await api.ask("GET", configMaps);
  assertEquals(left.items.map(({ metadata }: Json) => metadata.name), ["b"]);
  assertEquals((await api.ask("DELETE", "/api/v1/namespaces")).status, 405);
});

Deno.test("a Namespace takes with it what is in it", async () => {
  const api = new TestKubeApi();
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } };
  await api.ask("POST", "/api/v1/namespaces", { body });
  await api.ask("POST", "/api/v1/namespaces/shop/configmaps", { body: configMap("a") });
  await api.ask("POST", configMaps, { body: configMap("a") });
  assertEquals((await api.ask("DELETE", "/api/v1/namespaces/shop")).status, 200);
  assertEquals((await api.ask("GET", "/api/v1/namespaces/shop")).status, 404);
  const { json: left } = await api.ask("GET", "/api/v1/configmaps");
  assertEquals(left.items.map(({ metadata }: Json) => metadata.namespace), ["default"]);
});
