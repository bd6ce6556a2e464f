/**
 * Default Gateways (GEP-3793): routes that name none are taken by those that say so, as if they were
 * named, and let go when there is none any more.
 */

import { assertEquals } from "@std/assert";
import { gateway, gatewayClass, httpRoute, listener, rule } from "../../fakes/gateway_objects.ts";
import { gatewayParent } from "../../../src/gateway/parent_keys.ts";
import { GatewayWorld, toKey } from "../../fakes/gateway_world.ts";

const isDefault = { defaultScope: "All" };
const asking = httpRoute("asking", {
  parentRefs: [],
  useDefaultGateways: "All",
  rules: [rule("/")],
});

function world(): GatewayWorld {
  const made = new GatewayWorld();
  made.put(gatewayClass());
  return made;
}

function parentsOf(made: GatewayWorld, route: string): readonly string[] {
  const body = made.status("HTTPRoute", `default/${route}`)?.body;
  return body?.shape === "parents"
    ? body.parents.map(({ parentRef, conditions }) =>
      `${parentRef.namespace ?? ""}/${parentRef.name} ${conditions[0]?.status}`
    )
    : [];
}

Deno.test("A route that asks for default Gateways is taken by each of them, and by no other", () => {
  const made = world();
  made.put(asking, gateway("plain"));
  assertEquals(parentsOf(made, "asking"), []);
  made.put(gateway("one", undefined, isDefault), gateway("two", undefined, isDefault));
  assertEquals(parentsOf(made, "asking"), ["default/one True", "default/two True"]);
  assertEquals(made.condition("Gateway", "default/one", "DefaultGateway"), "True/DefaultGateway");
  assertEquals(made.condition("Gateway", "default/plain", "DefaultGateway"), "-");
  assertEquals(made.listener("default/one", "http").attachedRoutes, 1);
  assertEquals(made.listener("default/two", "http").attachedRoutes, 1);
  assertEquals(made.listener("default/plain", "http").attachedRoutes, 0);
  const served = (name: string) => made.config(`default/${name}`).listeners[0]?.routes.length;
  assertEquals(["one", "two", "plain"].map(served), [1, 1, 0]);
});

Deno.test("The last default Gateway that goes, or says None, lets its routes go", () => {
  const made = world();
  made.put(asking, gateway("one", undefined, isDefault), gateway("two", undefined, isDefault));
  made.delete("Gateway", "default/one");
  assertEquals(parentsOf(made, "asking"), ["default/two True"]);
  made.put(gateway("two", undefined, { defaultScope: "None" }, { generation: 2 }));
  assertEquals(made.status("HTTPRoute", "default/asking"), undefined);
  assertEquals(made.inputs.count("HTTPRoute"), 0);
});

Deno.test("A default Gateway that a route names is a parent once, as it is named", () => {
  const made = world();
  const both = httpRoute("both", {
    parentRefs: [{ name: "one", sectionName: "none" }],
    useDefaultGateways: "All",
  });
  made.put(both, gateway("one", undefined, isDefault), gateway("two", undefined, isDefault));
  assertEquals(parentsOf(made, "both"), ["default/two True", "/one False"].sort());
});

Deno.test("A default Gateway takes routes of its own namespace only, unless its listeners say more", () => {
  const made = world();
  const own = listener("http", { allowedRoutes: { namespaces: { from: "Same" } } });
  made.put(
    gateway("one", [own], isDefault),
    httpRoute("far", { parentRefs: [], useDefaultGateways: "All" }, { namespace: "apps" }),
  );
  const body = made.status("HTTPRoute", "apps/far")?.body;
  assertEquals(
    body?.shape === "parents" && body.parents[0]?.conditions[0]?.reason,
    "NotAllowedByListeners",
  );
  assertEquals(made.listener("default/one", "http").attachedRoutes, 0);
});

Deno.test("What asks for default Gateways costs its key while there is none", () => {
  const made = world();
  made.put(gateway("plain"), asking);
  assertEquals(made.inputs.count("HTTPRoute"), 0);
  made.put(gateway("one", undefined, isDefault));
  assertEquals(made.inputs.count("HTTPRoute"), 1);
  made.delete("HTTPRoute", "default/asking");
  assertEquals(made.inputs.indexes.routesByParent.HTTPRoute.get(toKeyOfParent()), []);
});

function toKeyOfParent() {
  return gatewayParent(toKey("default/one"));
}
