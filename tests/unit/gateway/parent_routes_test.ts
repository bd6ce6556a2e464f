/**
 * The routes of a Gateway, brought up to date route by route, are what sorting all of them gives. A
 * difference would serve a request by a route that has lost, until a restart.
 */

import fc from "fast-check";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { clusterName, type HttpRouteEntry } from "../../../src/dataplane/model.ts";
import { compareHttpRouteEntries } from "../../../src/dataplane/precedence.ts";
import type { ParentBinding } from "../../../src/gateway/compute/compute_view.ts";
import { CountedNames } from "../../../src/gateway/compute/counted_names.ts";
import { editEntries } from "../../../src/gateway/compute/edit_entries.ts";
import { ParentRoutesState } from "../../../src/gateway/compute/parent_routes.ts";
import { routeComputations } from "../../../src/gateway/compute/route_computations.ts";
import { gatewayParent } from "../../../src/gateway/parent_keys.ts";
import { toKey } from "../../fakes/gateway_world.ts";

const gateway = gatewayParent(toKey("default/gw"));

function entry(route: string, path: string, service = "web"): HttpRouteEntry {
  return {
    origin: { kind: "HTTPRoute", namespace: "default", name: route },
    creationTimestamp: "2026-01-01T00:00:00Z",
    ruleIndex: 0,
    matchIndex: 0,
    match: { path: { type: "PathPrefix", value: path }, headers: [], queryParams: [] },
    action: {
      filters: [],
      backends: [{ weight: 1, cluster: clusterName("default", service, 80), filters: [] }],
    },
  };
}

function binding(
  bound: readonly { readonly listener: string; readonly entries: readonly HttpRouteEntry[] }[],
  name = "gw",
): ParentBinding {
  const key = toKey(`default/${name}`);
  return { reference: { name }, parent: gatewayParent(key), gateway: key, bound };
}

const path = fc.constantFrom("/", "/a", "/b", "/a/b", "/a/b/c");
const routeNames = Array.from({ length: 12 }, (_, n) => `r${n}`);

/** A route: at which listeners, with which path, to which Service; or gone. */
const edit = fc.record({
  route: fc.constantFrom(...routeNames),
  listeners: fc.option(fc.subarray(["one", "two"]), { nil: undefined }),
  path,
  service: fc.constantFrom("web", "api"),
});

Deno.test("ParentRoutesState.update() gives what all routes at once give, in any steps", () => {
  fc.assert(fc.property(fc.array(fc.array(edit, { maxLength: 24 })), (rounds) => {
    const state = new ParentRoutesState(gateway, routeComputations.HTTPRoute.entries);
    const bindings = new Map<string, readonly ParentBinding[]>();
    for (const round of rounds) {
      const before = new Map(bindings);
      for (const { route, listeners, path, service } of round) {
        if (!listeners) bindings.delete(route);
        else {
          const entries = [entry(route, path, service)];
          bindings.set(route, [binding(listeners.map((listener) => ({ listener, entries })))]);
        }
      }
      const changed = new Set(round.map(({ route }) => route));
      const routes = state.update([...changed].map((route) => {
        const old = before.get(route);
        const now = bindings.get(route);
        return {
          member: toKey(`default/${route}`),
          ...(old && { before: old }),
          ...(now && { after: now }),
        };
      }));
      for (const listener of ["one", "two"]) {
        const all = [...bindings.values()].flat().flatMap(({ bound }) =>
          bound.filter((found) => found.listener === listener)
        );
        const entries = all.flatMap(({ entries }) => entries).sort(compareHttpRouteEntries);
        const clusters = entries.flatMap(({ action }) =>
          action.backends.map(({ cluster }) => String(cluster))
        );
        const found = routes.get(listener);
        assertEquals(found?.attachedRoutes ?? 0, all.length);
        assertEquals(found?.entries ?? [], entries);
        assertEquals(found?.clusters.map(String) ?? [], [...new Set(clusters)].sort());
      }
    }
  }));
});

Deno.test("ParentRoutesState.update() leaves a listener alone that no changed route is at", () => {
  const state = new ParentRoutesState(gateway, routeComputations.HTTPRoute.entries);
  const at = (listener: string, route: string) => [
    binding([{ listener, entries: [entry(route, "/")] }]),
  ];
  const [r1, r2] = [toKey("default/r1"), toKey("default/r2")];
  const old = at("two", "r2");
  const before = state.update([{ member: r1, after: at("one", "r1") }, { member: r2, after: old }]);
  const after = state.update([{ member: r2, before: old, after: at("two", "r2") }]);
  assertStrictEquals(after.get("one"), before.get("one"));
  assert(after.get("two") !== before.get("two"));
});

Deno.test("A route that reaches a listener twice is attached once; of other Gateways nothing counts", () => {
  const state = new ParentRoutesState(gateway, routeComputations.HTTPRoute.entries);
  const entries = [entry("r", "/")];
  const routes = state.update([{
    member: toKey("default/r"),
    after: [
      binding([{ listener: "one", entries }]),
      binding([{ listener: "one", entries }]),
      binding([{ listener: "other", entries }], "gw2"),
    ],
  }]);
  assertEquals([...routes.keys()], ["one"]);
  assertEquals(routes.get("one")?.attachedRoutes, 1);
  assertEquals(routes.get("one")?.entries.length, 1);
});

Deno.test("editEntries() places few changes and sorts many, and changes nothing that it was given", () => {
  for (const count of [1, 8, 40]) {
    const entries = routeNames.flatMap((route) => [entry(route, "/"), entry(`x${route}`, "/a/b")])
      .sort(compareHttpRouteEntries);
    const copy = [...entries];
    const removed = entries.filter((_, index) => index % 2 === 0).slice(0, count);
    const added = Array.from({ length: count }, (_, n) => entry(`added-${n}`, "/a"));
    const wanted = [...entries.filter((found) => !removed.includes(found)), ...added]
      .sort(compareHttpRouteEntries);
    assertEquals(editEntries(entries, removed, added, compareHttpRouteEntries), wanted);
    assertEquals(entries, copy);
  }
});

Deno.test("CountedNames.sorted() is the same list while the names are the same", () => {
  const names = new CountedNames<string>();
  assertEquals([names.add("b"), names.add("a"), names.add("b")], [true, true, false]);
  const sorted = names.sorted();
  assertEquals(sorted, ["a", "b"]);
  assertEquals(names.remove("b"), false);
  assertStrictEquals(names.sorted(), sorted);
  assertEquals(names.remove("b"), true);
  assertEquals(names.sorted(), ["a"]);
});
