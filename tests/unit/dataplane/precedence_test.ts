/**
 * What a user would lose: the request that Gateway API sends to one backend would go to another.
 */

import { assertEquals } from "@std/assert";
import { compareHttpRouteEntries } from "../../../src/dataplane/precedence.ts";
import { type EntryParts, routeEntry, valueMatch } from "../../fakes/route_entries.ts";

/** Each row is in the order in which entries must be tried, by the rule that is named. */
const orders: readonly (readonly [string, ...EntryParts[]])[] = [
  [
    "hostname: exact, longer wildcard, shorter wildcard, none",
    { hostname: "a.b.example.com" },
    { hostname: "*.b.example.com" },
    { hostname: "*.example.com", path: "Exact:/long/exact/path" },
    { path: "Exact:/long/exact/path" },
  ],
  [
    "path: exact, longest prefix, expression, catch-all",
    { path: "Exact:/a" },
    { path: "Prefix:/a/b/c" },
    { path: "Prefix:/a" },
    { path: "Regex:/a/.*" },
    { path: "Regex:/.*" },
    { path: "Prefix:/" },
  ],
  ["method before headers", { method: "GET" }, { headers: [valueMatch("a=1"), valueMatch("b=1")] }],
  [
    "headers before query parameters",
    { headers: [valueMatch("a=1"), valueMatch("b=1")] },
    { headers: [valueMatch("a=1")], queryParams: [valueMatch("q=1")] },
    { headers: [valueMatch("a=1")] },
    { queryParams: [valueMatch("q=1"), valueMatch("r=1")] },
    { queryParams: [valueMatch("q=1")] },
  ],
  [
    "age before name",
    { name: "z", created: "2025-01-01T00:00:00Z" },
    { name: "a", created: "2025-01-01T00:00:01Z" },
  ],
  [
    "namespace and name as one text",
    { namespace: "a-b", name: "x" },
    { namespace: "a", name: "y" },
    { namespace: "b", name: "a", rule: 7 },
  ],
  [
    "gRPC: exact service, longer service, exact method, longer method, headers",
    { grpc: { service: "foo.Long", method: "Get" } },
    { grpc: { service: "foo.Long" } },
    { grpc: { service: "foo.B", method: "Update" } },
    { grpc: { service: "foo.B", method: "Get" }, headers: [valueMatch("a=1")] },
    { grpc: { service: "foo.B", method: "Get" } },
    { grpc: { service: "foo[.][A-Z][A-Za-z]*", method: "Get", isRegex: true } },
    { grpc: { service: "foo.*", method: "Ge+t", isRegex: true } },
    { grpc: { service: "foo.*", isRegex: true } },
    { grpc: { method: "Get" } },
    { grpc: { method: "[A-Z].*", isRegex: true } },
    { grpc: {} },
  ],
  ["order inside the route", { rule: 0, match: 3 }, { rule: 1, match: 0 }, { rule: 1, match: 1 }],
];

Deno.test("compareHttpRouteEntries() orders by the rules of the API", async (t) => {
  for (const [name, ...parts] of orders) {
    await t.step(name, () => {
      const wanted = parts.map(routeEntry);
      assertEquals(wanted.toReversed().toSorted(compareHttpRouteEntries), wanted);
    });
  }
});

Deno.test("compareHttpRouteEntries() takes a prefix with and without trailing slash for equal", () => {
  const older = routeEntry({ path: "Prefix:/a", created: "2025-01-01T00:00:00Z" });
  const younger = routeEntry({ path: "Prefix:/a/", created: "2025-01-02T00:00:00Z" });
  assertEquals([younger, older].toSorted(compareHttpRouteEntries), [older, younger]);
});

Deno.test("compareHttpRouteEntries() is 0 only for the same match", () => {
  const entry = routeEntry({ hostname: "a.example.com", rule: 1, match: 1 });
  assertEquals(compareHttpRouteEntries(entry, { ...entry }), 0);
});
