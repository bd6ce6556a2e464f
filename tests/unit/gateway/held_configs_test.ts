/**
 * What is kept of a data plane's answers. An answer that outlives its Gateway says of a new one of the
 * same name that routes are served which nobody serves, and is never forgotten.
 */

import { assertEquals } from "@std/assert";
import type { GatewayConfig } from "../../../src/dataplane/model.ts";
import { HeldConfigs } from "../../../src/gateway/held_configs.ts";
import { routeId } from "../../../src/gateway/route_kinds.ts";
import { Database } from "../../../src/query/database.ts";
import { gateway, gatewayClass, httpRoute, rule, service } from "../../fakes/gateway_objects.ts";
import { GatewayWorld, toKey } from "../../fakes/gateway_world.ts";

const gw = toKey("default/gw");

/** What a data plane is asked to serve when there are these routes. */
function configWith(...routes: readonly string[]): GatewayConfig {
  const world = new GatewayWorld();
  world.put(gatewayClass(), gateway("gw"), service("web"));
  for (const name of routes) world.put(httpRoute(name, { rules: [rule(`/${name}`)] }));
  return world.config("default/gw");
}

function answer(config: GatewayConfig) {
  return { gateway: config.key, config, listeners: [], refusals: [] };
}

/** The routes of `names` that the data plane is known to serve. */
function served(held: HeldConfigs, ...names: readonly string[]): readonly string[] {
  return names.filter((name) => {
    const route = held.heldRoute(gw, routeId("HTTPRoute", toKey(`default/${name}`)));
    return (route?.placed.length ?? 0) > 0;
  });
}

Deno.test("HeldConfigs.set() knows the routes of the last answer and no others", () => {
  const held = new HeldConfigs(new Database());
  assertEquals(served(held, "a", "b"), []);
  held.set(gw, answer(configWith("a")));
  assertEquals(served(held, "a", "b"), ["a"]);
  held.set(gw, answer(configWith("b")));
  assertEquals(served(held, "a", "b"), ["b"]);
});

Deno.test("HeldConfigs.drop() forgets the routes of a Gateway with it", () => {
  const held = new HeldConfigs(new Database());
  held.set(gw, answer(configWith("a", "b")));
  held.drop(gw);
  assertEquals([held.held(gw), held.acknowledgementOf(gw)], [undefined, undefined]);
  // Its successor is answered for before all of its routes are.
  held.set(gw, answer(configWith("b")));
  assertEquals(served(held, "a", "b"), ["b"]);
});

Deno.test("HeldConfigs.set() moves no revision for an answer that says nothing new", () => {
  const database = new Database();
  const held = new HeldConfigs(database);
  const config = configWith("a");
  assertEquals(held.set(gw, answer(config)), true);
  const { revision } = database;
  assertEquals(held.set(gw, answer(config)), false);
  assertEquals(held.set(gw, answer(configWith("a"))), false, "equal, though not the same");
  assertEquals(database.revision, revision);
});
