/**
 * ListenerSets at the door: what names one comes in and goes out with it, and it with its Gateway and
 * class. What is left outside by mistake is never served; what is left inside is somebody else's.
 */

import { assertEquals } from "@std/assert";
import { kindNames } from "../../../src/kube/kinds.ts";
import { keyOf } from "../../../src/kube/object.ts";
import {
  grpcRoute,
  listenerSet,
  tcpRoute,
  tlsRoute,
  udpRoute,
} from "../../fakes/gateway_kind_objects.ts";
import { gateway, gatewayClass, httpRoute, listener, rule } from "../../fakes/gateway_objects.ts";
import { GatewayWorld, kindOf, toKey } from "../../fakes/gateway_world.ts";

const foreign = { controllerName: "other.example/controller" };
const toSet = { parentRefs: [{ name: "set", kind: "ListenerSet" }] };
const setAt = (name: string) => listenerSet("set", [listener("main")], { parentRef: { name } });

/** Everything inside but the class. */
function inside({ inputs }: GatewayWorld): readonly string[] {
  return kindNames.filter((kind) => kind !== "GatewayClass")
    .flatMap((kind) => inputs.keys(kind).map((key) => `${kind} ${key}`)).sort();
}

const everything = [
  "GRPCRoute default/r",
  "Gateway default/gw",
  "HTTPRoute default/r",
  "ListenerSet default/set",
  "TCPRoute default/r",
  "TLSRoute default/r",
  "UDPRoute default/r",
];
const objects = [
  udpRoute("r", toSet),
  tcpRoute("r", toSet),
  tlsRoute("r", toSet),
  grpcRoute("r", toSet),
  httpRoute("r", toSet),
  setAt("gw"),
  gateway("gw"),
  gatewayClass(),
];

Deno.test("Routes, sets, Gateways and classes come in whatever their order is", () => {
  for (let first = 0; first < objects.length; first++) {
    for (const turn of [objects, objects.toReversed()]) {
      const world = new GatewayWorld();
      world.put(...turn.slice(first), ...turn.slice(0, first));
      assertEquals(inside(world), everything);
    }
  }
});

Deno.test("A class that becomes another controller's takes sets and their routes along, and back", () => {
  const world = new GatewayWorld();
  world.put(...objects);
  world.put(gatewayClass("weir", foreign));
  assertEquals(inside(world), []);
  world.put(gatewayClass());
  assertEquals(inside(world), everything);
  world.delete("GatewayClass", "weir");
  assertEquals(inside(world), []);
  for (const object of objects) {
    if (object.kind !== "GatewayClass") world.delete(kindOf(object), keyOf(object));
  }
  assertEquals(world.knownCount, 0, "nothing of it is known any more");
});

Deno.test("A set that moves to a Gateway that is not ours takes its routes along, and back", () => {
  const world = new GatewayWorld();
  world.put(...objects, gateway("other"));
  world.put(setAt("foreign"));
  assertEquals(inside(world), ["Gateway default/gw", "Gateway default/other"]);
  world.put(setAt("other"));
  assertEquals(inside(world).length, 8);
  assertEquals(world.inputs.setsOfGateway(toKey("default/gw")), []);
  assertEquals(world.inputs.setsOfGateway(toKey("default/other")), [toKey("default/set")]);
  world.delete("Gateway", "default/other");
  assertEquals(inside(world), ["Gateway default/gw"]);
});

Deno.test("A route that names a set and a Gateway stays while one of them is ours", () => {
  const world = new GatewayWorld();
  const parentRefs = [{ name: "set", kind: "ListenerSet" }, { name: "gw2" }];
  world.put(
    gatewayClass(),
    gateway("gw"),
    gateway("gw2"),
    setAt("gw"),
    httpRoute("r", { parentRefs }),
  );
  world.delete("Gateway", "default/gw");
  assertEquals(inside(world), ["Gateway default/gw2", "HTTPRoute default/r"]);
  assertEquals(world.parents("default/r").length, 1);
  world.delete("Gateway", "default/gw2");
  assertEquals(inside(world), []);
  world.put(gateway("gw"));
  assertEquals(inside(world), [
    "Gateway default/gw",
    "HTTPRoute default/r",
    "ListenerSet default/set",
  ]);
});

Deno.test("An instance of few Gateways has their sets and the routes of these only", () => {
  const world = new GatewayWorld({ gateways: new Set([toKey("default/gw")]) });
  world.put(
    ...objects,
    gateway("other"),
    listenerSet("foreign", undefined, { parentRef: { name: "other" } }),
    httpRoute("foreign", { parentRefs: [{ name: "foreign", kind: "ListenerSet" }] }),
  );
  assertEquals(inside(world), everything);
  world.put(setAt("other"));
  assertEquals(inside(world), ["Gateway default/gw"]);
  assertEquals(world.outputs().statuses.ListenerSet.size, 0);
});

Deno.test("What comes back with a set is its newest version", () => {
  const world = new GatewayWorld();
  world.put(gatewayClass(), gateway("gw"), setAt("nobody"));
  world.put(httpRoute("r", { ...toSet, rules: [rule("/old")] }));
  world.put(httpRoute("r", { ...toSet, rules: [rule("/new")] }));
  world.put(setAt("gw"));
  const route = world.inputs.get("HTTPRoute", toKey("default/r"));
  assertEquals(route?.spec.rules[0]?.matches[0]?.path.value, "/new");
});

Deno.test("A set that names something else than a Gateway is nobody's", () => {
  const world = new GatewayWorld();
  world.put(gatewayClass(), gateway("gw"));
  const revision = world.inputs.revision;
  world.put(
    listenerSet("a", undefined, { parentRef: { name: "gw", kind: "ListenerSet" } }),
    listenerSet("b", undefined, { parentRef: { name: "gw", kind: "Service", group: "" } }),
  );
  assertEquals([inside(world), world.inputs.revision], [["Gateway default/gw"], revision]);
});
