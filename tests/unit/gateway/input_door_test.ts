/**
 * What comes in at the door. A mistake here means statuses of other controllers, recomputes for
 * nothing, or changes that are never seen. What of an object is a change: input_slices_test.ts.
 */

import { Query } from "../../../src/query/query.ts";
import { recomputeAll } from "../../../src/query/recompute.ts";
import { assertEquals } from "@std/assert";
import { gateway, gatewayClass, httpRoute, rule, service } from "../../fakes/gateway_objects.ts";
import { GatewayWorld, toKey } from "../../fakes/gateway_world.ts";

function full(): GatewayWorld {
  const made = new GatewayWorld();
  made.put(gatewayClass(), gateway("gw"), service("web"), httpRoute("r"));
  return made;
}

Deno.test("Without a class nothing is managed: never everything", () => {
  const made = new GatewayWorld();
  made.put(gateway("gw"), httpRoute("r"));
  const { statuses, dataPlane } = made.outputs();
  assertEquals(made.inputs.revision, 0);
  assertEquals([statuses.Gateway.size, statuses.HTTPRoute.size, dataPlane.gateways.size], [
    0,
    0,
    0,
  ]);
});

Deno.test("A class of another controller makes nothing ours and gets no status", () => {
  const made = new GatewayWorld();
  made.put(gatewayClass("weir", { controllerName: "other.example/controller" }), gateway("gw"));
  assertEquals(made.outputs().statuses.GatewayClass.size, 0);
  assertEquals(made.outputs().statuses.Gateway.size, 0);
});

Deno.test("A class that appears late makes its Gateways and their routes ours", () => {
  const made = new GatewayWorld();
  made.put(httpRoute("r"), gateway("gw"), service("web"), gatewayClass());
  made.address("default/gw", ["192.0.2.1"]);
  assertEquals(made.routeCondition("default/r", "Accepted"), "True/Accepted");
  assertEquals(made.config("default/gw").listeners[0]?.routes.length, 1);
});

Deno.test("A class that goes takes its Gateways and routes out, and back when it returns", () => {
  const made = full();
  made.delete("GatewayClass", "weir");
  const { statuses } = made.outputs();
  assertEquals([statuses.Gateway.size, statuses.HTTPRoute.size], [0, 0]);
  made.put(gatewayClass());
  assertEquals(made.routeCondition("default/r", "Accepted"), "True/Accepted");
});

Deno.test("A Gateway out of the instance's scope gets nothing, also when its class is ours", () => {
  const made = new GatewayWorld({ gateways: new Set([toKey("default/gw")]) });
  made.put(
    gatewayClass(),
    gateway("gw"),
    gateway("other"),
    httpRoute("r", { parentRefs: [{ name: "gw" }, { name: "other" }] }),
    httpRoute("foreign", { parentRefs: [{ name: "other" }] }),
  );
  assertEquals([...made.outputs().statuses.Gateway.keys()], [toKey("default/gw")]);
  assertEquals([...made.outputs().statuses.HTTPRoute.keys()], [toKey("default/r")]);
  assertEquals(made.parents("default/r").length, 1);
  assertEquals(made.inputs.addressesOf(toKey("default/other")), undefined);
});

Deno.test("A parent that is not ours gets no entry, or two controllers fight over the status", () => {
  const made = full();
  made.put(httpRoute("r", {
    parentRefs: [
      { name: "gw" },
      { name: "unknown" },
      { name: "mesh", kind: "Service", group: "" },
      { name: "set", kind: "ListenerSet" },
    ],
  }));
  assertEquals(made.parents("default/r").length, 1);
});

Deno.test("A route that changes its parent to a foreign Gateway is taken out", () => {
  const made = full();
  made.put(httpRoute("r", { parentRefs: [{ name: "foreign" }] }));
  assertEquals(made.outputs().statuses.HTTPRoute.size, 0);
  assertEquals(made.listener("default/gw", "http").attachedRoutes, 0);
});

Deno.test("A route stays while one of its parents is ours", () => {
  const made = full();
  made.put(gateway("second"), httpRoute("r", { parentRefs: [{ name: "gw" }, { name: "second" }] }));
  made.delete("Gateway", "default/gw");
  assertEquals(made.parents("default/r").length, 1);
  made.delete("Gateway", "default/second");
  assertEquals(made.outputs().statuses.HTTPRoute.size, 0);
});

Deno.test("Foreign routes move no revision, so that they cost no recompute", () => {
  const made = full();
  const foreign = httpRoute("f", { parentRefs: [{ name: "foreign" }] });
  assertEquals(made.put(foreign), false);
  assertEquals(
    made.put(httpRoute("f", { parentRefs: [{ name: "foreign" }] }, { generation: 2 })),
    false,
  );
  assertEquals(made.delete("HTTPRoute", "default/f"), false);
});

Deno.test("A foreign Gateway that becomes ours brings the newest version of its routes", () => {
  const made = full();
  made.put(gateway("late", undefined, { gatewayClassName: "foreign" }));
  made.put(httpRoute("l", { parentRefs: [{ name: "late" }], rules: [rule("/old")] }));
  made.put(httpRoute("l", { parentRefs: [{ name: "late" }], rules: [rule("/new")] }));
  made.put(gateway("late"));
  const [entry] = made.config("default/late").listeners[0]?.routes ?? [];
  assertEquals(entry?.match.path.value, "/new");
});

Deno.test("A deletion leaves an absence with a revision of its own while something has read it", () => {
  const made = full();
  const key = toKey("default/web");
  const { database } = made.inputs;
  const read = new Query<string, boolean>(database, {
    name: "is there",
    compute: () => made.inputs.get("Service", key) !== undefined,
  });
  read.want("web");
  recomputeAll(database);
  assertEquals(made.inputs.revisionOf("Service", toKey("default/never")), 0);
  made.delete("Service", "default/web");
  const { revision } = made.inputs;
  recomputeAll(database);
  assertEquals([read.peek("web"), made.inputs.revisionOf("Service", key)], [false, revision]);
  read.unwant("web");
  recomputeAll(database);
  assertEquals(made.inputs.revisionOf("Service", key), 0);
});

Deno.test("An object that returns is not lost", () => {
  const made = full();
  made.delete("Service", "default/web");
  made.put(service("web"));
  assertEquals(made.routeCondition("default/r", "ResolvedRefs"), "True/ResolvedRefs");
});

Deno.test("Addresses go with their Gateway: its successor may get others", () => {
  const made = full();
  made.acknowledge("default/gw");
  made.delete("Gateway", "default/gw");
  assertEquals(made.inputs.addressesOf(toKey("default/gw")), undefined);
  assertEquals(made.inputs.gatewaysAtAddress("192.0.2.1"), []);
});
