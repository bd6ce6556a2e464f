/**
 * A Gateway with its ListenerSets: who comes first, who loses, and who wins when the first one leaves.
 * Teams share a Gateway by sets: a mistake here lets one take another's traffic.
 */

import { assert, assertEquals } from "@std/assert";
import type { KubeObject } from "../../../src/kube/object.ts";
import { ComputedWorld } from "../../fakes/computed_world.ts";
import { listenerSet } from "../../fakes/gateway_kind_objects.ts";
import {
  gateway,
  gatewayClass,
  httpRoute,
  type Json,
  listener,
  namespace,
  service,
} from "../../fakes/gateway_objects.ts";
import { toKey } from "../../fakes/gateway_world.ts";

const open = { allowedListeners: { namespaces: { from: "All" } } };
const at = (created: string): { readonly created: string } => ({ created: `${created}T00:00:00Z` });
const host = (hostname: string, rest: Json = {}): Json => listener("main", { hostname, ...rest });

function made(...objects: readonly KubeObject[]): ComputedWorld {
  return new ComputedWorld([
    gatewayClass(),
    gateway("gw", undefined, open),
    service("web"),
    ...objects,
  ]);
}

/** A condition of a listener of a set, as `True/Reason`. */
function listenerOf(world: ComputedWorld, set: string, name: string, type = "Accepted"): string {
  const body = world.computed.outputs.statuses.ListenerSet.get(toKey(set))?.body;
  assert(body?.shape === "conditions", `ListenerSet "${set}" must have a status`);
  const { conditions = [] } = body.listeners?.find((found) => found.name === name) ?? {};
  const found = conditions.find((one) => one.type === type);
  return found ? `${found.status}/${found.reason}` : "-";
}

const setOf = (world: ComputedWorld, set: string, type = "Accepted"): string =>
  world.world.condition("ListenerSet", set, type);

const served = (world: ComputedWorld): readonly string[] =>
  world.config().listeners.map(({ name }) => name);

Deno.test("The Gateway's listeners come first, then the older set's, then by name", () => {
  const world = made(
    listenerSet("b", [host("b.example.com")], {}, at("2026-01-01")),
    listenerSet("a", [host("a.example.com")], {}, at("2026-01-01")),
    listenerSet("old", [host("old.example.com")], {}, at("2025-01-01")),
  );
  assertEquals(served(world), ["http", "default/old/main", "default/a/main", "default/b/main"]);
});

Deno.test("Of one hostname the first in that order keeps it, the others are conflicted", () => {
  const world = made(
    listenerSet(
      "young",
      [host("a.example.com"), listener("free", { port: 81 })],
      {},
      at("2026-02-02"),
    ),
    listenerSet("old", [host("a.example.com")], {}, at("2025-01-01")),
  );
  assertEquals(listenerOf(world, "default/old", "main"), "True/Accepted");
  for (const type of ["Accepted", "Programmed"]) {
    assertEquals(listenerOf(world, "default/young", "main", type), "False/HostnameConflict");
  }
  assertEquals(listenerOf(world, "default/young", "main", "Conflicted"), "True/HostnameConflict");
  assertEquals(setOf(world, "default/young"), "True/ListenersNotValid");
  assertEquals(served(world), ["http", "default/old/main", "default/young/free"]);
});

Deno.test("Who lost wins when the first one leaves, moves away, or gives the hostname up", () => {
  const old = listenerSet("old", [host("a.example.com")], {}, at("2025-01-01"));
  const world = made(
    gateway("other", [listener("http", { port: 90 })], open),
    listenerSet("young", [host("a.example.com")], {}, at("2026-02-02")),
  );
  const young = (): string => listenerOf(world, "default/young", "main");
  assertEquals(young(), "True/Accepted");
  world.step(old);
  assertEquals(young(), "False/HostnameConflict");
  world.step(listenerSet("old", [host("b.example.com")], {}, at("2025-01-01")));
  assertEquals(young(), "True/Accepted");
  world.step(old);
  world.step(
    listenerSet("old", [host("a.example.com")], { parentRef: { name: "other" } }, at("2025-01-01")),
  );
  assertEquals([young(), listenerOf(world, "default/old", "main")], [
    "True/Accepted",
    "True/Accepted",
  ]);
  world.step(old);
  assertEquals(young(), "False/HostnameConflict");
  world.world.delete("ListenerSet", "default/old");
  world.step();
  assertEquals(young(), "True/Accepted");
});

Deno.test("The Gateway's own listener wins over an older set, and says nothing of it", () => {
  const world = made(listenerSet("set", [listener("main")], {}, at("2020-01-01")));
  assertEquals(world.world.listenerCondition("default/gw", "http", "Accepted"), "True/Accepted");
  assertEquals(listenerOf(world, "default/set", "main"), "False/HostnameConflict");
  assertEquals(setOf(world, "default/set"), "False/ListenersNotValid");
  assertEquals(setOf(world, "default/set", "Programmed"), "False/ListenersNotValid");
  const text = JSON.stringify(
    world.computed.outputs.statuses.ListenerSet.get(toKey("default/set")),
  );
  assert(!text.includes("gw"), "teams do not learn of each other's objects");
});

Deno.test("Another protocol on a port that is taken is a conflict of protocols", () => {
  const world = made(listenerSet("set", [listener("main", { protocol: "TCP" })]));
  assertEquals(listenerOf(world, "default/set", "main"), "False/ProtocolConflict");
});

Deno.test("What lost to another object takes nothing from its siblings", () => {
  // Alone they could not be told apart and both would be conflicted.
  const world = made(
    listenerSet("set", [listener("tcp", { protocol: "TCP" }), host("a.example.com")]),
  );
  assertEquals(listenerOf(world, "default/set", "tcp"), "False/ProtocolConflict");
  assertEquals(listenerOf(world, "default/set", "main"), "True/Accepted");
});

Deno.test("Siblings that cannot be told apart are conflicted, all of them, and take nothing", () => {
  const world = made(
    listenerSet(
      "old",
      [
        listener("one", { port: 81 }),
        listener("two", { port: 81, protocol: "TCP" }),
      ],
      {},
      at("2025-01-01"),
    ),
    listenerSet("young", [listener("main", { port: 81 })], {}, at("2026-02-02")),
  );
  assertEquals(listenerOf(world, "default/old", "one"), "False/ProtocolConflict");
  assertEquals(listenerOf(world, "default/old", "two"), "False/ProtocolConflict");
  assertEquals(listenerOf(world, "default/young", "main"), "True/Accepted");
});

Deno.test("A set that is not allowed takes nothing, is told so, and counts nowhere", () => {
  const sets = [
    listenerSet("set", [host("a.example.com")], {
      parentRef: { name: "gw", namespace: "default" },
    }, { namespace: "apps", ...at("2025-01-01") }),
    listenerSet("own", [host("a.example.com")], {}, at("2026-02-02")),
  ];
  const world = made(namespace("apps", { team: "a" }), ...sets);
  const allow = (allowedListeners: Json): void => {
    world.step(gateway("gw", undefined, { allowedListeners }));
  };
  const attached = (): unknown => {
    const body = world.computed.outputs.statuses.Gateway.get(toKey("default/gw"))?.body;
    return body?.shape === "conditions" ? body.fields.attachedListenerSets : undefined;
  };
  assertEquals([setOf(world, "apps/set"), attached()], ["True/Accepted", 1]);
  allow({ namespaces: { from: "Same" } });
  assertEquals([setOf(world, "apps/set"), attached()], ["False/NotAllowed", 1]);
  assertEquals(setOf(world, "apps/set", "Programmed"), "False/NotAllowed");
  assertEquals(listenerOf(world, "apps/set", "main"), "-", "it has no listeners there");
  assertEquals(listenerOf(world, "default/own", "main"), "True/Accepted");
  const selector = { matchLabels: { team: "a" } };
  allow({ namespaces: { from: "Selector", selector } });
  assertEquals(setOf(world, "apps/set"), "True/Accepted");
  assertEquals(
    listenerOf(world, "default/own", "main"),
    "-",
    "its own namespace has no such label",
  );
  world.step(namespace("apps", { team: "b" }));
  assertEquals(setOf(world, "apps/set"), "False/NotAllowed");
  allow({ namespaces: { from: "None" } });
  assertEquals([setOf(world, "default/own"), attached()], ["False/NotAllowed", 0]);
  world.step(gateway("gw"));
  assertEquals(setOf(world, "default/own"), "False/NotAllowed", "none unless it says so");
});

Deno.test("Routes reach a set by its name only, and a Gateway's routes not its sets", () => {
  const world = made(
    listenerSet("set", [host("a.example.com")]),
    httpRoute("gateway"),
    httpRoute("set", { parentRefs: [{ name: "set", kind: "ListenerSet" }] }),
    httpRoute("section", { parentRefs: [{ name: "gw", sectionName: "main" }] }),
  );
  const routes = (name: string): readonly string[] =>
    world.listener(name).routes.map(({ origin }) => origin.name);
  assertEquals([routes("http"), routes("default/set/main")], [["gateway"], ["set"]]);
  assertEquals(world.world.routeCondition("default/section", "Accepted"), "False/NoMatchingParent");
});

Deno.test("An answer that refuses a listener of a set is told of that listener alone", () => {
  const world = made(
    listenerSet("set", [host("a.example.com"), listener("free", { port: 81 })]),
    listenerSet("set2", [listener("main", { port: 82 })]),
    httpRoute("set", { parentRefs: [{ name: "set", kind: "ListenerSet", sectionName: "main" }] }),
    httpRoute("gateway"),
  );
  const origin = { kind: "ListenerSet", namespace: "default", name: "set" };
  const refusal = { origin, reason: "PortUnavailable", message: "taken" };
  const route = (name: string): string =>
    world.world.routeCondition(`default/${name}`, "weir.dev/Programmed");
  world.answer({ ...refusal, listener: "default/set/main" });
  assertEquals(listenerOf(world, "default/set", "main", "Programmed"), "False/PortUnavailable");
  assertEquals(listenerOf(world, "default/set", "free", "Programmed"), "True/Programmed");
  assertEquals(setOf(world, "default/set", "Programmed"), "True/Programmed");
  assertEquals([route("set"), route("gateway")], ["False/ParentNotServed", "True/Programmed"]);
  assertEquals(world.world.condition("Gateway", "default/gw", "Programmed"), "True/Programmed");
  // The set as a whole: its own listeners, and nobody else's.
  world.answer(refusal);
  assertEquals(listenerOf(world, "default/set", "free", "Programmed"), "False/PortUnavailable");
  assertEquals(setOf(world, "default/set", "Programmed"), "False/PortUnavailable");
  assertEquals(listenerOf(world, "default/set2", "main", "Programmed"), "True/Programmed");
  assertEquals(
    world.world.listenerCondition("default/gw", "http", "Programmed"),
    "True/Programmed",
  );
  assertEquals([route("set"), route("gateway")], ["False/ParentNotServed", "True/Programmed"]);
  world.answer();
  assertEquals([route("set"), route("gateway")], ["True/Programmed", "True/Programmed"]);
});
