/**
 * Events, Leases and Pods in the local cluster's API. What a user would lose: what `kubectl describe`
 * says happened to an object, controllers that elect a leader here, and memory that Events fill.
 */

import { assert, assertEquals } from "@std/assert";
import { type Json, route, routes, TestKubeApi } from "../../../fakes/kube_api.ts";

const events = "/api/v1/namespaces/default/events";
const otherEvents = "/apis/events.k8s.io/v1/namespaces/default/events";
const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const merge = { contentType: "application/merge-patch+json" };

function event(name: string, fields: Json = {}): Json {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name },
    involvedObject: { kind: "HTTPRoute", namespace: "default", name: "a", uid: "u" },
    reason: "Accepted",
    message: "The route is attached",
    type: "Normal",
    ...fields,
  };
}

Deno.test("an Event is one object in both of its groups, under the names of each", async () => {
  const api = new TestKubeApi();
  const time = "2026-01-01T00:00:00.123456Z";
  const body = {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { name: "a.1" },
    eventTime: time,
    regarding: { kind: "HTTPRoute", namespace: "default", name: "a" },
    note: "The route is attached",
    reportingController: "weir.dev/gateway",
    reportingInstance: "weir-0",
    action: "Attach",
    reason: "Accepted",
    type: "Normal",
  };
  const { status, json: made } = await api.ask("POST", otherEvents, { body });
  assertEquals([status, made.note, made.apiVersion], [201, body.note, "events.k8s.io/v1"]);
  const { json: core } = await api.ask("GET", `${events}/a.1`);
  assertEquals([core.message, core.involvedObject.name, core.eventTime], [body.note, "a", time]);
  assertEquals([core.note, core.regarding], [undefined, undefined]);
  const patch = { body: { message: "Again" }, ...merge };
  assertEquals((await api.ask("PATCH", `${events}/a.1`, patch)).status, 200);
  const { json: listed } = await api.ask("GET", otherEvents);
  assertEquals([listed.kind, listed.items[0].note], ["EventList", "Again"]);
  const patched = { body: { note: "Once more" }, ...merge };
  assertEquals((await api.ask("PATCH", `${otherEvents}/a.1`, patched)).json.note, "Once more");
  assertEquals((await api.ask("GET", `${events}/a.1`)).json.message, "Once more");
});

Deno.test("kubectl describe finds the Events of an object", async () => {
  const api = new TestKubeApi();
  await api.ask("POST", events, { body: event("a.1") });
  const other = { kind: "Gateway", namespace: "default", name: "a", uid: "v" };
  await api.ask("POST", events, { body: event("b.1", { involvedObject: other }) });
  const names = async (path: string, selector: string): Promise<readonly string[]> => {
    const { json } = await api.ask("GET", `${path}?fieldSelector=${encodeURIComponent(selector)}`);
    return json.items.map((item: Json) => item.metadata.name);
  };
  const ofRoute = "involvedObject.name=a,involvedObject.kind=HTTPRoute,involvedObject.uid=u";
  assertEquals(await names(events, ofRoute), ["a.1"]);
  assertEquals(await names(otherEvents, "regarding.kind=Gateway,reason=Accepted"), ["b.1"]);
});

Deno.test("an Event stands beside its object, and a new style one says who reports", async () => {
  const api = new TestKubeApi();
  const elsewhere = { kind: "Gateway", namespace: "other", name: "a" };
  const far = await api.ask("POST", events, { body: event("a", { involvedObject: elsewhere }) });
  assertEquals([far.status, far.json.details.causes[0].field], [422, "involvedObject.namespace"]);
  const bare = event("a", { eventTime: "2026-01-01T00:00:00.000000Z", reason: "" });
  const { json } = await api.ask("POST", events, { body: bare });
  const fields: readonly string[] = json.details.causes.map(({ field }: Json) => field);
  assertEquals([...new Set(fields)].sort(), [
    "action",
    "reason",
    "reportingComponent",
    "reportingInstance",
  ]);
});

Deno.test("Events are bounded: the one that was written the longest time ago makes room", async () => {
  const api = new TestKubeApi({ limits: { eventsMax: 2, objectsPerKindMax: 1 } });
  await api.ask("POST", events, { body: event("a") });
  await api.ask("POST", events, { body: event("b") });
  await api.ask("PATCH", `${events}/a`, { body: { count: 2 }, ...merge });
  const watch = await api.watch(`${events}?watch=1&resourceVersion=${api.cluster.resourceVersion}`);
  assertEquals((await api.ask("POST", `${events}?dryRun=All`, { body: event("c") })).status, 201);
  assertEquals(api.cluster.droppedEventCount, 0);
  await api.ask("POST", events, { body: event("c") });
  const { items } = api.cluster.list("Event");
  assertEquals(items.map(({ metadata }) => metadata.name), ["a", "c"]);
  assertEquals(api.cluster.droppedEventCount, 1);
  assertEquals(watch.events.map(({ type, object }) => [type, object.metadata.name]), [
    ["DELETED", "b"],
    ["ADDED", "c"],
  ]);
  watch.stop();
});

Deno.test("Events make no namespace, keep none alive, and go with theirs", async () => {
  const api = new TestKubeApi();
  await api.ask("POST", events, { body: event("a") });
  assertEquals(api.cluster.list("Namespace").items, []);
  await api.ask("POST", routes, { body: route("a") });
  await api.ask("POST", events, { body: event("b") });
  await api.ask("DELETE", `${routes}/a`);
  assertEquals(api.cluster.list("Namespace").items, []);
  assertEquals(api.cluster.list("Event").items, []);
});

Deno.test("a Lease is replaced by who names its version, which is what an election needs", async () => {
  const api = new TestKubeApi();
  const body = {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name: "weir" },
    spec: {
      holderIdentity: "a",
      leaseDurationSeconds: 15,
      renewTime: "2026-01-01T00:00:00.000001Z",
    },
  };
  const { json: made } = await api.ask("POST", leases, { body });
  assertEquals(made.spec, body.spec);
  assertEquals((await api.ask("PUT", `${leases}/weir`, { body })).status, 422);
  const taken = { ...made, spec: { ...made.spec, holderIdentity: "b" } };
  assertEquals((await api.ask("PUT", `${leases}/weir`, { body: taken })).status, 200);
  assertEquals((await api.ask("PUT", `${leases}/weir`, { body: taken })).status, 409);
  const bad = { ...body, metadata: { name: "x" }, spec: { leaseDurationSeconds: 0 } };
  assertEquals((await api.ask("POST", leases, { body: bad })).status, 422);
});

Deno.test("Pods can be read and not written, and discovery says so", async () => {
  const api = new TestKubeApi();
  const pods = "/api/v1/namespaces/default/pods";
  assertEquals((await api.ask("GET", pods)).json.items, []);
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec: {} };
  assertEquals((await api.ask("POST", pods, { body: pod })).status, 405);
  assertEquals((await api.ask("DELETE", pods)).status, 405);
  const { json } = await api.ask("GET", "/api/v1");
  const { verbs } = json.resources.find(({ name }: Json) => name === "pods");
  assertEquals(verbs, ["get", "list", "watch"]);
  const { json: groups } = await api.ask("GET", "/apis");
  const names = groups.groups.map(({ name }: Json) => name);
  assert(names.includes("events.k8s.io") && names.includes("coordination.k8s.io"));
});

Deno.test("kubectl get events shows what happened to what", async () => {
  const api = new TestKubeApi();
  const lastTimestamp = new Date(api.clock.now() - 90_000).toISOString();
  await api.ask("POST", events, { body: event("a", { lastTimestamp, count: 3 }) });
  const accept = "application/json;as=Table;g=meta.k8s.io;v=v1";
  const { json } = await api.ask("GET", events, { accept });
  const row = json.columnDefinitions.map((column: Json, at: number) => [
    column.name,
    json.rows[0].cells[at],
  ]);
  const shown = Object.fromEntries(row);
  assertEquals(shown["Last Seen"], "90s");
  assertEquals([shown["Object"], shown["Count"]], ["httproute/a", 3]);
});
