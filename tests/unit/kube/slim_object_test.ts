// What is kept of an object must decode to the same as the whole: a field that is dropped too many
// is traffic that goes elsewhere. What is dropped too few is a Secret in memory.

import { assertEquals, assertThrows } from "@std/assert";
import { decodeObject } from "../../../src/kube/decode/decode.ts";
import { apiVersionOf, type Kind, kinds } from "../../../src/kube/kinds.ts";
import type { KubeObject } from "../../../src/kube/object.ts";
import { slimObject } from "../../../src/kube/slim_object.ts";

const metadata = {
  name: "a",
  namespace: "default",
  uid: "u",
  resourceVersion: "7",
  generation: 2,
  creationTimestamp: "2026-01-01T00:00:00Z",
  deletionTimestamp: "2026-01-02T00:00:00Z",
  labels: { "kubernetes.io/service-name": "web", team: "x" },
  annotations: {
    "weir.dev/endpoints": "127.0.0.1:80",
    "kubectl.kubernetes.io/last-applied-configuration": "SECRET",
  },
  managedFields: [{ manager: "SECRET" }],
  ownerReferences: [{ name: "SECRET" }],
};

const objects: { readonly [K in Kind]?: Readonly<Record<string, unknown>> } = {
  Namespace: { spec: { finalizers: ["SECRET"] }, status: { phase: "SECRET" } },
  Secret: {
    type: "kubernetes.io/tls",
    data: { "tls.crt": "eA==", "tls.key": "eQ==", "ca.crt": "eg==", password: "SECRET" },
  },
  ConfigMap: { data: { "ca.crt": "x", other: "SECRET" }, binaryData: { b: "SECRET" } },
  Service: {
    spec: {
      type: "ClusterIP",
      clusterIP: "10.0.0.1",
      ports: [{ name: "http", port: 80, appProtocol: "http" }],
      selector: { app: "SECRET" },
    },
    status: { loadBalancer: "SECRET" },
  },
  EndpointSlice: {
    addressType: "IPv4",
    ports: [{ name: "http", port: 80, protocol: "TCP" }],
    endpoints: [{
      addresses: ["10.0.0.1"],
      conditions: { ready: true, serving: true, terminating: false },
      targetRef: { name: "SECRET" },
      nodeName: "SECRET",
    }],
  },
  HTTPRoute: {
    spec: { hostnames: ["a.example"], rules: [{ backendRefs: [{ name: "web", port: 80 }] }] },
    status: { parents: [] },
  },
};

for (
  const kind of [
    "Namespace",
    "Secret",
    "ConfigMap",
    "Service",
    "EndpointSlice",
    "HTTPRoute",
  ] as const
) {
  Deno.test(`A slim ${kind} decodes to the same, and holds nothing else`, () => {
    const apiVersion = apiVersionOf(kinds[kind]);
    const whole: KubeObject = { apiVersion, kind, metadata, ...objects[kind] };
    const slim = slimObject(whole, { kind, apiVersion });
    assertEquals(decodeObject(kind, slim), decodeObject(kind, whole));
    assertEquals(decodeObject(kind, slim).ok, true);
    assertEquals(JSON.stringify(slim).includes("SECRET"), false);
    const { resourceVersion, uid, generation, deletionTimestamp } = slim.metadata;
    assertEquals([resourceVersion, uid, generation, deletionTimestamp], [
      "7",
      "u",
      2,
      "2026-01-02T00:00:00Z",
    ]);
  });
}

Deno.test("The status of a kind that weir writes is kept, with what others wrote", () => {
  const route = { metadata, status: { parents: [{ controllerName: "other" }] } };
  const slim = slimObject(route, { kind: "HTTPRoute", apiVersion: "x/v1" });
  assertEquals(slim.status, route.status);
});

Deno.test("An element of a list is given its type", () => {
  const { apiVersion, kind } = slimObject({ metadata }, { kind: "Service", apiVersion: "v1" });
  assertEquals([apiVersion, kind], ["v1", "Service"]);
});

Deno.test("slimObject() refuses what has no identity, and hostile shapes", () => {
  const names = { kind: "Secret", apiVersion: "v1" } as const;
  for (const bad of [null, [], "x", {}, { metadata: null }, { metadata: { name: "a" } }]) {
    assertThrows(() => slimObject(bad, names), Error, "Secret");
  }
  const odd = { metadata: { ...metadata, labels: 7, annotations: { a: 1 } }, data: "x" };
  const { metadata: { labels, annotations }, data } = slimObject(odd, names);
  assertEquals([labels, annotations, data], [undefined, undefined, "x"]);
});
