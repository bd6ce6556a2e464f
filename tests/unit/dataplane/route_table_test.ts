/**
 * What a user would lose: the index finding another route than the documented precedence says.
 * The method: random worlds of routes and requests over a small alphabet, so that overlaps are
 * frequent, compared with a plain scan in the order of precedence.
 */

import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { compileEntry, matchesEntry, type MatchRequest } from "../../../src/dataplane/match.ts";
import type { HttpRouteEntry } from "../../../src/dataplane/model.ts";
import { compareHttpRouteEntries } from "../../../src/dataplane/precedence.ts";
import { RegexCache } from "../../../src/dataplane/regex.ts";
import { RouteTable, RouteTableCompiler } from "../../../src/dataplane/route_table.ts";
import { plainRequests, routeEntries } from "../../fakes/random_routing.ts";
import { routeEntry } from "../../fakes/route_entries.ts";

const requests: fc.Arbitrary<MatchRequest> = plainRequests.map(({ headers, ...rest }) => ({
  ...rest,
  rawHeaders: headers.flat(),
}));

function scan(all: readonly HttpRouteEntry[], request: MatchRequest): HttpRouteEntry | undefined {
  const regexes = new RegexCache();
  return all.toSorted(compareHttpRouteEntries)
    .find((entry) => matchesEntry(compileEntry(entry, regexes), request));
}

Deno.test("RouteTable.find() finds what a scan in the order of precedence finds", () => {
  const regexes = new RegexCache();
  fc.assert(
    fc.property(
      fc.array(routeEntries, { maxLength: 30 }),
      fc.array(requests, { minLength: 1, maxLength: 20 }),
      (world, asked) => {
        const table = new RouteTable(world, regexes);
        for (const request of asked) {
          const found = table.find(request);
          const wanted = scan(world, request);
          if (found === wanted) continue;
          // Two entries that compare equal are the same match of the same rule.
          assert(found && wanted && compareHttpRouteEntries(found, wanted) === 0);
        }
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("RouteTable.find() goes on to a less specific hostname of the same listener", () => {
  const specific = routeEntry({ hostname: "a.x.io", path: "Prefix:/only" });
  const general = routeEntry({ path: "Prefix:/" });
  const table = new RouteTable([specific, general], new RegexCache());
  const request = { method: "GET", host: "a.x.io", query: "", rawHeaders: [] };
  assertStrictEquals(table.find({ ...request, path: "/only" }), specific);
  assertStrictEquals(table.find({ ...request, path: "/else" }), general);
});

Deno.test("RouteTable.find() looks at few of ten thousand routes", () => {
  let reads = 0;
  const world = Array.from({ length: 10_000 }, (_, index) => {
    const entry = routeEntry({ hostname: `h${index % 100}.x.io`, path: `Prefix:/p${index}` });
    const match = entry.match;
    return Object.defineProperty({ ...entry }, "match", {
      get: () => {
        reads++;
        return match;
      },
    });
  });
  const table = new RouteTable(world, new RegexCache());
  reads = 0;
  const found = table.find({
    method: "GET",
    host: "h42.x.io",
    path: "/p9942/x",
    query: "",
    rawHeaders: [],
  });
  assertStrictEquals(found, world[9_942]);
  assertEquals(reads, 1);
});

Deno.test("RouteTableCompiler.compile() compiles a list once and a changed one anew", () => {
  const compiler = new RouteTableCompiler();
  const list = [routeEntry()];
  assertStrictEquals(compiler.compile(list), compiler.compile(list));
  assertNotStrictEquals(compiler.compile(list), compiler.compile([...list]));
});
