/**
 * Which entries never serve, kept up to date edit by edit: what one walk over all of them finds. A
 * difference would tell an operator that a route has no traffic when it has, or the reverse.
 */

import fc from "fast-check";
import { assertEquals, assertStrictEquals } from "@std/assert";
import type { HttpRouteEntry } from "../../../src/dataplane/model.ts";
import { compareHttpRouteEntries } from "../../../src/dataplane/precedence.ts";
import {
  entryName,
  type RouteShadows,
  ShadowIndex,
} from "../../../src/gateway/compute/shadow_index.ts";

const places = fc.record({
  route: fc.constantFrom("a", "b", "c", "d"),
  age: fc.constantFrom("2025", "2026"),
  hostname: fc.constantFrom(undefined, "x.example.com", "*.example.com"),
  path: fc.constantFrom("/", "/a", "/a/", "/b"),
  header: fc.constantFrom(undefined, "1", "2"),
  matchIndex: fc.nat(2),
});

type Place = typeof places extends fc.Arbitrary<infer Value> ? Value : never;

function entryOf({ route, age, hostname, path, header, matchIndex }: Place): HttpRouteEntry {
  return {
    origin: { kind: "HTTPRoute", namespace: "default", name: route },
    creationTimestamp: `${age}-01-01T00:00:00Z`,
    ruleIndex: 0,
    matchIndex,
    ...(hostname === undefined ? {} : { hostname }),
    match: {
      path: { type: "PathPrefix", value: path },
      headers: header === undefined ? [] : [{ type: "Exact", name: "h", value: header }],
      queryParams: [],
    },
    action: { filters: [], backends: [] },
  };
}

/** Word for word: the first of those that say the same serves. */
function naively(entries: readonly HttpRouteEntry[]): Record<string, string> {
  const firsts = new Map<string, HttpRouteEntry>();
  const shadows: Record<string, string> = {};
  for (const entry of [...entries].sort(compareHttpRouteEntries)) {
    const { path, headers } = entry.match;
    const prefix = path.value.replace(/\/$/, "");
    const said = JSON.stringify([entry.hostname, prefix, headers]);
    const first = firsts.get(said);
    if (first) shadows[`${entry.origin.name} ${entryName(entry)}`] = first.origin.name;
    else firsts.set(said, entry);
  }
  return shadows;
}

function told(shadows: RouteShadows): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [route, entries] of [...shadows.values()].flatMap((group) => [...group])) {
    for (const [name, winner] of entries) {
      found[`${route.replace("default/", "")} ${name}`] = winner.route.replace("default/", "");
    }
  }
  return found;
}

Deno.test("ShadowIndex finds what a walk over all entries finds, after any edits", () => {
  const rounds = fc.array(fc.array(fc.tuple(places, fc.boolean()), { maxLength: 8 }));
  fc.assert(fc.property(rounds, (rounds) => {
    const index = new ShadowIndex(compareHttpRouteEntries);
    const present = new Map<string, HttpRouteEntry>();
    for (const round of rounds) {
      const removed: HttpRouteEntry[] = [];
      const added = new Map<string, HttpRouteEntry>();
      for (const [place, isThere] of round) {
        const entry = entryOf(place);
        const name = `${place.route} ${entryName(entry)}`;
        const before = present.get(name);
        if (before && !added.has(name)) removed.push(before);
        present.delete(name);
        added.delete(name);
        if (!isThere) continue;
        present.set(name, entry);
        added.set(name, entry);
      }
      const shadows = index.update(removed, [...added.values()]);
      assertEquals(told(shadows), naively([...present.values()]));
    }
  }));
});

Deno.test("ShadowIndex hands out the same result while nothing that it says changes", () => {
  const index = new ShadowIndex(compareHttpRouteEntries);
  const place = {
    route: "a",
    age: "2025",
    hostname: undefined,
    path: "/a",
    header: undefined,
    matchIndex: 0,
  } as const;
  const first = entryOf(place);
  const second = entryOf({ ...place, route: "b" });
  const shadows = index.update([], [first, second]);
  assertEquals(told(shadows), { "b 0/0 ": "a" });
  assertStrictEquals(index.update([], [entryOf({ ...place, route: "c", path: "/b" })]), shadows);
  assertEquals(told(index.update([first], [])), {});
});
