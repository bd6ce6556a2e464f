// weir's writers of Events and Leases on the local cluster. What a user would lose: kubectl describe
// shows nothing of what happened, in the one place where gateways are tried first.

import { assertEquals, assertRejects } from "@std/assert";
import { LocalTransport } from "../../../src/app/local_transport.ts";
import { ClusterError } from "../../../src/kube/cluster_error.ts";
import { Re2Patterns } from "../../../src/localkube/admission/re2_patterns.ts";
import { SchemaCatalog } from "../../../src/localkube/admission/schema_catalog.ts";
import { type Json, TestKubeApi } from "../../fakes/kube_api.ts";

const path = "/apis/events.k8s.io/v1/namespaces/default/events";
const { signal } = new AbortController();

function create() {
  const { cluster, clock } = new TestKubeApi();
  const catalog = new SchemaCatalog("experimental", new Re2Patterns());
  const transport = new LocalTransport({
    cluster,
    clock,
    schemas: (apiVersion, kind) => catalog.find(apiVersion, kind)?.root,
    random: () => 0,
    newUid: () => "00000000-0000-4000-8000-000000000000",
    version: "0.0.0-test",
  });
  return { cluster, transport };
}

const event = {
  apiVersion: "events.k8s.io/v1",
  kind: "Event",
  metadata: { name: "web.1", namespace: "default" },
  eventTime: "2026-01-01T00:00:00.000000Z",
  regarding: { apiVersion: "v1", kind: "GatewayClass", name: "web" },
  reportingController: "weir.dev/gateway-controller",
  reportingInstance: "weir-0",
  action: "Accept",
  reason: "Accepted",
  note: "The class is accepted",
  type: "Normal",
};

Deno.test("An Event and the count of its series are written as to a real cluster", async () => {
  const { cluster, transport } = create();
  const made: Json = await transport.request({ method: "POST", path, body: event, signal });
  assertEquals(made.note, event.note);
  await transport.request({
    method: "PATCH",
    path: `${path}/web.1`,
    body: { series: { count: 2, lastObservedTime: "2026-01-01T00:00:01.000000Z" } },
    contentType: "application/merge-patch+json",
    signal,
  });
  const [stored] = cluster.list("Event").items;
  assertEquals([stored?.message, stored?.series], [event.note, {
    count: 2,
    lastObservedTime: "2026-01-01T00:00:01.000000Z",
  }]);
});

Deno.test("A refusal is the error that a real cluster's would be", async () => {
  const { transport } = create();
  await transport.request({ method: "POST", path, body: event, signal });
  const again = await assertRejects(
    () => transport.request({ method: "POST", path, body: event, signal }),
    ClusterError,
  );
  assertEquals(again.kind, "already-exists");
  const body = { ...event, metadata: { name: "web.2" }, reason: "" };
  const bad = await assertRejects(
    () => transport.request({ method: "POST", path, body, signal }),
    ClusterError,
  );
  assertEquals(bad.kind, "invalid");
  const gone = await assertRejects(
    () => transport.request({ path: `${path}/none`, signal }),
    ClusterError,
  );
  assertEquals(gone.kind, "not-found");
});
