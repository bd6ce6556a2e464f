/**
 * GRPCRoutes as rules for HTTP: which calls a match means, and that no part of it can mean more than
 * its author may say.
 */

import fc from "fast-check";
import { assertEquals } from "@std/assert";
import { compileRegex } from "../../../src/dataplane/regex.ts";
import type { HttpRouteEntry } from "../../../src/dataplane/model.ts";
import { compareHttpRouteEntries } from "../../../src/dataplane/precedence.ts";
import { ComputedWorld } from "../../fakes/computed_world.ts";
import { grpcRoute } from "../../fakes/gateway_kind_objects.ts";
import { backend, gateway, gatewayClass, type Json, service } from "../../fakes/gateway_objects.ts";

const start = [gatewayClass(), gateway("gw"), service("web")];

function routesOf(...matches: readonly Json[]): readonly HttpRouteEntry[] {
  const world = new ComputedWorld([
    ...start,
    grpcRoute("r", { rules: [{ matches, backendRefs: [backend("web")] }] }),
  ]);
  return world.listener("http").routes;
}

const pathOf = (method: Json): unknown => routesOf({ method })[0]?.match.path;

/** The message of the fault, without what stands around it. */
function faultOf(method: Json): string {
  const world = new ComputedWorld([
    ...start,
    grpcRoute("r", { rules: [{ matches: [{ method }], backendRefs: [backend("web")] }] }),
  ]);
  const [conditions = []] = world.world.parents("default/r", "GRPCRoute");
  const accepted = conditions.find(({ type }) => type === "Accepted");
  return accepted?.status === "False" ? accepted.message.replace(/^.*?rules\[0\]: /, "") : "";
}

Deno.test("A match of a service, a method or both becomes the path of the calls", () => {
  assertEquals(pathOf({ service: "shop.Cart", method: "Add" }), {
    type: "Exact",
    value: "/shop.Cart/Add",
  });
  assertEquals(pathOf({ service: "shop.Cart" }), { type: "PathPrefix", value: "/shop.Cart" });
  assertEquals(pathOf({ method: "Add" }), { type: "RegularExpression", value: "/[^/]+/Add" });
  assertEquals(pathOf({}), { type: "PathPrefix", value: "/" });
  assertEquals(routesOf({})[0]?.match, {
    grpc: {},
    path: { type: "PathPrefix", value: "/" },
    method: "POST",
    headers: [],
    queryParams: [],
  });
});

Deno.test("Expressions for service and method match one part of the path each, whole", () => {
  const type = "RegularExpression";
  assertEquals(pathOf({ type, service: "a|b", method: "c|d" }), {
    type,
    value: "/(?:a|b)/(?:c|d)",
  });
  assertEquals(pathOf({ type, service: "a|b" }), { type, value: "/(?:a|b)/[^/]+" });
  assertEquals(pathOf({ type, method: "c|d" }), { type, value: "/[^/]+/(?:c|d)" });
});

Deno.test("An expression that is none by itself is refused, whatever it would be with others", () => {
  const type = "RegularExpression";
  for (const part of ["service", "method"]) {
    for (const pattern of ["a)|(b", "(", "a)", String.raw`\Qa`, "(?:", String.raw`a\E`]) {
      assertEquals(faultOf({ type, [part]: pattern }).split(":")[0], part, `${part} ${pattern}`);
    }
    assertEquals(faultOf({ type, [part]: String.raw`\Qa)|(b\E` }), "", "quoted, it is whole");
  }
  const halves = { type, service: String.raw`\Qa`, method: String.raw`\Qb\E` };
  assertEquals(faultOf(halves).split(":")[0], "service");
});

Deno.test("A method that is named is no expression, also where an older CRD lets one through", () => {
  const found = pathOf({ method: "A.*|/x" });
  assertEquals(found, { type: "RegularExpression", value: String.raw`/[^/]+/A\.\*\|/x` });
  const regex = compileRegex(String.raw`/[^/]+/A\.\*\|/x`);
  assertEquals([regex.matches("/s/A.*|/x"), regex.matches("/s/Abc"), regex.matches("/x")], [
    true,
    false,
    false,
  ]);
});

/** What precedence goes by, in the words of the API (GRPCRouteSpec, `rules`), for one route. */
function rankOf({ match: { grpc = {}, headers } }: HttpRouteEntry): readonly number[] {
  return [grpc.service?.length ?? 0, grpc.method?.length ?? 0, headers.length];
}

Deno.test("Entries of GRPCRoutes go by service, method and headers, then by age, name and place", () => {
  const name = fc.constantFrom(undefined, "a", "ab", "a.b.c");
  const match = fc.record({
    service: name,
    method: fc.constantFrom(undefined, "M", "Method"),
    headers: fc.constantFrom([], ["x"], ["x", "y"]),
  });
  const route = fc.record({
    name: fc.constantFrom("a", "b", "c"),
    created: fc.constantFrom("2026-01-01T00:00:00Z", "2026-02-02T00:00:00Z"),
    matches: fc.array(match, { minLength: 1, maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.uniqueArray(route, { selector: ({ name }) => name }), (routes) => {
      const world = new ComputedWorld([
        ...start,
        ...routes.map(({ name, created, matches }) =>
          grpcRoute(name, {
            rules: matches.map(({ service, method, headers }) => ({
              matches: [{
                method: JSON.parse(JSON.stringify({ service, method })),
                headers: headers.map((header) => ({ name: header, value: "v" })),
              }],
              backendRefs: [backend("web")],
            })),
          }, { created })
        ),
      ]);
      const found = world.listener("http").routes;
      const naive = [...found].sort((a, b) => {
        const [first, second] = [rankOf(a), rankOf(b)];
        for (const [index, rank] of first.entries()) {
          const other = second[index] ?? 0;
          if (rank !== other) return other - rank;
        }
        const last = (entry: HttpRouteEntry) =>
          `${entry.creationTimestamp} ${entry.origin.name} ${entry.ruleIndex}`;
        return last(a) < last(b) ? -1 : 1;
      });
      assertEquals(found, naive);
      for (const [index, entry] of found.entries()) {
        for (const later of found.slice(index + 1)) {
          assertEquals(Math.sign(compareHttpRouteEntries(entry, later)), -1);
          assertEquals(Math.sign(compareHttpRouteEntries(later, entry)), 1);
        }
      }
    }),
    { numRuns: 60 },
  );
});
