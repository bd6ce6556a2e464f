/**
 * `Programmed` and what a data plane said: users wait for it before they send traffic, so True must
 * mean served and ignorance must not look like failure.
 */

import { assertEquals, assertMatch } from "@std/assert";
import type { Refusal } from "../../../src/dataplane/data_plane.ts";
import {
  gateway,
  gatewayClass,
  httpRoute,
  listener,
  rule,
  service,
} from "../../fakes/gateway_objects.ts";
import { GatewayWorld } from "../../fakes/gateway_world.ts";

const gw = "default/gw";
const gatewayOrigin = { kind: "Gateway", namespace: "default", name: "gw" };

function acknowledged(refusals: readonly Refusal[] = [], shiftBy = 0): GatewayWorld {
  const made = new GatewayWorld();
  made.put(
    gatewayClass(),
    gateway("gw", [listener("http"), listener("alt", { port: 81 })]),
    service("web"),
    httpRoute("r", { parentRefs: [{ name: "gw", sectionName: "http" }] }),
    httpRoute("s", { parentRefs: [{ name: "gw", sectionName: "alt" }] }),
  );
  made.acknowledge(gw, refusals, shiftBy);
  return made;
}

function routeProgrammed(made: GatewayWorld, name: string): string {
  return made.routeCondition(`default/${name}`, "weir.dev/Programmed");
}

Deno.test("An acknowledged configuration makes Gateway, listeners and routes programmed", () => {
  const made = acknowledged();
  assertEquals(made.condition("Gateway", gw, "Programmed"), "True/Programmed");
  assertEquals(made.listenerCondition(gw, "http", "Programmed"), "True/Programmed");
  assertEquals(routeProgrammed(made, "r"), "True/Programmed");
  assertEquals(made.status("Gateway", gw)?.pending, false);
  assertEquals(made.status("HTTPRoute", "default/r")?.pending, false);
});

Deno.test("A changed route is pending until it is acknowledged; the others stay programmed", () => {
  const made = acknowledged();
  made.put(httpRoute("r", {
    parentRefs: [{ name: "gw", sectionName: "http" }],
    rules: [rule("/new")],
  }, { generation: 2 }));
  assertEquals(routeProgrammed(made, "r"), "Unknown/Pending");
  assertEquals(made.status("HTTPRoute", "default/r")?.pending, true);
  assertEquals(routeProgrammed(made, "s"), "True/Programmed");
  assertEquals(made.condition("Gateway", gw, "Programmed"), "True/Programmed");
  made.acknowledge(gw);
  assertEquals(routeProgrammed(made, "r"), "True/Programmed");
});

Deno.test("A new listener makes the Gateway pending, not false", () => {
  const made = acknowledged();
  made.put(gateway("gw", [listener("http"), listener("alt", { port: 82 })], {}, { generation: 2 }));
  assertEquals(made.condition("Gateway", gw, "Programmed"), "Unknown/Pending");
  assertEquals(made.status("Gateway", gw)?.pending, true);
});

Deno.test("A Gateway whose generation moved without effect stays programmed in the new one", () => {
  const made = acknowledged();
  made.put(gateway("gw", [listener("http"), listener("alt", { port: 81 })], {}, { generation: 7 }));
  assertEquals(made.condition("Gateway", gw, "Programmed"), "True/Programmed");
  assertEquals(made.status("Gateway", gw)?.generation, 7);
});

Deno.test("A refusal against a listener is told on it and on the Gateway, with its reason", () => {
  const reason = "PortUnavailable";
  const made = acknowledged([{
    origin: gatewayOrigin,
    listener: "http",
    reason,
    message: "Port 80 is taken",
  }]);
  assertEquals(made.listenerCondition(gw, "http", "Programmed"), `False/${reason}`);
  assertEquals(made.listenerCondition(gw, "alt", "Programmed"), "True/Programmed");
  assertEquals(made.condition("Gateway", gw, "Programmed"), `False/${reason}`);
  assertEquals(routeProgrammed(made, "r"), "False/ParentNotServed");
  assertEquals(routeProgrammed(made, "s"), "True/Programmed");
});

Deno.test("A refusal against the whole Gateway reaches its listeners and routes", () => {
  const made = acknowledged([{
    origin: gatewayOrigin,
    reason: "AddressNotUsable",
    message: "No such address",
  }]);
  assertEquals(made.condition("Gateway", gw, "Programmed"), "False/AddressNotUsable");
  assertEquals(made.listenerCondition(gw, "alt", "Programmed"), "False/AddressNotUsable");
  assertEquals(routeProgrammed(made, "s"), "False/ParentNotServed");
});

Deno.test("A refusal against a route is told on that route only", () => {
  const origin = { kind: "HTTPRoute", namespace: "default", name: "r" };
  const made = acknowledged([{ origin, reason: "TooManyMatches", message: "Too many" }]);
  assertEquals(routeProgrammed(made, "r"), "False/TooManyMatches");
  assertEquals(routeProgrammed(made, "s"), "True/Programmed");
  assertEquals(made.condition("Gateway", gw, "Programmed"), "True/Programmed");
});

Deno.test("A shifted port is told with the address where the listener really listens", () => {
  const made = acknowledged([], 18000);
  assertEquals(made.listenerCondition(gw, "http", "weir.dev/listening"), "True/Shifted");
  const { conditions } = made.listener(gw, "http");
  const message = conditions.find(({ type }) => type === "weir.dev/listening")?.message ?? "";
  assertMatch(message, /192\.0\.2\.1:18080 instead of port 80/);
});

Deno.test("A route that is not accepted, or whose parent is not served, is not programmed", () => {
  const made = acknowledged();
  made.put(httpRoute("r", { parentRefs: [{ name: "gw", sectionName: "none" }] }));
  assertEquals(routeProgrammed(made, "r"), "False/NotAccepted");
  made.address(gw, []);
  assertEquals(routeProgrammed(made, "s"), "False/ParentNotServed");
});

Deno.test("A route is pending while its listener moves, and no other route is", () => {
  const made = acknowledged();
  made.put(gateway("gw", [listener("http", { port: 8080 }), listener("alt", { port: 81 })], {}, {
    generation: 2,
  }));
  assertEquals(
    routeProgrammed(made, "r"),
    "Unknown/Pending",
    "nothing listens on the new port yet",
  );
  assertEquals(routeProgrammed(made, "s"), "True/Programmed");
  made.acknowledge(gw);
  assertEquals(routeProgrammed(made, "r"), "True/Programmed");
});

Deno.test("Routes are pending while their Gateway moves to another address", () => {
  const made = acknowledged();
  made.address(gw, ["192.0.2.77"]);
  assertEquals(routeProgrammed(made, "s"), "Unknown/Pending");
  made.acknowledge(gw);
  assertEquals(routeProgrammed(made, "s"), "True/Programmed");
});
