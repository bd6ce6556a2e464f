// Reasons that the API offers and weir never gives, or gives only while nobody has answered: what is
// said instead. A user who looks for the API's word would otherwise believe that it never happens.

import { assert, assertEquals } from "@std/assert";
import { SchemaAdmission } from "../../../src/localkube/admission/schema_admission.ts";
import { MemoryCluster } from "../../../src/localkube/store.ts";
import { statusKinds } from "../../../src/gateway/outputs.ts";
import { routeKinds } from "../../../src/gateway/route_kinds.ts";
import type { DesiredCondition, DesiredStatus } from "../../../src/kube/desired_status.ts";
import { isKind } from "../../../src/kube/kinds.ts";
import { type KubeObject, objectKey } from "../../../src/kube/object.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";
import {
  backend,
  gateway,
  gatewayClass,
  httpRoute,
  type Json,
  listener,
  service,
} from "../../fakes/gateway_objects.ts";
import {
  grpcRoute,
  listenerSet,
  tcpRoute,
  tlsRoute,
  udpRoute,
} from "../../fakes/gateway_kind_objects.ts";
import { fullCapabilities } from "../../fakes/data_planes.ts";
import { GatewayWorld, toKey } from "../../fakes/gateway_world.ts";

const allowAll = { allowedListeners: { namespaces: { from: "All" } } };

function world(...objects: readonly KubeObject[]): GatewayWorld {
  const made = new GatewayWorld({}, fullCapabilities);
  made.put(gatewayClass(), service("web"), ...objects);
  return made;
}

/** Every kind of listener with a route of its kind, one of them in a ListenerSet. */
function everything(): GatewayWorld {
  const at = (sectionName: string) => ({ parentRefs: [{ name: "gw", sectionName }] });
  return world(
    gateway("gw", [
      listener("http"),
      listener("grpc", { port: 81 }),
      listener("tls", { port: 443, protocol: "TLS", tls: { mode: "Passthrough" } }),
      listener("tcp", { port: 9000, protocol: "TCP" }),
      listener("udp", { port: 9000, protocol: "UDP" }),
    ], allowAll),
    listenerSet("set", [listener("more", { port: 8080 })]),
    service("dns", { ports: [{ port: 53, protocol: "UDP" }] }),
    httpRoute("http", at("http")),
    httpRoute("set", { parentRefs: [{ kind: "ListenerSet", name: "set" }] }),
    grpcRoute("grpc", at("grpc")),
    tlsRoute("tls", at("tls")),
    tcpRoute("tcp", at("tcp")),
    udpRoute("udp", { ...at("udp"), rules: [{ backendRefs: [backend("dns", { port: 53 })] }] }),
  );
}

function* conditionsOf({ body }: DesiredStatus): Generator<DesiredCondition> {
  if (body.shape === "conditions") {
    yield* body.conditions;
    for (const { conditions } of body.listeners ?? []) yield* conditions;
  } else {
    const entries = body.shape === "parents" ? body.parents : body.ancestors;
    for (const { conditions } of entries) yield* conditions;
  }
}

/** All that is said with the condition `type`, each once, as `True/Reason`. */
function said(made: GatewayWorld, type: string): readonly string[] {
  const { statuses } = made.outputs();
  const found = statusKinds.flatMap((kind) => [...statuses[kind].values()])
    .flatMap((status) => [...conditionsOf(status)]).filter((condition) => condition.type === type);
  return [...new Set(found.map(({ status, reason }) => `${status}/${reason}`))].sort();
}

function entryCondition(made: GatewayWorld, set: string, name: string, type: string): string {
  const body = made.status("ListenerSet", set)?.body;
  assert(body?.shape === "conditions");
  const entry = body.listeners?.find((found) => found.name === name);
  const condition = entry?.conditions.find((found) => found.type === type);
  return `${condition?.status}/${condition?.reason}`;
}

Deno.test("Every GatewayClass with our controller name is accepted, never Unsupported", () => {
  const made = world(gatewayClass("another"), gatewayClass("of-a-user", { description: "mine" }));
  for (const name of ["weir", "another", "of-a-user"]) {
    assertEquals(made.condition("GatewayClass", name, "Accepted"), "True/Accepted");
  }
});

Deno.test("An object that nobody has reconciled says Unknown and Pending, as its CRD has it", () => {
  let count = 0;
  const cluster = new MemoryCluster({
    admission: new SchemaAdmission(),
    clock: new FakeClock(),
    newUid: () => `uid-${++count}`,
  });
  const cases: readonly (readonly [KubeObject, readonly string[]])[] = [
    [gatewayClass(), ["Accepted Unknown/Pending"]],
    [gateway("gw"), ["Accepted Unknown/Pending", "Programmed Unknown/Pending"]],
    [listenerSet("set"), ["Accepted Unknown/Pending", "Programmed Unknown/Pending"]],
  ];
  for (const [object, wanted] of cases) {
    const { kind, metadata: { name, namespace } } = object;
    assert(isKind(kind));
    const input = JSON.parse(JSON.stringify(object));
    const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
    assert(cluster.create(kind, { ...input, metadata }).ok);
    const status: unknown = cluster.get(kind, objectKey(namespace, name))?.status;
    const { conditions }: { readonly conditions: readonly DesiredCondition[] } = JSON.parse(
      JSON.stringify(status),
    );
    assertEquals(
      conditions.map(({ type, status, reason }) => `${type} ${status}/${reason}`),
      wanted,
    );
  }
});

Deno.test("Accepted is never Unknown in what is computed, before a data plane answers either", () => {
  const made = everything();
  assertEquals(said(made, "Accepted"), ["True/Accepted"]);
  const { statuses } = made.outputs();
  for (const kind of routeKinds) assert(statuses[kind].size > 0, kind);
});

Deno.test("Programmed is Unknown with Pending while a data plane has not answered, never False", () => {
  const made = everything();
  assertEquals(said(made, "Programmed"), ["Unknown/Pending"]);
  made.acknowledge("default/gw");
  assertEquals(said(made, "Programmed"), ["True/Programmed"]);
});

Deno.test("A Gateway for which no address is left says AddressNotAssigned, never NoResources", () => {
  const made = world(gateway("gw"));
  made.address("default/gw", []);
  assertEquals(made.condition("Gateway", "default/gw", "Programmed"), "False/AddressNotAssigned");
  assertEquals(made.condition("Gateway", "default/gw", "Accepted"), "True/Accepted");
});

Deno.test("A listener without a conflict says so, in a Gateway and in a ListenerSet", () => {
  assertEquals(said(everything(), "Conflicted"), ["False/NoConflicts"]);
});

Deno.test("An entry whose port and hostname are taken names the hostname, never ListenerConflict", () => {
  const hostname = "a.example.com";
  const made = world(
    gateway("gw", [listener("http", { hostname })], allowAll),
    listenerSet("set", [listener("late", { hostname })]),
  );
  for (const type of ["Accepted", "Programmed"]) {
    assertEquals(entryCondition(made, "default/set", "late", type), "False/HostnameConflict");
  }
  assertEquals(
    entryCondition(made, "default/set", "late", "Conflicted"),
    "True/HostnameConflict",
  );
});

Deno.test("A Gateway takes all listeners of its ListenerSets, never TooManyListeners", () => {
  const many = (start: number): readonly Json[] =>
    Array.from({ length: 64 }, (_, index) => listener(`l${index}`, { port: start + index }));
  const made = world(
    gateway("gw", many(1000), allowAll),
    ...[2000, 3000, 4000].map((start) => listenerSet(`set-${start}`, many(start))),
  );
  assertEquals(said(made, "Accepted"), ["True/Accepted"]);
  assertEquals(made.config("default/gw").listeners.length, 256);
});

Deno.test("A ListenerSet without a valid listener says ListenersNotValid, never Invalid", () => {
  const broken = { matchExpressions: [{ key: "a", operator: "In" }] };
  const namespaces = { from: "Selector", selector: broken };
  const made = world(
    gateway("gw", [listener("http")], allowAll),
    listenerSet("set", [listener("one", { port: 8080, allowedRoutes: { namespaces } })]),
  );
  const key = toKey("default/set");
  assertEquals(made.condition("ListenerSet", key, "Accepted"), "False/ListenersNotValid");
  assertEquals(made.condition("ListenerSet", key, "Programmed"), "False/ListenersNotValid");
});
