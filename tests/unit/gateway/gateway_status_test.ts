/** Conditions of classes, Gateways and listeners: what tells an operator which part is broken. */

import { assertEquals, assertMatch } from "@std/assert";
import { type KubeObject, objectKey } from "../../../src/kube/object.ts";
import {
  gateway,
  gatewayClass,
  httpRoute,
  httpsListener,
  type Json,
  listener,
  namespace,
  rule,
  service,
} from "../../fakes/gateway_objects.ts";
import { GatewayWorld } from "../../fakes/gateway_world.ts";

const gw = "default/gw";

function world(listeners?: readonly Json[], spec: Json = {}, ...more: KubeObject[]): GatewayWorld {
  const made = new GatewayWorld();
  made.put(gatewayClass(), gateway("gw", listeners, spec), ...more);
  return made;
}

Deno.test("GatewayClass is accepted and names the features of the data plane, sorted", () => {
  const made = world();
  assertEquals(made.condition("GatewayClass", "weir", "Accepted"), "True/Accepted");
  const body = made.status("GatewayClass", "weir")?.body;
  assertEquals(body?.shape === "conditions" && body.fields, {
    supportedFeatures: [{ name: "Gateway" }, { name: "HTTPRoute" }, { name: "ReferenceGrant" }],
  });
});

Deno.test("GatewayClass with parameters is refused, and its Gateways with it", () => {
  const made = world();
  made.put(gatewayClass("weir", { parametersRef: { group: "a", kind: "B", name: "c" } }));
  assertEquals(made.condition("GatewayClass", "weir", "Accepted"), "False/InvalidParameters");
  assertEquals(made.condition("Gateway", gw, "Accepted"), "False/InvalidParameters");
  assertEquals(made.outputs().dataPlane.gateways.size, 0);
});

Deno.test("A valid Gateway is accepted and waits for the data plane", () => {
  const made = world();
  assertEquals(made.condition("Gateway", gw, "Accepted"), "True/Accepted");
  assertEquals(made.condition("Gateway", gw, "Programmed"), "Unknown/Pending");
  assertEquals(made.condition("Gateway", gw, "ResolvedRefs"), "True/ResolvedRefs");
  assertEquals(made.status("Gateway", gw)?.pending, true);
  assertEquals(made.listener(gw, "http").supportedKinds, [
    { group: "gateway.networking.k8s.io", kind: "HTTPRoute" },
  ]);
  for (
    const [type, wanted] of [
      ["Accepted", "True/Accepted"],
      ["Programmed", "Unknown/Pending"],
      ["ResolvedRefs", "True/ResolvedRefs"],
      ["Conflicted", "False/NoConflicts"],
      ["OverlappingTLSConfig", "-"],
      ["weir.dev/listening", "-"],
    ] as const
  ) assertEquals(made.listenerCondition(gw, "http", type), wanted, type);
});

const refusedGateways: readonly (readonly [string, Json, string])[] = [
  ["infrastructure parameters", {
    infrastructure: { parametersRef: { group: "a", kind: "B", name: "c" } },
  }, "False/InvalidParameters"],
  ["an address of a type that is not supported", {
    addresses: [{ type: "Hostname", value: "a.example.com" }],
  }, "False/UnsupportedAddress"],
];

for (const [what, spec, wanted] of refusedGateways) {
  Deno.test(`A Gateway with ${what} is ${wanted} and not served`, () => {
    const made = world(undefined, spec);
    assertEquals(made.condition("Gateway", gw, "Accepted"), wanted);
    assertEquals(made.condition("Gateway", gw, "Programmed"), "False/Invalid");
    assertEquals(made.outputs().dataPlane.gateways.size, 0);
    const body = made.status("Gateway", gw)?.body;
    assertEquals(body?.shape === "conditions" && body.fields, { addresses: [] });
  });
}

Deno.test("A Gateway whose requested address cannot be had says so and stays accepted", () => {
  const made = world();
  made.address(gw, [], ["203.0.113.9"]);
  assertEquals(made.condition("Gateway", gw, "Accepted"), "True/Accepted");
  assertEquals(made.condition("Gateway", gw, "Programmed"), "False/AddressNotUsable");
});

Deno.test("A Gateway without an address says so", () => {
  const made = world();
  made.address(gw, []);
  assertEquals(made.condition("Gateway", gw, "Programmed"), "False/AddressNotAssigned");
});

Deno.test("A Gateway whose default scope is unknown says so, never silently", () => {
  const body = world(undefined, { defaultScope: "Some" }).status("Gateway", gw)?.body;
  const accepted = body?.shape === "conditions" ? body.conditions[0]?.message : "";
  assertMatch(accepted ?? "", /defaultScope "Some" is unknown/);
});

for (const protocol of ["TCP", "UDP", "TLS", "example.com/custom"]) {
  Deno.test(`A listener with protocol ${protocol} is refused alone, the others are served`, () => {
    const made = world([listener("bad", { protocol, port: 90 }), listener("good")]);
    assertEquals(made.listenerCondition(gw, "bad", "Accepted"), "False/UnsupportedProtocol");
    assertEquals(made.listenerCondition(gw, "bad", "Programmed"), "False/Invalid");
    assertEquals(made.listener(gw, "bad").supportedKinds, []);
    assertEquals(made.condition("Gateway", gw, "Accepted"), "True/ListenersNotValid");
    assertEquals(made.config(gw).listeners.map(({ name }) => name), ["good"]);
  });
}

Deno.test("A Gateway without a valid listener is not accepted", () => {
  const made = world([listener("bad", { protocol: "TCP" })]);
  assertEquals(made.condition("Gateway", gw, "Accepted"), "False/ListenersNotValid");
  assertEquals(made.condition("Gateway", gw, "Programmed"), "False/Invalid");
});

Deno.test("Unknown route kinds are told, the known one stays in use", () => {
  const kinds = [{ kind: "HTTPRoute" }, { kind: "Unknown" }];
  const made = world([listener("a", { allowedRoutes: { kinds } })]);
  assertEquals(made.listenerCondition(gw, "a", "ResolvedRefs"), "False/InvalidRouteKinds");
  assertEquals(made.listenerCondition(gw, "a", "Accepted"), "True/Accepted");
  assertEquals(made.listener(gw, "a").supportedKinds.map(({ kind }) => kind), ["HTTPRoute"]);
  assertEquals(made.condition("Gateway", gw, "ResolvedRefs"), "False/ListenersNotResolved");
});

Deno.test("With unknown route kinds only, no kind is supported", () => {
  const kinds = [{ group: "example.com", kind: "HTTPRoute" }];
  const made = world([listener("a", { allowedRoutes: { kinds } })]);
  assertEquals(made.listenerCondition(gw, "a", "ResolvedRefs"), "False/InvalidRouteKinds");
  assertEquals(made.listener(gw, "a").supportedKinds, []);
});

Deno.test("HTTP and HTTPS on one port conflict: no winner is picked within a Gateway", () => {
  const made = world([
    listener("a", { port: 443 }),
    httpsListener("b", ["tls"], { hostname: "b.example.com" }),
    listener("c"),
  ]);
  for (const name of ["a", "b"]) {
    assertEquals(made.listenerCondition(gw, name, "Conflicted"), "True/ProtocolConflict");
    assertEquals(made.listenerCondition(gw, name, "Accepted"), "False/ProtocolConflict");
    assertEquals(made.listenerCondition(gw, name, "Programmed"), "False/ProtocolConflict");
  }
  assertEquals(made.listenerCondition(gw, "c", "Conflicted"), "False/NoConflicts");
  assertEquals(made.condition("Gateway", gw, "Accepted"), "True/ListenersNotValid");
  assertEquals(made.config(gw).listeners.map(({ name }) => name), ["c"]);
});

Deno.test("Equal hostnames on one port conflict, also in different case", () => {
  const made = world([
    listener("a", { hostname: "x.example.com" }),
    listener("b", { hostname: "X.example.com" }),
  ]);
  assertEquals(made.listenerCondition(gw, "a", "Conflicted"), "True/HostnameConflict");
  assertEquals(made.listenerCondition(gw, "b", "Accepted"), "False/HostnameConflict");
  assertEquals(made.condition("Gateway", gw, "Accepted"), "False/ListenersNotValid");
});

Deno.test("A listener that is refused anyway drags nobody into a conflict", () => {
  const made = world([listener("tcp", { protocol: "TCP" }), listener("http")]);
  assertEquals(made.listenerCondition(gw, "http", "Accepted"), "True/Accepted");
  assertEquals(made.listenerCondition(gw, "tcp", "Conflicted"), "False/NoConflicts");
});

const unsupportedTls: readonly (readonly [string, Json, Json])[] = [
  ["TLS options that nobody knows", {
    tls: { certificateRefs: [{ name: "tls" }], options: { "example.com/min": "1.3" } },
  }, {}],
  ["mode Passthrough", { tls: { mode: "Passthrough", certificateRefs: [{ name: "tls" }] } }, {}],
  ["client certificates to validate", {}, {
    tls: { frontend: { default: { validation: { caCertificateRefs: [] } } } },
  }],
  ["client certificates to validate on its port", {}, {
    tls: {
      frontend: {
        default: {},
        perPort: [{ port: 443, tls: { validation: { caCertificateRefs: [] } } }],
      },
    },
  }],
];

for (const [what, rest, spec] of unsupportedTls) {
  Deno.test(`An HTTPS listener with ${what} is refused, never served with less than was asked`, () => {
    const made = world([httpsListener("a", ["tls"], rest), listener("b")], spec);
    assertEquals(made.listenerCondition(gw, "a", "Accepted"), "False/UnsupportedValue");
    assertEquals(made.listenerCondition(gw, "b", "Accepted"), "True/Accepted");
  });
}

Deno.test("A listener with a selector that is none is refused, as it would select nothing", () => {
  const selector = { matchExpressions: [{ key: "a", operator: "Like", values: ["x"] }] };
  const made = world([
    listener("a", { allowedRoutes: { namespaces: { from: "Selector", selector } } }),
  ]);
  assertEquals(made.listenerCondition(gw, "a", "Accepted"), "False/UnsupportedValue");
});

Deno.test("attachedRoutes counts accepted routes once each, whatever the listener's state is", () => {
  const made = world(
    [listener("http"), httpsListener("https", ["missing"])],
    {},
    service("web"),
    httpRoute("both", { parentRefs: [{ name: "gw" }, { name: "gw", sectionName: "https" }] }),
    httpRoute("unresolved", {
      parentRefs: [{ name: "gw", sectionName: "https" }],
      rules: [rule("/", "nobody")],
    }),
    httpRoute("refused", { rules: [{ filters: [{ type: "CORS", cors: {} }] }] }),
  );
  assertEquals(made.listener(gw, "http").attachedRoutes, 1);
  assertEquals(made.listener(gw, "https").attachedRoutes, 2);
  assertEquals(made.listenerCondition(gw, "https", "ResolvedRefs"), "False/InvalidCertificateRef");
  assertEquals(made.routeCondition("default/unresolved", "Accepted"), "True/Accepted");
});

Deno.test("A namespace that loses its label loses its routes", () => {
  const allowedRoutes = {
    namespaces: { from: "Selector", selector: { matchLabels: { open: "yes" } } },
  };
  const made = world([listener("a", { allowedRoutes })], {}, namespace("apps", { open: "yes" }));
  made.put(httpRoute("r", { parentRefs: [{ name: "gw", namespace: "default" }] }, {
    namespace: "apps",
  }));
  assertEquals(made.listener(gw, "a").attachedRoutes, 1);
  made.put(namespace("apps", { open: "no" }));
  assertEquals(made.listener(gw, "a").attachedRoutes, 0);
});

const young = { created: "2026-02-02T00:00:00Z" };

Deno.test("Of two Gateways that need one port for the same host the older one keeps it", () => {
  const made = world([listener("a", { hostname: "x.example.com" })]);
  made.put(gateway(
    "late",
    [
      listener("same", { hostname: "x.example.com" }),
      listener("other", { hostname: "y.example.com" }),
    ],
    {},
    young,
  ));
  made.address("default/late", ["192.0.2.1"]);
  made.address(gw, ["192.0.2.1"]);
  assertEquals(made.listenerCondition("default/late", "same", "Accepted"), "False/PortUnavailable");
  assertEquals(made.listenerCondition("default/late", "other", "Accepted"), "True/Accepted");
  assertEquals(made.listenerCondition(gw, "a", "Accepted"), "True/Accepted");
  made.delete("Gateway", gw);
  assertEquals(made.listenerCondition("default/late", "same", "Accepted"), "True/Accepted");
});

Deno.test("A listener that lost a port takes nothing from a younger Gateway", () => {
  const made = world([listener("a", { port: 90, hostname: "a.example.com" })]);
  made.put(
    gateway("second", [httpsListener("b", ["tls"], { port: 90 })], {}, young),
    gateway("third", [listener("c", { port: 90, hostname: "c.example.com" })], {}, {
      created: "2026-03-03T00:00:00Z",
    }),
  );
  for (const name of ["gw", "second", "third"]) made.address(`default/${name}`, ["192.0.2.1"]);
  assertEquals(made.listenerCondition("default/second", "b", "Accepted"), "False/PortUnavailable");
  assertEquals(made.listenerCondition("default/third", "c", "Accepted"), "True/Accepted");
});

Deno.test("A Gateway that is refused takes no port from a younger one", () => {
  const made = world([listener("a")], { addresses: [{ type: "Hostname", value: "a.example" }] });
  made.put(gateway("second", [listener("b")], {}, young));
  for (const name of ["gw", "second"]) made.address(`default/${name}`, ["192.0.2.1"]);
  assertEquals(made.listenerCondition("default/second", "b", "Accepted"), "True/Accepted");
});

Deno.test("Gateways with addresses of their own never fight for a port", () => {
  const made = world();
  made.put(gateway("other", [listener("http")], {}, young));
  assertEquals(made.listenerCondition("default/other", "http", "Accepted"), "True/Accepted");
});

Deno.test("A listener that lost its port at one address takes nothing at its other addresses", () => {
  const made = world([listener("a")]);
  made.put(
    gateway("wide", [listener("b")], {}, young),
    gateway("third", [listener("c")], {}, { created: "2026-03-03T00:00:00Z" }),
  );
  made.address(gw, ["192.0.2.1"]);
  made.address("default/wide", ["192.0.2.1", "192.0.2.2"]);
  made.address("default/third", ["192.0.2.2"]);
  assertEquals(made.listenerCondition("default/wide", "b", "Accepted"), "False/PortUnavailable");
  assertEquals(made.listenerCondition("default/third", "c", "Accepted"), "True/Accepted");
});

/** What the status of the Gateway says of where it is reached, and whether it is. */
function published(made: GatewayWorld): readonly [unknown, string] {
  const body = made.status("Gateway", gw)?.body;
  const addresses = body?.shape === "conditions" ? body.fields?.addresses : undefined;
  return [addresses, made.condition("Gateway", gw, "Programmed")];
}

Deno.test("With a Service before the data plane, the status has the addresses of its load balancer", () => {
  const made = world();
  made.publishService = objectKey("default", "front");
  const front = (status: Json, spec: Json = { type: "LoadBalancer" }) =>
    made.put({ ...service("front", spec), status: { loadBalancer: status } });
  const none = [[], "False/AddressNotAssigned"] as const;
  assertEquals(published(made), none, "the Service is not there");
  front({});
  assertEquals(published(made), none, "it has no address yet");
  front({ ingress: [{ ip: "192.0.2.7" }, { hostname: "lb.example.com" }, { ip: "no address" }] });
  made.acknowledge(gw);
  assertEquals(published(made), [
    [{ type: "IPAddress", value: "192.0.2.7" }, { type: "Hostname", value: "lb.example.com" }],
    "True/Programmed",
  ]);
  assertEquals(
    made.config(gw).addresses.includes("192.0.2.7"),
    false,
    "it is the load balancer's, and cannot be listened on",
  );
  front({}, { type: "ClusterIP", clusterIP: "10.96.0.9" });
  assertEquals(published(made)[0], [{ type: "IPAddress", value: "10.96.0.9" }]);
  front({}, { type: "ClusterIP", clusterIP: "None" });
  assertEquals(published(made), none);
});
