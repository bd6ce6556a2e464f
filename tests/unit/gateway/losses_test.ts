/**
 * Who loses to whom: what is not served itself takes nothing from others. A listener or route that
 * lost to nobody is out of service for no reason that its owner could find.
 */

import { assertEquals } from "@std/assert";
import { ComputedWorld } from "../../fakes/computed_world.ts";
import { grpcRoute, listenerSet } from "../../fakes/gateway_kind_objects.ts";
import {
  gateway,
  gatewayClass,
  httpRoute,
  listener,
  rule,
  service,
} from "../../fakes/gateway_objects.ts";

const open = { allowedListeners: { namespaces: { from: "All" } } };
const younger = { created: "2026-05-05T00:00:00Z" };

Deno.test("ListenerSets of a Gateway that is not accepted hold no port of others", () => {
  const made = new ComputedWorld([
    gatewayClass(),
    gateway("old", [listener("main", { protocol: "SCTP" })], open),
    listenerSet("set", [listener("main", { port: 81 })], { parentRef: { name: "old" } }),
    gateway("young", [listener("main", { port: 81 })], {}, younger),
  ]);
  for (const name of ["old", "young"]) made.world.address(`default/${name}`, ["192.0.2.9"]);
  made.step();
  assertEquals(
    made.world.condition("ListenerSet", "default/set", "Accepted"),
    "False/ParentNotAccepted",
  );
  assertEquals(made.world.listenerCondition("default/young", "main", "Accepted"), "True/Accepted");
  // With a listener of its own the older Gateway has its set's port back.
  made.step(gateway("old", [listener("main")], open));
  assertEquals(
    made.world.listenerCondition("default/young", "main", "Accepted"),
    "False/PortUnavailable",
  );
});

Deno.test("A Gateway that lost all of its own listeners holds no port by its ListenerSets", () => {
  const made = new ComputedWorld([
    gatewayClass(),
    gateway("first", [listener("main")], {}),
    gateway("second", [listener("main")], open, younger),
    listenerSet("set", [listener("main", { port: 81 })], { parentRef: { name: "second" } }),
    gateway("third", [listener("main", { port: 81 })], {}, { created: "2026-06-06T00:00:00Z" }),
  ]);
  for (const name of ["first", "second", "third"]) {
    made.world.address(`default/${name}`, ["192.0.2.9"]);
  }
  made.step();
  assertEquals(
    made.world.condition("Gateway", "default/second", "Accepted"),
    "False/ListenersNotValid",
  );
  assertEquals(made.world.listenerCondition("default/third", "main", "Accepted"), "True/Accepted");
});

Deno.test("A route takes hostnames of the listeners that it reaches, not of those with their names", () => {
  const listeners = [listener("http"), listener("extra", { port: 81 })];
  const made = new ComputedWorld([
    gatewayClass(),
    gateway("gw", listeners),
    gateway("other", listeners),
    service("web"),
    httpRoute("old", { parentRefs: [{ name: "gw", sectionName: "extra" }, { name: "other" }] }),
    grpcRoute("young", { parentRefs: [{ name: "gw", sectionName: "http" }] }, younger),
  ]);
  assertEquals(
    made.world.routeCondition("default/young", "Accepted", 0, "GRPCRoute"),
    "True/Accepted",
  );
});

Deno.test("A route none of whose rules is served stands in nobody's way", () => {
  const bad = rule("/", "web", { filters: [{ type: "Unknown" }] });
  const made = new ComputedWorld([
    gatewayClass(),
    gateway("gw"),
    service("web"),
    httpRoute("old", { rules: [bad] }),
    grpcRoute("young", {}, younger),
  ]);
  const accepted = (kind: "HTTPRoute" | "GRPCRoute", name: string) =>
    made.world.routeCondition(`default/${name}`, "Accepted", 0, kind);
  assertEquals(accepted("HTTPRoute", "old"), "False/UnsupportedValue");
  assertEquals(accepted("GRPCRoute", "young"), "True/Accepted");
  made.step(httpRoute("old"));
  assertEquals(accepted("HTTPRoute", "old"), "True/Accepted");
  assertEquals(accepted("GRPCRoute", "young"), "False/NotAllowedByListeners");
  made.step(httpRoute("old", { rules: [bad] }));
  assertEquals(accepted("GRPCRoute", "young"), "True/Accepted");
  // Nor does it bar requests for a hostname that has become another's.
  const [listener] = made.world.config("default/gw").listeners;
  assertEquals(listener?.routes.map(({ origin }) => origin.kind), ["GRPCRoute"]);
});
