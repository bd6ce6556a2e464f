/**
 * BackendTLSPolicies: which one holds for a port of a Service, and what it comes to. The wrong one, or
 * none, sends in the clear what was to be secured.
 */

import { assertEquals } from "@std/assert";
import type { BackendTls } from "../../../src/dataplane/model.ts";
import type { DesiredCondition } from "../../../src/kube/desired_status.ts";
import type { KubeObject } from "../../../src/kube/object.ts";
import { ComputedWorld } from "../../fakes/computed_world.ts";
import { makeCertificate } from "../../fakes/gateway_certificates.ts";
import {
  backendTLSPolicy,
  configMap,
  grpcRoute,
  tcpRoute,
  tlsRoute,
} from "../../fakes/gateway_kind_objects.ts";
import {
  backend,
  gateway,
  gatewayClass,
  httpRoute,
  type Json,
  listener,
  referenceGrant,
  rule,
  service,
} from "../../fakes/gateway_objects.ts";
import { toKey } from "../../fakes/gateway_world.ts";
import { caSecret } from "../../fakes/random_policies.ts";

const pem = await makeCertificate(["a.example.com"]);
const second = await makeCertificate(["b.example.com"]);
const ports = { ports: [{ name: "http", port: 80 }, { name: "other", port: 81 }, { port: 82 }] };

function made(...objects: readonly KubeObject[]): ComputedWorld {
  return new ComputedWorld([
    gatewayClass(),
    gateway("gw"),
    service("web", ports),
    configMap("ca", { "ca.crt": pem.certificate }),
    httpRoute("r", {
      rules: [{ backendRefs: [80, 81, 82].map((port) => backend("web", { port })) }],
    }),
    ...objects,
  ]);
}

const older = { created: "2025-01-01T00:00:00Z" };
const target = (rest: Json = {}): Json => ({
  targetRefs: [{ group: "", kind: "Service", name: "web", ...rest }],
});
/** The policy's name is its hostname, so that the winner is seen. */
function policy(name: string, spec: Json = {}, meta = {}): KubeObject {
  const validation = {
    hostname: name,
    caCertificateRefs: [{ group: "", kind: "ConfigMap", name: "ca" }],
  };
  return backendTLSPolicy(name, { ...target(), validation, ...spec }, meta);
}
const validation = (rest: Json): Json => ({ validation: { hostname: "web", ...rest } });
const caRef = (kind: string, name: string): Json => ({ group: "", kind, name });

function tls(world: ComputedWorld, port = 80): BackendTls | undefined {
  const { clusters } = world.computed.outputs.dataPlane;
  return [...clusters.values()].find((cluster) => cluster.port === port)?.tls;
}

/** The winners at the three ports; `-` for a port that leads nowhere. */
function winners(world: ComputedWorld): readonly (string | undefined)[] {
  const { clusters } = world.computed.outputs.dataPlane;
  const ports = new Set([...clusters.values()].map(({ port }) => port));
  return [80, 81, 82].map((port) => ports.has(port) ? tls(world, port)?.hostname : "-");
}

function conditions(world: ComputedWorld, name: string): readonly DesiredCondition[] {
  const body = world.computed.outputs.statuses.BackendTLSPolicy.get(toKey(`default/${name}`))?.body;
  return body?.shape === "ancestors" ? body.ancestors.flatMap((found) => found.conditions) : [];
}

function condition(world: ComputedWorld, name: string, type = "Accepted"): string {
  const found = conditions(world, name).find((one) => one.type === type);
  return found ? `${found.status}/${found.reason}` : "-";
}

function ancestors(world: ComputedWorld, name: string): readonly string[] {
  const key = toKey(name.includes("/") ? name : `default/${name}`);
  const body = world.computed.outputs.statuses.BackendTLSPolicy.get(key)?.body;
  return body?.shape === "ancestors"
    ? body.ancestors.map(({ ancestorRef }) => ancestorRef.name)
    : [];
}

Deno.test("A policy for a Service holds for all of its ports", () => {
  assertEquals(winners(made(policy("a"))), ["a", "a", "a"]);
});

Deno.test("A policy for a section holds for that port only, and wins over one for the whole", () => {
  const world = made(policy("section", target({ sectionName: "http" })));
  assertEquals(winners(world), ["section", undefined, undefined]);
  world.step(policy("whole", {}, older));
  assertEquals(winners(world), ["section", "whole", "whole"]);
  assertEquals(condition(world, "section"), "True/Accepted");
  assertEquals(condition(world, "whole"), "True/Accepted");
});

Deno.test("An empty section is none", () => {
  assertEquals(winners(made(policy("a", target({ sectionName: "" })))), ["a", "a", "a"]);
});

Deno.test("Of two policies for the same the older wins, by name if they are of one age", () => {
  const world = made(policy("b"), policy("a"));
  assertEquals(winners(world), ["a", "a", "a"]);
  assertEquals([condition(world, "a"), condition(world, "b")], [
    "True/Accepted",
    "False/Conflicted",
  ]);
  world.step(policy("c", {}, older));
  assertEquals(winners(world), ["c", "c", "c"]);
  assertEquals(condition(world, "a"), "False/Conflicted");
});

Deno.test("A policy that lost wins when the winner leaves, or speaks of something else", () => {
  const world = made(policy("a"), policy("b"));
  world.step(policy("a", { targetRefs: [{ group: "", kind: "Service", name: "other" }] }));
  assertEquals([winners(world)[0], condition(world, "b")], ["b", "True/Accepted"]);
  world.step(policy("a"));
  assertEquals([winners(world)[0], condition(world, "b")], ["a", "False/Conflicted"]);
  world.world.delete("BackendTLSPolicy", "default/a");
  world.step();
  assertEquals([winners(world)[0], condition(world, "b")], ["b", "True/Accepted"]);
  world.world.delete("BackendTLSPolicy", "default/b");
  world.step();
  assertEquals(winners(world), [undefined, undefined, undefined]);
});

Deno.test("Two policies for two sections do not meet", () => {
  const world = made(
    policy("a", target({ sectionName: "http" })),
    policy("b", target({ sectionName: "other" })),
  );
  assertEquals(winners(world), ["a", "b", undefined]);
  assertEquals(condition(world, "b"), "True/Accepted");
});

Deno.test("A policy that loses one of its targets and holds for another is accepted", () => {
  const both = {
    targetRefs: [
      { group: "", kind: "Service", name: "web" },
      { group: "", kind: "Service", name: "web", sectionName: "other" },
    ],
  };
  const world = made(policy("a"), policy("b", both));
  assertEquals(winners(world), ["a", "b", "a"]);
  assertEquals(condition(world, "b"), "True/Accepted");
});

Deno.test("A target that is not there is told", () => {
  const world = made(policy("a", target({ sectionName: "gone" })));
  assertEquals(condition(world, "a"), "False/TargetNotFound");
  world.world.delete("Service", "default/web");
  world.step();
  assertEquals(conditions(world, "a")[0]?.message, `Service "default/web" does not exist`);
});

Deno.test("A policy of another namespace, kind or group says nothing of the Service", () => {
  const world = made(
    policy("a", {}, { namespace: "apps" }),
    policy("b", { targetRefs: [{ group: "", kind: "Pod", name: "web" }] }),
    policy("c", { targetRefs: [{ group: "g", kind: "Service", name: "web" }] }),
  );
  assertEquals(winners(world), [undefined, undefined, undefined]);
});

Deno.test("A winner that cannot be followed leaves the port without connections, not in the clear", () => {
  for (
    const [spec, accepted, resolved] of [
      [
        validation({ caCertificateRefs: [caRef("ConfigMap", "gone")] }),
        "False/NoValidCACertificate",
        "False/InvalidCACertificateRef",
      ],
      [
        validation({ caCertificateRefs: [caRef("Pod", "ca")] }),
        "False/NoValidCACertificate",
        "False/InvalidKind",
      ],
      [validation({ wellKnownCACertificates: "Moon" }), "False/Invalid", "True/ResolvedRefs"],
      [validation({}), "False/NoValidCACertificate", "True/ResolvedRefs"],
      [{ options: { "a.example/b": "c" } }, "False/Invalid", "True/ResolvedRefs"],
      [
        validation({ wellKnownCACertificates: "System", subjectAltNames: [{ type: "IP" }] }),
        "False/Invalid",
        "True/ResolvedRefs",
      ],
    ] as const
  ) {
    const world = made(policy("a", spec, older), policy("b"));
    assertEquals(condition(world, "a"), accepted, JSON.stringify(spec));
    assertEquals(condition(world, "a", "ResolvedRefs"), resolved);
    assertEquals(winners(world), ["-", "-", "-"], "the younger one does not step in");
    const [entry] = world.listener("http").routes;
    assertEquals(entry?.action.backends.map(({ cluster }) => cluster), [
      undefined,
      undefined,
      undefined,
    ]);
  }
});

Deno.test("Bundles of ConfigMaps and Secrets come and go, and those that are left are trusted", () => {
  const refs = [caRef("Secret", "ca"), caRef("ConfigMap", "ca")];
  const world = made(policy("a", validation({ caCertificateRefs: refs })));
  assertEquals(tls(world)?.trust.length, 1);
  assertEquals(condition(world, "a", "ResolvedRefs"), "False/InvalidCACertificateRef");
  world.step(caSecret("ca", pem));
  assertEquals(tls(world)?.trust.length, 1, "the same bundle, once");
  assertEquals(condition(world, "a", "ResolvedRefs"), "True/ResolvedRefs");
  world.step(configMap("ca", { "ca.crt": "nonsense" }));
  assertEquals(condition(world, "a", "ResolvedRefs"), "False/InvalidCACertificateRef");
  assertEquals(condition(world, "a"), "True/Accepted");
  world.world.delete("Secret", "default/ca");
  world.step();
  assertEquals([winners(world)[0], condition(world, "a")], ["-", "False/NoValidCACertificate"]);
});

Deno.test("Bundles are handed on in one order, whatever theirs is", () => {
  const names = ["ca", "ca2"];
  const trusts = [names, names.toReversed()].map((refs) =>
    tls(made(
      configMap("ca2", { "ca.crt": second.certificate }),
      policy("a", validation({ caCertificateRefs: refs.map((name) => caRef("ConfigMap", name)) })),
    ))?.trust
  );
  assertEquals(trusts[0]?.length, 2);
  assertEquals(trusts[0], trusts[1]);
});

Deno.test("Ancestors are in the order of their names, whatever that of the targets is", () => {
  const world = new ComputedWorld([
    gatewayClass(),
    gateway("a"),
    gateway("b"),
    service("web"),
    service("other"),
    httpRoute("b", { parentRefs: [{ name: "b" }] }),
    httpRoute("a", { parentRefs: [{ name: "a" }], rules: [rule("/", "other")] }),
    policy("p", {
      targetRefs: ["web", "other"].map((name) => ({ group: "", kind: "Service", name })),
    }),
  ]);
  assertEquals(ancestors(world, "p"), ["a", "b"]);
});

Deno.test("The system's authorities and other names are handed on", () => {
  const subjectAltNames = [
    { type: "Hostname", hostname: "B.example.com" },
    { type: "URI", uri: "spiffe://a/b" },
  ];
  const world = made(
    policy("a", validation({ wellKnownCACertificates: "System", subjectAltNames })),
  );
  assertEquals(tls(world), {
    hostname: "web",
    trust: "system",
    subjectAltNames: [
      { type: "Hostname", value: "b.example.com" },
      { type: "URI", value: "spiffe://a/b" },
    ],
  });
});

Deno.test("A policy is told of every Gateway that sends to its Service, by whatever part of a route", () => {
  const to = { backendRef: { name: "web", port: 80 } };
  const mirror = { type: "RequestMirror", requestMirror: to };
  const world = new ComputedWorld([
    gatewayClass(),
    ...["rule", "mirror", "part", "auth", "grpc", "none"].map((name) => gateway(name)),
    service("web"),
    service("other"),
    configMap("ca", { "ca.crt": pem.certificate }),
    policy("a"),
    httpRoute("rule", { parentRefs: [{ name: "rule" }] }),
    httpRoute("mirror", {
      parentRefs: [{ name: "mirror" }],
      rules: [rule("/", "other", { filters: [mirror] })],
    }),
    httpRoute("part", {
      parentRefs: [{ name: "part" }],
      rules: [{ backendRefs: [backend("other", { filters: [mirror] })] }],
    }),
    httpRoute("auth", {
      parentRefs: [{ name: "auth" }],
      rules: [rule("/", "other", {
        filters: [{ type: "ExternalAuth", externalAuth: { protocol: "HTTP", ...to } }],
      })],
    }),
    grpcRoute("grpc", { parentRefs: [{ name: "grpc" }] }),
    httpRoute("none", { parentRefs: [{ name: "none" }], rules: [rule("/", "other")] }),
  ]);
  assertEquals(ancestors(world, "a"), ["auth", "grpc", "mirror", "part", "rule"]);
  world.step(grpcRoute("grpc", { parentRefs: [{ name: "grpc" }], hostnames: ["x.example.com"] }));
  world.world.delete("HTTPRoute", "default/mirror");
  world.step();
  assertEquals(ancestors(world, "a"), ["auth", "grpc", "part", "rule"]);
});

Deno.test("Connections that are passed on as they are follow no policy, and none says that they do", () => {
  const world = new ComputedWorld([
    gatewayClass(),
    gateway("gw", [
      listener("tcp", { port: 90, protocol: "TCP" }),
      listener("tls", { port: 91, protocol: "TLS", tls: { mode: "Passthrough" } }),
    ]),
    service("web"),
    configMap("ca", { "ca.crt": pem.certificate }),
    policy("a"),
    tcpRoute("tcp"),
    tlsRoute("tls"),
  ]);
  const [cluster] = world.computed.outputs.dataPlane.clusters.values();
  assertEquals([String(cluster?.name), cluster?.tls], ["default/web/80/TCP", undefined]);
  assertEquals(world.computed.outputs.statuses.BackendTLSPolicy.size, 0);
});

Deno.test("A Gateway that no grant lets send to the Service is no ancestor of its policy", () => {
  const away = { namespace: "away" };
  const to = [backend("web", { namespace: "away", port: 80 })];
  const grant = (kind: string) =>
    referenceGrant("g", { kind, namespace: "default" }, { kind: "Service" }, away);
  const world = made(
    service("web", ports, away),
    configMap("ca", { "ca.crt": pem.certificate }, away),
    policy("p", {}, away),
    httpRoute("across", { rules: [{ backendRefs: to }] }),
  );
  const found = () => ancestors(world, "away/p");
  assertEquals(found(), []);
  world.step(grant("GRPCRoute"));
  assertEquals(found(), [], "routes of another kind were allowed");
  world.step(grant("HTTPRoute"));
  assertEquals(found(), ["gw"]);
  world.step(grant("TCPRoute"));
  assertEquals(found(), [], "the grant was taken back");
  world.step(
    gateway("beside", [listener("http")], {}, away),
    httpRoute("beside", {
      parentRefs: [{ name: "beside" }],
      rules: [{ backendRefs: [backend("web", { port: 80 })] }],
    }, away),
  );
  assertEquals(found(), ["beside"], "a route beside the Service needs no grant");
});
