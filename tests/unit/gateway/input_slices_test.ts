/**
 * What of each kind moves the revision. A slice that is missed is a change that no status and no
 * configuration ever follows; one that is too wide makes the engine answer its own writes.
 *
 * The table has a row for every slice of every kind, and each row differs in that slice alone.
 */

import { assert, assertEquals } from "@std/assert";
import { equal } from "../../../src/base/equal.ts";
import { inputKinds } from "../../../src/gateway/kinds/input_kinds.ts";
import type { ObjectOf } from "../../../src/kube/decode/decode.ts";
import { type Kind, kindNames } from "../../../src/kube/kinds.ts";
import { keyOf, type KubeObject } from "../../../src/kube/object.ts";
import { makeCertificate } from "../../fakes/gateway_certificates.ts";
import {
  backendTLSPolicy,
  configMap,
  grpcRoute,
  listenerSet,
  tcpRoute,
  tlsRoute,
  udpRoute,
} from "../../fakes/gateway_kind_objects.ts";
import {
  backend,
  endpointSlice,
  gateway,
  gatewayClass,
  httpRoute,
  type Json,
  listener,
  namespace,
  object,
  referenceGrant,
  rule,
  service,
} from "../../fakes/gateway_objects.ts";
import { decoded, GatewayWorld, kindOf } from "../../fakes/gateway_world.ts";

const [one, other] = [await makeCertificate(["a.example"]), await makeCertificate(["a.example"])];

/** A Secret that is a certificate with its key and a bundle of authorities at once. */
function secret(pem: typeof one, ca: typeof one, rest: Json = {}): KubeObject {
  const { certificate, key } = pem;
  const data = {
    "tls.crt": btoa(certificate),
    "tls.key": btoa(key),
    "ca.crt": btoa(ca.certificate),
  };
  return object("v1", "Secret", "s", {}, { type: "kubernetes.io/tls", data, ...rest });
}

/** What an endpoint that terminates says of itself. */
const draining = {
  addresses: ["10.0.0.9"],
  conditions: { ready: false, serving: true, terminating: true },
};
const routeParents = { parentRefs: [{ name: "gw", sectionName: "http" }] };
const defaultGateways = { useDefaultGateways: "All" };
const streamRules = { rules: [{ backendRefs: [backend("web", { weight: 5 })] }] };
const [from, to] = [{ kind: "HTTPRoute", namespace: "a" }, { kind: "Service" }];
const policySpec = { validation: { hostname: "b.example", wellKnownCACertificates: "System" } };

/** Of each kind a base, and changes of it by the field that they are about. */
const rows: Readonly<Record<Kind, readonly [KubeObject, Readonly<Record<string, KubeObject>>]>> = {
  GatewayClass: [gatewayClass("unused"), {
    "spec.controllerName": gatewayClass("unused", { controllerName: "other.example/controller" }),
    "spec.parametersRef": gatewayClass("unused", {
      parametersRef: { group: "", kind: "ConfigMap", name: "p" },
    }),
  }],
  Gateway: [gateway("x"), {
    "spec.gatewayClassName": gateway("x", undefined, { gatewayClassName: "second" }),
    "spec.listeners": gateway("x", [listener("http", { port: 81 })]),
    "spec.addresses": gateway("x", undefined, { addresses: [{ value: "192.0.2.9" }] }),
    "spec.infrastructure": gateway("x", undefined, { infrastructure: { labels: { a: "b" } } }),
    "spec.tls": gateway("x", undefined, {
      tls: { backend: { clientCertificateRef: { name: "client" } } },
    }),
    "spec.defaultScope": gateway("x", undefined, { defaultScope: "All" }),
    "spec.allowedListeners": gateway("x", undefined, {
      allowedListeners: { namespaces: { from: "All" } },
    }),
  }],
  HTTPRoute: [httpRoute("r"), {
    "spec.parentRefs": httpRoute("r", routeParents),
    "spec.hostnames": httpRoute("r", { hostnames: ["a.example"] }),
    "spec.rules": httpRoute("r", { rules: [rule("/x")] }),
    "spec.useDefaultGateways": httpRoute("r", defaultGateways),
  }],
  GRPCRoute: [grpcRoute("r"), {
    "spec.parentRefs": grpcRoute("r", routeParents),
    "spec.hostnames": grpcRoute("r", { hostnames: ["a.example"] }),
    "spec.rules": grpcRoute("r", streamRules),
    "spec.useDefaultGateways": grpcRoute("r", defaultGateways),
  }],
  TLSRoute: [tlsRoute("r"), {
    "spec.parentRefs": tlsRoute("r", routeParents),
    "spec.hostnames": tlsRoute("r", { hostnames: ["b.example"] }),
    "spec.rules": tlsRoute("r", streamRules),
    "spec.useDefaultGateways": tlsRoute("r", defaultGateways),
  }],
  TCPRoute: [tcpRoute("r"), {
    "spec.parentRefs": tcpRoute("r", routeParents),
    "spec.rules": tcpRoute("r", streamRules),
    "spec.useDefaultGateways": tcpRoute("r", defaultGateways),
  }],
  UDPRoute: [udpRoute("r"), {
    "spec.parentRefs": udpRoute("r", routeParents),
    "spec.rules": udpRoute("r", streamRules),
    "spec.useDefaultGateways": udpRoute("r", defaultGateways),
  }],
  ListenerSet: [listenerSet("l"), {
    "spec.parentRef": listenerSet("l", undefined, { parentRef: { name: "gw2" } }),
    "spec.listeners": listenerSet("l", [listener("http", { port: 81 })]),
  }],
  BackendTLSPolicy: [backendTLSPolicy("p"), {
    "spec.targetRefs": backendTLSPolicy("p", {
      targetRefs: [{ group: "", kind: "Service", name: "web", sectionName: "http" }],
    }),
    "spec.validation": backendTLSPolicy("p", policySpec),
    "spec.options": backendTLSPolicy("p", { options: { "example.com/a": "b" } }),
  }],
  ReferenceGrant: [referenceGrant("g", from, to), {
    "spec.from": referenceGrant("g", { ...from, namespace: "b" }, to),
    "spec.to": referenceGrant("g", from, { ...to, name: "web" }),
  }],
  Namespace: [namespace("n", { x: "1" }), { "metadata.labels": namespace("n", { x: "2" }) }],
  Service: [service("s"), {
    "spec.type": service("s", { type: "NodePort" }),
    "spec.clusterIP": service("s", { clusterIP: "None" }),
    "spec.externalName": service("s", { externalName: "a.example.com" }),
    "spec.ports": service("s", { ports: [{ name: "http", port: 81, protocol: "TCP" }] }),
    "spec.ports of another name": service("s", { ports: [{ name: "h", port: 80 }] }),
    "spec.ports of another protocol": service("s", {
      ports: [{ name: "http", port: 80, protocol: "TCP", appProtocol: "kubernetes.io/h2c" }],
    }),
    "metadata.annotations": service("s", {}, {
      annotations: { "weir.dev/endpoints": "127.0.0.1:1" },
    }),
    "status.loadBalancer": {
      ...service("s"),
      status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
    },
  }],
  EndpointSlice: [endpointSlice("e", "web", ["10.0.0.1"]), {
    "metadata.labels": endpointSlice("e", "other", ["10.0.0.1"]),
    addressType: endpointSlice("e", "web", ["10.0.0.1"], { addressType: "IPv6" }),
    ports: endpointSlice("e", "web", ["10.0.0.1"], { ports: [{ name: "http", port: 8081 }] }),
    "endpoints, another address": endpointSlice("e", "web", ["10.0.0.2"]),
    "endpoints, readiness": endpointSlice("e", "web", [], {
      endpoints: [{ addresses: ["10.0.0.1"], conditions: { ready: false } }],
    }),
    "endpoints, one that terminates": endpointSlice("e", "web", [], {
      endpoints: [{ addresses: ["10.0.0.1"] }, draining],
    }),
  }],
  Secret: [secret(one, one), {
    "data, the certificate": secret(other, one),
    "data, the authorities": secret(one, other),
  }],
  ConfigMap: [configMap("c", { "ca.crt": one.certificate }), {
    data: configMap("c", { "ca.crt": other.certificate }),
  }],
};

/** What every object of a real API server has. */
const identities: Readonly<Record<string, Json>> = {
  "metadata.uid": { uid: "another" },
  "metadata.creationTimestamp": { creationTimestamp: "2026-05-05T00:00:00Z" },
  "metadata.generation": { generation: 7 },
};

function withMetadata(base: KubeObject, metadata: Json, rest: Json = {}): KubeObject {
  return { ...base, ...rest, metadata: { ...base.metadata, ...metadata } };
}

function worldWith(base: KubeObject): GatewayWorld {
  const made = new GatewayWorld();
  made.put(gatewayClass(), gatewayClass("second"), gateway("gw"), gateway("gw2"));
  made.put(gateway("any", undefined, { defaultScope: "All" }), service("web"), base);
  return made;
}

/** The places of the slices in which two objects of a kind differ. */
function differences<K extends Kind>(kind: K, a: ObjectOf[K], b: ObjectOf[K]): readonly number[] {
  return inputKinds[kind].filter((slice) => !equal(slice.read(a), slice.read(b)))
    .map(({ index }) => index);
}

for (const kind of kindNames) {
  const [base, edits] = rows[kind];
  const changes = [
    ...Object.entries(identities).map(([what, part]) => [what, withMetadata(base, part)] as const),
    ...Object.entries(edits),
  ];

  for (const [what, after] of changes) {
    Deno.test(`A ${kind} with another ${what} moves the revision once`, () => {
      assertEquals([kindOf(after), keyOf(after)], [kind, keyOf(base)]);
      const made = worldWith(base);
      const { revision } = made.inputs;
      assert(made.put(after));
      assertEquals(made.inputs.revision, revision + 1);
      assertEquals(made.put(after), false, "the same again is no change");
    });
  }

  Deno.test(`Each slice of a ${kind} is told from the others`, () => {
    const before = decoded(kind, base);
    const seen = changes.map(([, after]) => differences(kind, before, decoded(kind, after)));
    for (const found of seen) assertEquals(found.length, 1, `${seen}`);
    assertEquals(
      [...new Set(seen.flat())].sort((a, b) => a - b),
      inputKinds[kind].map(({ index }) => index),
    );
  });

  Deno.test(`A ${kind} whose status or bookkeeping changes moves no revision`, () => {
    const made = worldWith(base);
    const metadata = {
      resourceVersion: "999",
      managedFields: [{ manager: "kubectl" }],
      finalizers: ["example.com/f"],
      ownerReferences: [{ kind: "Deployment", name: "d" }],
      annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}" },
      // Those of a Namespace are selected by, and one of a slice names its Service.
      ...(kind === "Namespace" ? {} : {
        labels: { ...base.metadata.labels, "app.kubernetes.io/managed-by": "someone" },
      }),
    };
    const status = { conditions: [{ type: "Accepted", status: "True", reason: "Accepted" }] };
    assertEquals(made.put(withMetadata(base, metadata, { status })), false);
  });

  Deno.test(`A ${kind} that was deleted and made again is a change, equal or not`, () => {
    const made = worldWith(base);
    const { revision } = made.inputs;
    assert(made.delete(kind, keyOf(base)));
    assert(made.put(base), "its absence was a fact");
    assert(made.inputs.revision >= revision + 2);
  });
}

Deno.test("Data of Secrets, ConfigMaps and Services that nobody reads move no revision", () => {
  const [certificate, unread] = [one.certificate, "of others"];
  for (
    const [before, after] of [
      [secret(one, one), withMetadata(secret(one, one), {}, { immutable: true })],
      [
        configMap("c", { "ca.crt": certificate }),
        configMap("c", { "ca.crt": certificate, unread }),
      ],
      [service("s"), service("s", { selector: { app: "a" }, sessionAffinity: "ClientIP" })],
    ] as const
  ) {
    assertEquals(worldWith(before).put(after), false, before.kind);
  }
});
