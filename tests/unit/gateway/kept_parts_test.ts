/**
 * What is equal is the very same object. A data plane compares by reference: what is another object
 * is built anew and swapped under running traffic, for nothing.
 */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { editEntries } from "../../../src/gateway/compute/edit_entries.ts";
import { ComputedWorld } from "../../fakes/computed_world.ts";
import { grpcRoute, listenerSet } from "../../fakes/gateway_kind_objects.ts";
import {
  gateway,
  gatewayClass,
  httpRoute,
  listener,
  service,
} from "../../fakes/gateway_objects.ts";

const open = { allowedListeners: { namespaces: { from: "All" } } };
const gw = gateway("gw", [listener("main"), listener("extra", { port: 81 })], open);
/** Its listener has the name of one of the other. */
const other = gateway("other", [listener("main")]);
const start = [gatewayClass(), gw, other, service("web")];

Deno.test("A parent that goes from a route leaves what its other parents serve as it was", () => {
  const made = new ComputedWorld([
    ...start,
    httpRoute("r", { parentRefs: [{ name: "gw" }, { name: "other" }] }),
  ]);
  const before = made.config("default/other");
  made.step(httpRoute("r", { parentRefs: [{ name: "other" }] }));
  assertStrictEquals(made.config("default/other"), before);
});

Deno.test("A listener does not take the entries of one that has its name elsewhere", () => {
  const made = new ComputedWorld([
    ...start,
    httpRoute("r", { parentRefs: [{ name: "gw" }, { name: "other" }] }),
  ]);
  const before = made.config("default/other");
  made.step(httpRoute("r", { parentRefs: [{ name: "other", sectionName: "main" }] }));
  assertStrictEquals(made.config("default/other"), before);
});

Deno.test("A reference that is written otherwise leaves the listener as it was", () => {
  const made = new ComputedWorld([
    ...start,
    httpRoute("r", { parentRefs: [{ name: "gw", sectionName: "main" }] }),
  ]);
  const before = made.listener("main");
  made.step(httpRoute("r", { parentRefs: [{ name: "gw" }, { name: "other" }] }));
  assertEquals(made.listener("extra").routes.length, 1);
  assertStrictEquals(made.listener("main"), before);
});

Deno.test("A listener with routes of two kinds is as it was when another listener changes", () => {
  const made = new ComputedWorld([
    ...start,
    httpRoute("r", { hostnames: ["a.example.com"] }),
    grpcRoute("r", { hostnames: ["b.example.com"] }),
  ]);
  const before = made.listener("main");
  assertEquals(new Set(before.routes.map(({ origin }) => origin.kind)).size, 2);
  made.step(httpRoute("s", {
    parentRefs: [{ name: "gw", sectionName: "extra" }],
    hostnames: ["c.example.com"],
  }));
  assertEquals(made.listener("extra").routes.length, 3);
  assertStrictEquals(made.listener("main"), before);
});

Deno.test("A route that asks for nothing counts, and leaves the configuration as it was", () => {
  const made = new ComputedWorld([
    ...start,
    listenerSet("set", [listener("main", { port: 82 })]),
    httpRoute("r", { hostnames: ["a.example.com"] }),
  ]);
  const before = made.config();
  made.step(grpcRoute("empty", { hostnames: ["b.example.com"], rules: [] }));
  assertEquals(made.world.listener("default/gw", "main").attachedRoutes, 2);
  assertStrictEquals(made.config(), before);
});

Deno.test("editEntries() with nothing to do returns the very list", () => {
  const entries = [1, 2, 3];
  assertStrictEquals(editEntries(entries, [], [], (a, b) => a - b), entries);
});
