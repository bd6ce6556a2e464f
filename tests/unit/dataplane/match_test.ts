/** What a user would lose: a route that serves what it must not, or does not serve what it must. */

import { assert, assertEquals } from "@std/assert";
import {
  compileEntry,
  firstQueryValue,
  matchesEntry,
  type MatchRequest,
  mismatchOf,
} from "../../../src/dataplane/match.ts";
import { RegexCache } from "../../../src/dataplane/regex.ts";
import { type EntryParts, routeEntry, valueMatch } from "../../fakes/route_entries.ts";

const request: MatchRequest = {
  method: "GET",
  host: "a.example.com",
  path: "/shop/cart",
  query: "a=1&b=x%20y&a=2&flag&e=",
  rawHeaders: ["X-Tenant", "one", "x-tenant", "two", "X-List", "1, 2"],
};

function matches(parts: EntryParts, given: Partial<MatchRequest> = {}): boolean {
  const compiled = compileEntry(routeEntry(parts), new RegexCache());
  const whole = { ...request, ...given };
  const result = matchesEntry(compiled, whole);
  assertEquals(mismatchOf(compiled, whole) === undefined, result, "mismatchOf() must agree");
  return result;
}

Deno.test("matchesEntry() matches prefixes by path element", () => {
  for (const path of ["/shop", "/shop/", "/shop/cart"]) {
    assert(matches({ path: "Prefix:/shop" }, { path }), path);
    assert(matches({ path: "Prefix:/shop/" }, { path }), path);
  }
  for (const path of ["/shopping", "/sho", "/Shop", "/"]) {
    assert(!matches({ path: "Prefix:/shop" }, { path }), path);
  }
  assert(matches({ path: "Prefix:/" }, { path: "/anything" }));
});

Deno.test("matchesEntry() matches exact paths without ignoring a slash", () => {
  assert(matches({ path: "Exact:/shop/cart" }));
  assert(!matches({ path: "Exact:/shop/cart/" }));
});

Deno.test("matchesEntry() matches expressions against the whole value", () => {
  assert(matches({ path: "Regex:/shop/[a-z]+" }));
  assert(!matches({ path: "Regex:/shop" }));
  assert(!matches({ path: "Regex:shop/cart" }));
  assert(matches({ path: "Regex:/a|/shop/cart" }), "alternatives are one value");
  assert(!matches({ headers: [valueMatch("x-tenant~on")] }));
  assert(matches({ headers: [valueMatch("x-tenant~t.o")] }));
});

Deno.test("matchesEntry() never matches with an expression that does not compile", () => {
  assert(!matches({ path: "Regex:/shop/(?=cart)cart" }), "look-ahead is not RE2");
  assert(!matches({ headers: [valueMatch("x-tenant~(")] }));
});

Deno.test("matchesEntry() takes each line of a repeated header for itself", () => {
  assert(matches({ headers: [valueMatch("x-tenant=one")] }));
  assert(matches({ headers: [valueMatch("x-tenant=two")] }));
  assert(!matches({ headers: [valueMatch("x-tenant=one, two")] }));
  assert(!matches({ headers: [valueMatch("x-list=1")] }));
  assert(!matches({ headers: [valueMatch("x-missing=")] }));
  assert(!matches({ headers: [valueMatch("x-tenant=one"), valueMatch("x-other=1")] }));
});

Deno.test("matchesEntry() takes the first query parameter of a name, as it is written", () => {
  assert(matches({ queryParams: [valueMatch("a=1")] }));
  assert(!matches({ queryParams: [valueMatch("a=2")] }));
  assert(matches({ queryParams: [valueMatch("b=x%20y")] }));
  assert(!matches({ queryParams: [valueMatch("b=x y")] }));
  assert(matches({ queryParams: [valueMatch("flag="), valueMatch("e=")] }));
  assert(!matches({ queryParams: [valueMatch("fla=")] }));
});

Deno.test("matchesEntry() compares methods exactly", () => {
  assert(matches({ method: "GET" }));
  assert(!matches({ method: "POST" }));
  assert(!matches({ method: "GET" }, { method: "get" }));
});

Deno.test("mismatchOf() names the first part that fails", () => {
  const cases: readonly (readonly [EntryParts, unknown])[] = [
    [{ hostname: "b.example.com", path: "Exact:/x" }, { part: "hostname" }],
    [{ path: "Exact:/x", method: "PUT" }, { part: "path" }],
    [{ method: "PUT", headers: [valueMatch("a=1")] }, { part: "method" }],
    [{ headers: [valueMatch("x-tenant=one"), valueMatch("a=1")] }, { part: "header", name: "a" }],
    [{ queryParams: [valueMatch("z=1")] }, { part: "queryParam", name: "z" }],
    [{}, undefined],
  ];
  for (const [parts, wanted] of cases) {
    assertEquals(mismatchOf(compileEntry(routeEntry(parts), new RegexCache()), request), wanted);
  }
});

Deno.test("firstQueryValue() is not misled by odd queries", () => {
  assertEquals(firstQueryValue("&&a=1", "a"), "1");
  assertEquals(firstQueryValue("a=b=c", "a"), "b=c");
  assertEquals(firstQueryValue("xa=1&a", "a"), "");
  assertEquals(firstQueryValue("", "a"), undefined);
});
