/**
 * What the in-memory cluster adds to the contract: namespaces that come and go with their objects,
 * the API server's texts for bad metadata, and objects whose unchanged parts keep their identity.
 */

import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import type { Kind } from "../../../src/kube/kinds.ts";
import { keyOf, type KubeObject, objectKey } from "../../../src/kube/object.ts";
import { MemoryCluster } from "../../../src/localkube/store.ts";
import type { ObjectInput, WatchEvent } from "../../../src/localkube/store_contract.ts";
import type { StoreLimits } from "../../../src/localkube/store_options.ts";
import { accepted, gateway, refusal } from "../../contract/local_cluster_suite.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";
import { openAdmission } from "../../fakes/open_admission.ts";

function newCluster(limits: Partial<StoreLimits> = {}): MemoryCluster {
  let count = 0;
  return new MemoryCluster({
    admission: openAdmission,
    clock: new FakeClock(Date.UTC(2026, 0, 2, 3, 4, 5, 678)),
    newUid: () => `uid-${count++}`,
    limits,
    freezesObjects: true,
  });
}

function object(kind: Kind, name: string, metadata = {}): ObjectInput {
  const apiVersion = kind === "GatewayClass" ? "gateway.networking.k8s.io/v1" : "v1";
  return { apiVersion, kind, metadata: { name, ...metadata } };
}

function namespaces(cluster: MemoryCluster): string[] {
  return cluster.list("Namespace").items.map(({ metadata }) => metadata.name);
}

const inNamespace = (namespace: string, name = "a"): ObjectInput =>
  gateway(name, {}, { namespace });

Deno.test("MemoryCluster makes a namespace with its first object and removes it with the last", () => {
  const cluster = newCluster();
  const events: string[] = [];
  for (const kind of ["Namespace", "Gateway"] as const) {
    cluster.watch(kind, cluster.list(kind).resourceVersion, ({ type, object }) => {
      events.push(`${type} ${object.kind} ${object.metadata.name}`);
    });
  }
  accepted(cluster.apply("Gateway", inNamespace("x")));
  accepted(cluster.apply("Gateway", inNamespace("x", "b")));
  const made = cluster.get("Namespace", objectKey(undefined, "x"));
  assertEquals(made?.metadata.labels, { "kubernetes.io/metadata.name": "x" });
  assertEquals(made?.metadata.creationTimestamp, "1970-01-01T00:00:00Z");
  assertEquals(made?.status, { phase: "Active" });
  accepted(cluster.delete("Gateway", objectKey("x", "a")));
  assertEquals(namespaces(cluster), ["x"]);
  accepted(cluster.delete("Gateway", objectKey("x", "b")));
  assertEquals(namespaces(cluster), []);
  assertEquals(events, [
    "ADDED Namespace x",
    "ADDED Gateway a",
    "ADDED Gateway b",
    "DELETED Gateway a",
    "DELETED Gateway b",
    "DELETED Namespace x",
  ]);
});

Deno.test("MemoryCluster keeps a namespace that somebody wrote, and its labels", () => {
  const cluster = newCluster();
  accepted(cluster.apply("Gateway", inNamespace("x")));
  const implicit = cluster.get("Namespace", objectKey(undefined, "x"));
  const labelled = object("Namespace", "x", { labels: { team: "a" } });
  const { object: written } = accepted(cluster.create("Namespace", labelled));
  assertEquals(written.metadata.uid, implicit?.metadata.uid, "it becomes the one that was made");
  assertEquals(written.metadata.labels, { team: "a", "kubernetes.io/metadata.name": "x" });
  assertEquals(refusal(cluster.create("Namespace", labelled)).reason, "AlreadyExists");
  accepted(cluster.delete("Gateway", objectKey("x", "a")));
  assertEquals(namespaces(cluster), ["x"]);
  accepted(cluster.delete("Namespace", objectKey(undefined, "x")));
  assertEquals(namespaces(cluster), []);
});

Deno.test("MemoryCluster keeps a deleted namespace while objects are in it, as nobody's", () => {
  const cluster = newCluster();
  accepted(cluster.apply("Namespace", object("Namespace", "x", { labels: { team: "a" } })));
  accepted(cluster.apply("Gateway", inNamespace("x")));
  accepted(cluster.delete("Namespace", objectKey(undefined, "x")));
  const left = cluster.get("Namespace", objectKey(undefined, "x"));
  assertEquals(left?.metadata.labels, { "kubernetes.io/metadata.name": "x" });
  accepted(cluster.delete("Gateway", objectKey("x", "a")));
  assertEquals(namespaces(cluster), []);
});

Deno.test("MemoryCluster refuses an object whose namespace cannot be made, and stores nothing", () => {
  const cluster = newCluster({ objectsPerKindMax: 1 });
  accepted(cluster.apply("Gateway", inNamespace("x")));
  accepted(cluster.delete("Gateway", objectKey("x", "a")));
  accepted(cluster.apply("Namespace", object("Namespace", "y")));
  const error = refusal(cluster.apply("Gateway", inNamespace("x")));
  assertEquals(error.code, 403);
  assert(error.message.startsWith('namespaces "x" is forbidden: exceeded quota'));
  assertEquals(cluster.list("Gateway").items, []);
  assertEquals(namespaces(cluster), ["y"]);
});

Deno.test("MemoryCluster stamps objects without a time, and keeps a time that was sent", () => {
  const cluster = newCluster();
  const time = (metadata: object): string =>
    accepted(cluster.apply("Gateway", gateway("a", {}, metadata))).object.metadata
      .creationTimestamp;
  assertEquals(time({}), "2026-01-02T03:04:05Z");
  assertEquals(time({ creationTimestamp: "2020-01-01T01:00:00+01:00" }), "2020-01-01T00:00:00Z");
  assertEquals(time({ creationTimestamp: null }), "2020-01-01T00:00:00Z");
  const other = gateway("a", { n: 1 }, { creationTimestamp: "2021-01-01T00:00:00Z" });
  const { metadata } = accepted(cluster.update("Gateway", other)).object;
  assertEquals(metadata.creationTimestamp, "2020-01-01T00:00:00Z", "clients cannot change it");
});

Deno.test("MemoryCluster words faults of metadata as the API server does", () => {
  const cluster = newCluster();
  const subdomain = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric " +
    "characters, '-' or '.', and must start and end with an alphanumeric character " +
    "(e.g. 'example.com', regex used for validation is " +
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
  const label = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters " +
    "or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or " +
    "'123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
  const service = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', " +
    "start with an alphabetic character, and end with an alphanumeric character (e.g. " +
    "'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
  const value = "a valid label must be an empty string or consist of alphanumeric characters, " +
    "'-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or " +
    "'my_value',  or '12345', regex used for validation is " +
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
  const own = "Gateway.gateway.networking.k8s.io";
  const cases: readonly [Kind, ObjectInput, string][] = [
    [
      "Gateway",
      gateway("A_b"),
      `${own} "A_b" is invalid: metadata.name: Invalid value: "A_b": ${subdomain}`,
    ],
    [
      "Gateway",
      gateway("n".repeat(254)),
      `${own} "${"n".repeat(254)}" is invalid: metadata.name: Invalid value: ` +
      `"${"n".repeat(254)}": must be no more than 253 bytes`,
    ],
    [
      "Gateway",
      gateway(""),
      `${own} "" is invalid: metadata.name: Required value: name or generateName is required`,
    ],
    [
      "Gateway",
      gateway("a", {}, { namespace: "" }),
      `${own} "a" is invalid: metadata.namespace: Required value`,
    ],
    [
      "Gateway",
      gateway("a", {}, { namespace: "a.b" }),
      `${own} "a" is invalid: metadata.namespace: Invalid value: "a.b": ${label}`,
    ],
    [
      "GatewayClass",
      object("GatewayClass", "c", { namespace: "x" }),
      'GatewayClass.gateway.networking.k8s.io "c" is invalid: metadata.namespace: Forbidden: not allowed on this type',
    ],
    [
      "Service",
      object("Service", "1a", { namespace: "x" }),
      `Service "1a" is invalid: metadata.name: Invalid value: "1a": ${service}`,
    ],
    [
      "Gateway",
      gateway("a", { forbidden: 1 }, { labels: { ok: "not ok" } }),
      `${own} "a" is invalid: [metadata.labels: Invalid value: "not ok": ${value}, ` +
      "spec.forbidden: Forbidden: not in this suite]",
    ],
    [
      "Gateway",
      gateway("a", {}, { labels: { n: 1 }, annotations: [] }),
      `${own} "a" is invalid: [metadata.labels.n: Invalid value: "integer": metadata.labels.n in body ` +
      'must be of type string: "integer", metadata.annotations: Invalid value: "array": ' +
      'metadata.annotations in body must be of type object: "array"]',
    ],
    [
      "Gateway",
      gateway("a", {}, { annotations: { "/x": "" } }),
      `${own} "a" is invalid: metadata.annotations: Invalid value: "/x": prefix part must be non-empty`,
    ],
    [
      "Gateway",
      gateway("a", {}, { annotations: { x: "v".repeat(256 * 1024) } }),
      `${own} "a" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes`,
    ],
  ];
  for (const [kind, input, message] of cases) {
    const error = refusal(cluster.apply(kind, input));
    assertEquals([error.code, error.reason, error.message], [422, "Invalid", message]);
  }
  assertEquals(cluster.list("Gateway").items, []);
});

Deno.test("MemoryCluster refuses an object of another kind or of an unknown version", () => {
  const cluster = newCluster();
  const message = "the object provided is unrecognized (must be of type HTTPRoute)";
  assertEquals(refusal(cluster.apply("HTTPRoute", gateway("a"))).message, message);
  const unknown = { ...gateway("a"), apiVersion: "gateway.networking.k8s.io/v9" };
  assertEquals(refusal(cluster.apply("Gateway", unknown)).code, 400);
  const old = { ...gateway("a"), apiVersion: "gateway.networking.k8s.io/v1beta1" };
  const { apiVersion } = accepted(cluster.apply("Gateway", old)).object;
  assertEquals(apiVersion, "gateway.networking.k8s.io/v1", "objects are kept in one version");
});

Deno.test("MemoryCluster keeps the identity of parts that did not change, and freezes all", () => {
  const cluster = newCluster();
  const spec = (): object => ({ list: [{ a: 1 }] });
  const first = accepted(cluster.apply("Gateway", gateway("a", spec()))).object;
  const labels = { x: "y" };
  const second = accepted(cluster.apply("Gateway", gateway("a", spec(), { labels }))).object;
  assertStrictEquals(second.spec, first.spec);
  const status = { s: 1 };
  const third = accepted(cluster.updateStatus("Gateway", { ...gateway("a"), status })).object;
  assertStrictEquals(third.spec, first.spec);
  assert(Object.isFrozen(third.metadata.labels));
});

Deno.test("MemoryCluster has no status to write where the kind has none", () => {
  const cluster = newCluster();
  accepted(cluster.apply("Secret", object("Secret", "s", { namespace: "x" })));
  const error = refusal(
    cluster.updateStatus("Secret", object("Secret", "s", { namespace: "x" })),
  );
  assertEquals(error.message, "the server could not find the requested resource");
});

Deno.test("MemoryCluster: a watcher that applies each event ends with what list() says", () => {
  const operation = fc.record({
    type: fc.constantFrom("apply", "update", "status", "delete", "label"),
    name: fc.constantFrom("a", "b", "c"),
    namespace: fc.constantFrom("x", "y"),
    n: fc.nat(2),
  });
  const run = (cluster: MemoryCluster, { type, name, namespace, n }: typeof example): void => {
    const input = gateway(name, { n }, { namespace });
    if (type === "apply") cluster.apply("Gateway", input);
    else if (type === "update") cluster.update("Gateway", input);
    else if (type === "status") cluster.updateStatus("Gateway", { ...input, status: { n } });
    else if (type === "delete") cluster.delete("Gateway", objectKey(namespace, name));
    else cluster.apply("Namespace", object("Namespace", namespace, { labels: { n: String(n) } }));
  };
  const example = { type: "apply", name: "a", namespace: "x", n: 0 };
  fc.assert(
    fc.property(fc.array(operation), fc.array(operation), (before, after) => {
      const cluster = newCluster();
      for (const step of before) run(cluster, step);
      for (const kind of ["Gateway", "Namespace"] as const) {
        const { items, resourceVersion } = cluster.list(kind);
        const mirror = new Map<string, KubeObject>(items.map((item) => [keyOf(item), item]));
        let last = Number(resourceVersion);
        const mirrorEvent = ({ type, object }: WatchEvent): void => {
          assert(Number(object.metadata.resourceVersion) > last, "versions only grow");
          last = Number(object.metadata.resourceVersion);
          const known = mirror.has(keyOf(object));
          assertEquals(known, type !== "ADDED", `${type} of a ${known ? "known" : "new"} object`);
          if (type === "DELETED") mirror.delete(keyOf(object));
          else mirror.set(keyOf(object), object);
        };
        const half = Math.floor(after.length / 2);
        for (const step of after.slice(0, half)) run(cluster, step);
        assert(cluster.watch(kind, resourceVersion, mirrorEvent).ok);
        for (const step of after.slice(half)) run(cluster, step);
        const now = cluster.list(kind).items;
        assertEquals(mirror.size, now.length);
        for (const item of now) assertStrictEquals(mirror.get(keyOf(item)), item);
      }
    }),
    { numRuns: 200 },
  );
});
