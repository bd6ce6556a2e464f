/**
 * What a user would lose: an explanation that says what the data plane really does, and a data plane
 * that does what the specification says. Random Gateways and requests are asked three times: the
 * explanation, the tables that the proxy serves with, and a model that can be read beside the text
 * of the API.
 */

import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { explainRequest } from "../../../src/dataplane/explain_request.ts";
import { HostIndex } from "../../../src/dataplane/host.ts";
import type { GatewayConfig, HttpRouteEntry, Listener } from "../../../src/dataplane/model.ts";
import { gatewayKey } from "../../../src/dataplane/model.ts";
import {
  compareHttpRouteEntries,
  decidingCriterion,
  type PrecedenceCriterion,
} from "../../../src/dataplane/precedence.ts";
import { RegexCache } from "../../../src/dataplane/regex.ts";
import { RouteTable } from "../../../src/dataplane/route_table.ts";
import { computeBindings } from "../../../src/dataplane/bindings.ts";
import { naiveEntry, naiveListener, type PlainRequest } from "../../fakes/naive_routing.ts";
import { configOf, gateway, listener } from "../../fakes/data_plane_config.ts";
import { gateways, plainRequests, routeEntries } from "../../fakes/random_routing.ts";
import { routeEntry, valueMatch } from "../../fakes/route_entries.ts";

const regexes = new RegexCache();
const options = { regexes, escapedSlashes: "UnescapeAndRedirect" } as const;

function explain(
  world: readonly GatewayConfig[],
  request: PlainRequest,
  more: { port?: number; gateway?: string; consideredMax?: number } = {},
) {
  const { port = 80, gateway, consideredMax } = more;
  return explainRequest(configOf({ gateways: world }), {
    method: request.method,
    host: request.host,
    target: request.query === "" ? request.path : `${request.path}?${request.query}`,
    port,
    rawHeaders: request.headers.flat(),
    ...(gateway === undefined ? {} : { gateway: gatewayKey("default", gateway) }),
  }, { ...options, ...(consideredMax === undefined ? {} : { consideredMax }) });
}

/** What the proxy would serve at an address: its bindings, its index of hosts, its tables. */
function serve(
  world: readonly GatewayConfig[],
  address: string,
  request: PlainRequest,
): { readonly listener?: Listener; readonly entry?: HttpRouteEntry } {
  const { bindings } = computeBindings(configOf({ gateways: world }));
  const hosts = new HostIndex<Listener>();
  for (const { listener } of bindings.get(`${address}:80`)?.listeners ?? []) {
    hosts.set(listener.hostname, listener);
  }
  const found = hosts.find(request.host);
  if (found === undefined) return {};
  const entry = new RouteTable(found.routes, regexes)
    .find({ ...request, rawHeaders: request.headers.flat() });
  return { listener: found, ...(entry && { entry }) };
}

Deno.test("explainRequest() chooses what the proxy chooses at one address", () => {
  const atOneAddress = gateways.map((world) =>
    world.map((one): GatewayConfig => ({ ...one, addresses: ["127.0.0.1"] }))
  );
  fc.assert(
    fc.property(atOneAddress, fc.array(plainRequests, { minLength: 1 }), (world, requests) => {
      for (const request of requests) {
        const { winner, entry } = explain(world, request);
        const served = serve(world, "127.0.0.1", request);
        assertStrictEquals(winner?.listener, served.listener);
        if (entry === served.entry) continue;
        // Two entries that compare equal are the same match of the same rule.
        assert(entry && served.entry && compareHttpRouteEntries(entry, served.entry) === 0);
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("explainRequest() for one Gateway chooses what the proxy chooses when it is alone", () => {
  fc.assert(
    fc.property(gateways, plainRequests, (world, request) => {
      for (const one of world) {
        const [, name = ""] = one.key.split("/");
        const { winner, entry } = explain(world, request, { gateway: name });
        const served = serve([one], one.addresses[0] ?? "", request);
        assertStrictEquals(winner?.listener, served.listener);
        if (entry === served.entry) continue;
        assert(entry && served.entry && compareHttpRouteEntries(entry, served.entry) === 0);
      }
    }),
    { numRuns: 200 },
  );
});

Deno.test("explainRequest() chooses what the text of the API says", () => {
  fc.assert(
    fc.property(gateways, fc.array(plainRequests, { minLength: 1 }), (world, requests) => {
      const places = world.flatMap((one) =>
        one.listeners.filter(({ port }) => port === 80)
          .map((found) => ({
            gateway: one.key,
            created: one.creationTimestamp,
            listener: found,
          }))
      );
      for (const request of requests) {
        const { winner, entry } = explain(world, request);
        const wanted = naiveListener(places, request.host);
        assertStrictEquals(winner?.listener, wanted?.listener);
        const serving = wanted && naiveEntry(wanted.listener.routes, request);
        if (entry === serving) continue;
        assert(entry && serving && compareHttpRouteEntries(entry, serving) === 0);
      }
    }),
    { numRuns: 400 },
  );
});

Deno.test("explainRequest() accounts for every candidate on the port", () => {
  fc.assert(
    fc.property(gateways, plainRequests, fc.nat(12), (world, request, consideredMax) => {
      const found = explain(world, request, { consideredMax });
      const onPort = world.flatMap(({ listeners }) => listeners.filter(({ port }) => port === 80));
      const entries = onPort.flatMap(({ routes }) => routes);
      assertEquals(found.lostEntryCount + (found.entry ? 1 : 0), entries.length);
      assertEquals(found.lostEntries.length, Math.min(consideredMax, found.lostEntryCount));
      assertEquals(found.lostListenerCount + (found.winner ? 1 : 0), onPort.length);
      assertEquals(found.lostListeners.length, Math.min(consideredMax, found.lostListenerCount));
      assert(found.lostEntries.every(({ entry }) => entry !== found.entry));
    }),
  );
});

Deno.test("decidingCriterion() names the part that compareHttpRouteEntries() decides by", () => {
  fc.assert(
    fc.property(routeEntries, routeEntries, (a, b) => {
      assertEquals(decidingCriterion(a, b) === undefined, compareHttpRouteEntries(a, b) === 0);
    }),
    { numRuns: 1_000 },
  );
});

const get: PlainRequest = { method: "GET", host: "a.x.io", path: "/a", query: "", headers: [] };

/** The reasons of the losers of one listener, by the name of the route. */
function reasonsOf(entries: readonly HttpRouteEntry[], request = get): Record<string, unknown> {
  const routes = entries.toSorted(compareHttpRouteEntries);
  const { lostEntries } = explain([gateway("gw", [listener("gw", { port: 80, routes })])], request);
  return Object.fromEntries(lostEntries.map(({ entry, lostBy }) => [entry.origin.name, lostBy]));
}

Deno.test("explainRequest() says which part of a candidate does not match", () => {
  assertEquals(
    reasonsOf([
      routeEntry({ name: "host", hostname: "b.x.io" }),
      routeEntry({ name: "path", path: "Prefix:/b" }),
      routeEntry({ name: "method", method: "POST" }),
      routeEntry({ name: "header", headers: [valueMatch("h=1"), valueMatch("i=1")] }),
      routeEntry({ name: "query", queryParams: [valueMatch("q=1")] }),
      routeEntry({ name: "broken", path: "Regex:(" }),
    ], { ...get, headers: [["h", "1"]] }),
    {
      host: { part: "hostname" },
      path: { part: "path" },
      broken: { part: "path" },
      method: { part: "method" },
      header: { part: "header", name: "i" },
      query: { part: "queryParam", name: "q" },
    },
  );
});

Deno.test("explainRequest() says which criterion a matching candidate lost by", () => {
  const winner = routeEntry({
    name: "b",
    hostname: "a.x.io",
    path: "Exact:/a",
    method: "GET",
    headers: [valueMatch("h=1")],
    queryParams: [valueMatch("q=1")],
    rule: 1,
    match: 1,
    created: "2026-01-01T00:00:00Z",
  });
  const { match } = winner;
  const { method: _, ...anyMethod } = match;
  const losers: readonly [PrecedenceCriterion, HttpRouteEntry][] = [
    ["hostname", { ...winner, hostname: "*.x.io" }],
    ["path", { ...winner, match: { ...match, path: { type: "PathPrefix", value: "/a" } } }],
    ["method", { ...winner, match: anyMethod }],
    ["headers", { ...winner, match: { ...match, headers: [] } }],
    ["queryParams", { ...winner, match: { ...match, queryParams: [] } }],
    ["age", { ...winner, creationTimestamp: "2026-01-02T00:00:00Z" }],
    ["name", { ...winner, origin: { ...winner.origin, name: "c" } }],
    ["ruleOrder", { ...winner, ruleIndex: 2 }],
    ["matchOrder", { ...winner, matchIndex: 2 }],
  ];
  const request = { ...get, query: "q=1", headers: [["h", "1"]] } as const;
  for (const [criterion, loser] of losers) {
    const routes = [winner, loser].toSorted(compareHttpRouteEntries);
    const found = explain([gateway("gw", [listener("gw", { port: 80, routes })])], request);
    assertStrictEquals(found.entry, winner, criterion);
    assertEquals(found.lostEntries[0]?.lostBy, { part: "precedence", criterion });
  }
});

Deno.test("explainRequest() tells the nearest candidates first", () => {
  const entries = [
    routeEntry({ name: "far", hostname: "b.x.io" }),
    routeEntry({ name: "near", path: "Prefix:/a", queryParams: [valueMatch("q=1")] }),
    routeEntry({ name: "matching", path: "Prefix:/" }),
    routeEntry({ name: "winner", path: "Prefix:/a" }),
  ];
  assertEquals(Object.keys(reasonsOf(entries)), ["matching", "near", "far"]);
});

Deno.test("explainRequest() says why a listener does not answer", () => {
  const world = [
    gateway("old", [
      listener("old", { name: "exact", port: 80, hostname: "a.x.io" }),
      listener("old", { name: "other", port: 80, hostname: "b.x.io" }),
    ]),
    gateway("young", [
      listener("young", { name: "wide", port: 80, hostname: "*.x.io" }),
      listener("young", { name: "elsewhere", port: 81 }),
    ], { creationTimestamp: "2026-01-02T00:00:00Z" }),
    gateway("afar", [listener("afar", { name: "same", port: 80, hostname: "a.x.io" })], {
      creationTimestamp: "2026-01-03T00:00:00Z",
      addresses: ["127.0.0.9"],
    }),
  ];
  const lossesFor = (gateway?: string) =>
    Object.fromEntries(
      explain(world, get, gateway === undefined ? {} : { gateway }).lostListeners
        .map(({ listener, lostBy }) => [listener.name, lostBy]),
    );
  assertEquals(lossesFor(), { other: "hostname", wide: "specificity", same: "age" });
  assertEquals(lossesFor("young"), { exact: "overtakes", other: "hostname", same: "gateway" });
  assertEquals(lossesFor("afar"), { exact: "gateway", other: "hostname", wide: "gateway" });
});

Deno.test("explainRequest() matches the path that normalisation makes, and says when it refuses", () => {
  const routes = [routeEntry({ path: "Exact:/a/b" })];
  const world = [gateway("gw", [listener("gw", { port: 80, routes })])];
  assertStrictEquals(explain(world, { ...get, path: "/x/..//a/%62" }).entry, routes[0]);
  assertEquals(explain(world, { ...get, path: "/a%2Fb" }).normalized, {
    action: "redirect",
    target: "/a/b",
  });
  const refused = explain(world, { ...get, path: "/a\u0001" });
  assertEquals([refused.normalized.action, refused.winner, refused.entry], [
    "reject",
    undefined,
    undefined,
  ]);
});
