/**
 * Answers of a data plane for routes of every kind. Who deploys waits for `weir.dev/Programmed`: True
 * for what is not served sends traffic into nothing.
 */

import { assertEquals } from "@std/assert";
import type { Acknowledgement } from "../../../src/dataplane/data_plane.ts";
import { type RouteKind, routeKinds } from "../../../src/gateway/route_kinds.ts";
import type { KubeObject } from "../../../src/kube/object.ts";
import { ComputedWorld } from "../../fakes/computed_world.ts";
import {
  grpcRoute,
  listenerSet,
  tcpRoute,
  tlsRoute,
  udpRoute,
} from "../../fakes/gateway_kind_objects.ts";
import {
  backend,
  gateway,
  gatewayClass,
  httpRoute,
  type Json,
  listener,
  service,
} from "../../fakes/gateway_objects.ts";
import { toKey } from "../../fakes/gateway_world.ts";

const hostnames = { HTTPRoute: ["a.example.com"], GRPCRoute: ["b.example.com"] } as const;
const makers = {
  HTTPRoute: (name: string, spec: Json) =>
    httpRoute(name, { hostnames: hostnames.HTTPRoute, ...spec }),
  GRPCRoute: (name: string, spec: Json) =>
    grpcRoute(name, { hostnames: hostnames.GRPCRoute, ...spec }),
  TLSRoute: tlsRoute,
  TCPRoute: tcpRoute,
  UDPRoute: udpRoute,
} as const;

const listeners = [
  listener("http"),
  listener("tls", { port: 443, protocol: "TLS", tls: { mode: "Passthrough" } }),
  listener("tcp", { port: 90, protocol: "TCP" }),
  listener("udp", { port: 90, protocol: "UDP" }),
];

const start: readonly KubeObject[] = [
  gatewayClass(),
  gateway("gw", listeners, { allowedListeners: { namespaces: { from: "All" } } }),
  listenerSet(
    "set",
    listeners.map((own, index) => ({ ...own, port: 1000 + index })),
  ),
  service("web"),
  service("dns", {
    ports: [{ name: "u", port: 53, protocol: "UDP" }, { name: "t", port: 53, protocol: "TCP" }],
  }),
];

const parents: readonly Json[] = [{ name: "gw" }, { name: "set", kind: "ListenerSet" }];
const routeOf = (kind: RouteKind, name = "r", weight = 1): KubeObject =>
  makers[kind](name, {
    parentRefs: parents,
    rules: [{ backendRefs: [backend("dns", { port: 53, weight })] }],
  });

function programmed(world: ComputedWorld, kind: RouteKind, name = "r"): readonly string[] {
  return world.world.parents(`default/${name}`, kind).map((conditions) => {
    const found = conditions.find(({ type }) => type === "weir.dev/Programmed");
    return `${found?.status}/${found?.reason}`;
  });
}

const both = (text: string): readonly string[] => [text, text];

function answerFor(world: ComputedWorld): Acknowledgement {
  const config = world.config();
  return { gateway: config.key, config, listeners: [], refusals: [] };
}

for (const kind of routeKinds) {
  Deno.test(`A route that a data plane refuses is not programmed, others are: ${kind}`, () => {
    const others = routeKinds.filter((other) => other !== kind);
    const world = new ComputedWorld([...start, ...routeKinds.map((other) => routeOf(other))]);
    assertEquals(programmed(world, kind), both("Unknown/Pending"));
    world.answer();
    assertEquals(programmed(world, kind), both("True/Programmed"));
    const origin = { kind, namespace: "default", name: "r" };
    world.answer({ origin, reason: "R", message: "m" });
    assertEquals(programmed(world, kind), both("False/R"));
    for (const other of others) assertEquals(programmed(world, other), both("True/Programmed"));
    assertEquals(world.world.condition("Gateway", "default/gw", "Programmed"), "True/Programmed");
    world.answer();
    assertEquals(programmed(world, kind), both("True/Programmed"));
  });

  Deno.test(`A route that changes is pending until its new rules are answered for: ${kind}`, () => {
    const world = new ComputedWorld([...start, ...routeKinds.map((other) => routeOf(other))]);
    const old = answerFor(world);
    world.answer();
    world.step(routeOf(kind, "r", 7));
    assertEquals(programmed(world, kind), both("Unknown/Pending"));
    for (const other of routeKinds) {
      if (other !== kind) assertEquals(programmed(world, other), both("True/Programmed"));
    }
    // It was asked before the change: it says nothing of what is wanted now.
    world.world.inputs.setAcknowledgement(toKey("default/gw"), old);
    world.step();
    assertEquals(programmed(world, kind), both("Unknown/Pending"));
    world.answer();
    assertEquals(programmed(world, kind), both("True/Programmed"));
    // Back to what the old answer was for.
    world.world.inputs.setAcknowledgement(toKey("default/gw"), old);
    world.step(routeOf(kind));
    assertEquals(programmed(world, kind), both("True/Programmed"));
  });
}
