/**
 * Faults that users of Gateway API controllers have met, each played through once on the running
 * engine, which computes everything once more from scratch after each step. They were stale statuses:
 * something changed, and who depended on it was not told.
 */

import { assert, assertEquals } from "@std/assert";
import { gateway, gatewayClass, httpRoute, listener, service } from "../fakes/gateway_objects.ts";
import { listenerSet } from "../fakes/gateway_kind_objects.ts";
import { GatewayEngine } from "../fakes/gateway_engine.ts";
import { toKey } from "../fakes/gateway_world.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import type { StatusKind } from "../../src/gateway/outputs.ts";

const allowAll = { allowedListeners: { namespaces: { from: "All" } } };
const httpListener = (hostname: string) => [listener("http", { hostname })];

async function start(...objects: readonly KubeObject[]): Promise<GatewayEngine> {
  const engine = new GatewayEngine();
  engine.source.put(gatewayClass(), service("web"), ...objects);
  await engine.run();
  await engine.settle();
  return engine;
}

/** `Accepted` of the only parent of a route, as `True/Reason`. */
function accepted(engine: GatewayEngine, route: string): string {
  const body = engine.state.outputs.statuses.HTTPRoute.get(toKey(route))?.body;
  assert(body?.shape === "parents", `${route} must have parents`);
  const found = body.parents[0]?.conditions.find(({ type }) => type === "Accepted");
  return `${found?.status}/${found?.reason}`;
}

function attached(engine: GatewayEngine, kind: StatusKind, key: string): readonly number[] {
  const body = engine.state.outputs.statuses[kind].get(toKey(key))?.body;
  assert(body?.shape === "conditions", `${kind} ${key} must have conditions`);
  return (body.listeners ?? []).map(({ attachedRoutes }) => attachedRoutes);
}

Deno.test("A route whose hostname met no listener is accepted as soon as a listener changes", async () => {
  const engine = await start(
    gateway("gw", httpListener("a.example.com")),
    httpRoute("r", { hostnames: ["b.example.com"] }),
  );
  assertEquals(accepted(engine, "default/r"), "False/NoMatchingListenerHostname");
  assertEquals(attached(engine, "Gateway", "default/gw"), [0]);
  engine.source.put(gateway("gw", httpListener("*.example.com"), {}, { generation: 2 }));
  await engine.settle();
  assertEquals(accepted(engine, "default/r"), "True/Accepted");
  assertEquals(attached(engine, "Gateway", "default/gw"), [1]);
  engine.source.put(gateway("gw", httpListener("c.example.com"), {}, { generation: 3 }));
  await engine.settle();
  assertEquals(accepted(engine, "default/r"), "False/NoMatchingListenerHostname");
  assertEquals(attached(engine, "Gateway", "default/gw"), [0]);
  await engine.stop();
});

Deno.test("A route to a ListenerSet follows the set, its permission and its Gateway", async () => {
  const parentRefs = [{ kind: "ListenerSet", name: "set" }];
  const set = (hostname: string) => listenerSet("set", httpListener(hostname));
  const engine = await start(
    gateway("gw", [listener("own", { port: 81 })]),
    set("a.example.com"),
    httpRoute("r", { parentRefs, hostnames: ["a.example.com"] }),
  );
  const steps: readonly (readonly [KubeObject, string])[] = [
    [gateway("gw", [listener("own", { port: 81 })], allowAll), "True/Accepted"],
    [set("b.example.com"), "False/NoMatchingListenerHostname"],
    [set("a.example.com"), "True/Accepted"],
    [gateway("gw", [listener("own", { port: 81 })]), "False/NotAllowedByListeners"],
  ];
  assertEquals(accepted(engine, "default/r"), "False/NotAllowedByListeners");
  for (const [object, wanted] of steps) {
    engine.source.put(object);
    await engine.settle();
    assertEquals(accepted(engine, "default/r"), wanted);
  }
  engine.source.delete("Gateway", "default/gw");
  await engine.settle();
  const body = engine.state.outputs.statuses.HTTPRoute.get(toKey("default/r"))?.body;
  assertEquals(body?.shape === "parents" ? body.parents : [], []);
  await engine.stop();
});

Deno.test("A hostname that a ListenerSet adds is told to whoever follows the Gateway", async () => {
  const engine = await start(gateway("gw", httpListener("a.example.com"), allowAll));
  engine.published.length = 0;
  engine.source.put(listenerSet("set", httpListener("b.example.com")));
  await engine.settle();
  assert(engine.published.some(({ changes }) => changes.gateways.includes(toKey("default/gw"))));
  const resolved = engine.state.outputs.gateways.get(toKey("default/gw"));
  assertEquals(resolved?.listeners.map(({ hostname }) => hostname), [
    "a.example.com",
    "b.example.com",
  ]);
  await engine.stop();
});

Deno.test("attachedRoutes counts every route of a burst, and never goes back on the way", async () => {
  const count = 300;
  const engine = await start(gateway("gw"));
  for (let index = 0; index < count; index++) {
    engine.source.put(httpRoute(`r${index}`));
    if (index % 20 === 0) await engine.clock.advance(1);
  }
  await engine.settle();
  assertEquals(attached(engine, "Gateway", "default/gw"), [count]);
  const seen = engine.published.map(({ outputs }) => {
    const body = outputs.statuses.Gateway.get(toKey("default/gw"))?.body;
    return body?.shape === "conditions" ? body.listeners?.[0]?.attachedRoutes ?? 0 : 0;
  });
  assertEquals(seen, [...seen].sort((a, b) => a - b));
  await engine.stop();
});
