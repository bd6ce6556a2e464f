/**
 * Sets are read by group: the routes of a parent, the grants of a namespace, the slices of a Service.
 * An object that comes costs the same however many there are of other groups; where it does not, a
 * large cluster pays for each edit of anybody.
 */

import { assert, assertEquals } from "@std/assert";
import { IncrementalOutputs } from "../../../src/gateway/incremental_outputs.ts";
import type { KubeObject } from "../../../src/kube/object.ts";
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
  referenceGrant,
  service,
} from "../../fakes/gateway_objects.ts";
import { GatewayWorld } from "../../fakes/gateway_world.ts";
import { playedSettings } from "../../fakes/played_gateway_world.ts";

const listeners = [
  listener("http"),
  listener("tls", { port: 443, protocol: "TLS", tls: { mode: "Passthrough" } }),
  listener("tcp", { port: 9000, protocol: "TCP" }),
  listener("udp", { port: 53, protocol: "UDP" }),
];
const open = { allowedListeners: { namespaces: { from: "Same" } } };

/** A Gateway with everything that may belong to it, which uses no other group than that of `name`. */
function group(name: string): readonly KubeObject[] {
  const parentRefs = [{ name }];
  const far = `far-${name}`;
  const rules: Json = { rules: [{ backendRefs: [backend(name)] }] };
  const granted: Json = { rules: [{ backendRefs: [backend("web", { namespace: far })] }] };
  const target = { targetRefs: [{ group: "", kind: "Service", name }] };
  return [
    gateway(name, listeners, open),
    listenerSet(name, [listener("more", { port: 8080 })], { parentRef: { name } }),
    service(name),
    service("web", {}, { namespace: far }),
    endpointSlice(name, name, ["10.0.0.1"]),
    referenceGrant(name, { kind: "HTTPRoute", namespace: "default" }, { kind: "Service" }, {
      namespace: far,
    }),
    backendTLSPolicy(name, target),
    httpRoute(name, { parentRefs, ...rules }),
    httpRoute(`${name}-far`, { parentRefs, hostnames: ["far.example"], ...granted }),
    httpRoute(`${name}-set`, { parentRefs: [{ kind: "ListenerSet", name }], ...rules }),
    grpcRoute(name, { parentRefs, hostnames: ["grpc.example"], ...rules }),
    tlsRoute(name, { parentRefs, ...rules }),
    tcpRoute(name, { parentRefs, ...rules }),
    udpRoute(name, { parentRefs, ...rules }),
  ];
}

/** How many queries run for `object`, which belongs to one group of `groupCount`. */
function runsFor(object: KubeObject, groupCount: number): number {
  const world = new GatewayWorld();
  const computed = new IncrementalOutputs(world.inputs, playedSettings.full);
  world.put(gatewayClass(), configMap("ca", { "ca.crt": "none" }), ...group("mine"));
  for (let index = 1; index < groupCount; index++) world.put(...group(`theirs-${index}`));
  assert(computed.step());
  const before = world.inputs.database.runCount;
  assert(world.put(object));
  assert(computed.step());
  return world.inputs.database.runCount - before;
}

const mine: Json = { parentRefs: [{ name: "mine" }], rules: [{ backendRefs: [backend("mine")] }] };
const policyTarget = { targetRefs: [{ group: "", kind: "Service", name: "mine" }] };

/** What comes, and who is asked about it. */
const comings: readonly (readonly [string, KubeObject])[] = [
  ["An HTTPRoute of a Gateway", httpRoute("new", mine)],
  ["A GRPCRoute of a Gateway", grpcRoute("new", { ...mine, hostnames: ["new.example"] })],
  ["A TLSRoute of a Gateway", tlsRoute("new", mine)],
  ["A TCPRoute of a Gateway", tcpRoute("new", mine)],
  ["A UDPRoute of a Gateway", udpRoute("new", mine)],
  [
    "An HTTPRoute of a ListenerSet",
    httpRoute("new", { ...mine, parentRefs: [{ kind: "ListenerSet", name: "mine" }] }),
  ],
  ["A ListenerSet of a Gateway", listenerSet("new", undefined, { parentRef: { name: "mine" } })],
  ["A BackendTLSPolicy of a Service", backendTLSPolicy("new", policyTarget)],
  [
    "A ReferenceGrant of a Namespace",
    referenceGrant("new", { kind: "GRPCRoute", namespace: "default" }, { kind: "Service" }, {
      namespace: "far-mine",
    }),
  ],
  ["An EndpointSlice of a Service", endpointSlice("new", "mine", ["10.0.0.2"])],
  ["A Gateway at an address", gateway("new", listeners)],
  ["A default Gateway that no route asks for", gateway("new", undefined, { defaultScope: "All" })],
  ["A Service that nobody names", service("new")],
  ["A Namespace that nobody selects", namespace("new", { a: "b" })],
];

for (const [what, object] of comings) {
  Deno.test(`${what} costs the same however many groups there are`, () => {
    assertEquals(runsFor(object, 12), runsFor(object, 2));
  });
}

Deno.test("A route is three memos where nothing is rare about it, whatever its kind", () => {
  const memos = (routeCount: number): number => {
    const world = new GatewayWorld();
    const computed = new IncrementalOutputs(world.inputs, playedSettings.full);
    world.put(gatewayClass(), gateway("gw", listeners), service("web"));
    for (let index = 0; index < routeCount; index++) {
      const name = `r${index}`;
      world.put(httpRoute(name), tlsRoute(name), tcpRoute(name), udpRoute(name));
    }
    assert(computed.step());
    return Object.values(computed.view.memoCounts()).reduce((sum, count) => sum + count, 0);
  };
  assertEquals(memos(20) - memos(10), 10 * 4 * 3);
});
