/**
 * What a user would lose: the whole way of a request in one answer, in the shape that the API
 * promises, with sentences that name what decided.
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { parse } from "valibot";
import { type RequestExplanation, RequestExplanationSchema } from "../../../src/api/explain.ts";
import type { RequestQuestion } from "../../../src/api/request_question.ts";
import { toExplanation } from "../../../src/app/explain_view.ts";
import type { Acknowledgement } from "../../../src/dataplane/data_plane.ts";
import type { GatewayConfig, GatewayKey, HttpRouteEntry } from "../../../src/dataplane/model.ts";
import { RegexCache } from "../../../src/dataplane/regex.ts";
import { cluster, configOf, gateway, listener, loopback } from "../../fakes/data_plane_config.ts";
import { backend, routeTo } from "../../fakes/proxy_world.ts";
import { routeEntry } from "../../fakes/route_entries.ts";

function ask(
  world: readonly GatewayConfig[],
  question: Partial<RequestQuestion> = {},
  acknowledgements: ReadonlyMap<GatewayKey, Acknowledgement> = new Map(),
): RequestExplanation {
  const answer = toExplanation({
    config: configOf({
      revision: 7,
      gateways: world,
      clusters: [cluster(backend, loopback(3000))],
    }),
    acknowledgements,
    epoch: "e1",
    escapedSlashes: "UnescapeAndRedirect",
    regexes: new RegexCache(),
  }, { method: "GET", host: "shop.io", path: "/", port: 80, headers: [], ...question });
  // Every answer has the shape that the document promises.
  parse(RequestExplanationSchema, JSON.parse(JSON.stringify(answer)));
  return answer;
}

function one(routes: readonly HttpRouteEntry[]): GatewayConfig {
  return gateway("gw", [listener("gw", { port: 80, routes })]);
}

Deno.test("toExplanation() tells the decision and the way to it", () => {
  const routes = [
    routeTo(backend, { name: "cart", path: "Prefix:/cart", hostname: "shop.io", rule: 2 }),
    routeTo(backend, { name: "all" }),
  ];
  const answer = ask([one(routes)], { path: "/cart/./1?x=y", host: "SHOP.io:8080" });
  const { considered, backends, ...rest } = answer;
  assertEquals(rest, {
    revision: "e1.7",
    decision: "backend",
    why: "a backend with a ready endpoint serves it",
    request: { method: "GET", host: "shop.io", path: "/cart/1?x=y", port: 80 },
    gateway: "default/gw",
    listener: "http",
    kind: "HTTPRoute",
    route: "default/cart",
    rule: 2,
    match: 0,
    hostname: "shop.io",
    matched: { path: { type: "PathPrefix", value: "/cart" }, headers: [], queryParams: [] },
    filters: [],
    consideredCount: 1,
    listeners: [],
    listenerCount: 0,
    notes: [],
  });
  assertEquals(backends, [{
    service: "default/backend",
    port: 80,
    weight: 1,
    share: 1,
    outcome: "backend",
    filters: [],
    endpoints: [{ address: "127.0.0.1", port: 3000 }],
    endpointCount: 1,
    target: "/cart/1?x=y",
    host: "SHOP.io:8080",
  }]);
  assertEquals(considered, [{
    gateway: "default/gw",
    listener: "http",
    kind: "HTTPRoute",
    route: "default/all",
    rule: 0,
    match: 0,
    reason: "Precedence",
    criterion: "hostname",
    why: 'matches too; hostname "shop.io" is more specific than every host',
  }]);
});

Deno.test("toExplanation() shows the request as the backend would see it", () => {
  const entry = routeTo(backend, {
    path: "Prefix:/old",
    action: {
      filters: [{
        type: "URLRewrite",
        rewrite: {
          hostname: "rule.io",
          path: { type: "ReplacePrefixMatch", value: "/new", prefix: "/old" },
        },
      }],
      backends: [
        { weight: 1, cluster: backend, filters: [] },
        {
          weight: 1,
          cluster: backend,
          filters: [{ type: "URLRewrite", rewrite: { hostname: "own.io" } }],
        },
      ],
    },
  });
  const { backends } = ask([one([entry])], { path: "/old/x?q" });
  assertEquals(backends.map(({ host, target }) => `${host} ${target}`), [
    "rule.io /new/x?q",
    "own.io /new/x?q",
  ]);
});

Deno.test("toExplanation() says where a redirect leads, on the port that is really open", () => {
  const entry = routeEntry({
    action: { filters: [{ type: "RequestRedirect", redirect: { statusCode: 302, port: 81 } }] },
  });
  const world = one([entry]);
  const bound = { name: "http", origin: { kind: "Gateway", namespace: "default", name: "gw" } };
  const acknowledgement: Acknowledgement = {
    gateway: world.key,
    config: world,
    listeners: [{ ...bound, address: "127.0.0.1", port: 81, boundPort: 18081 }],
    refusals: [],
  };
  const answer = ask([world], { path: "/a" }, new Map([[world.key, acknowledgement]]));
  assertEquals([answer.decision, answer.statusCode, answer.location], [
    "redirect",
    302,
    "http://shop.io:18081/a",
  ]);
});

Deno.test("toExplanation() says what the gateway answers itself, and why", () => {
  const world = [one([routeTo(backend, { path: "Prefix:/a" }), routeEntry({ path: "Exact:/b" })])];
  const said = (question: Partial<RequestQuestion>, gateways = world): string => {
    const { decision, why } = ask(gateways, question);
    return `${decision} ${why}`;
  };
  assertEquals(said({ path: "/c" }), '404 no route of listener "http" of "default/gw" matches');
  assertEquals(said({ path: "/b" }), "500 the rule has no backend that takes traffic");
  assertEquals(said({ port: 81 }), "404 no listener is on port 81, there are some on 80");
  assertEquals(said({ gateway: "default/x" }), '404 Gateway "default/x" is not served');
  assertEquals(said({}, []), "404 no Gateway is served");
  assertEquals(said({ path: "/\u0001" }), "400 the path is not valid in a request");
  const escaped = ask(world, { path: "/a%2Fb" });
  assertEquals([escaped.decision, escaped.statusCode, escaped.location], ["redirect", 307, "/a/b"]);
  const other = gateway("gw", [listener("gw", { port: 80, hostname: "other.io" })]);
  assertEquals(said({}, [other]), '404 no listener on port 80 serves host "shop.io"');
});

Deno.test("toExplanation() notes what the data plane says of the listener", () => {
  const world = one([routeTo(backend)]);
  const origin = { kind: "Gateway", namespace: "default", name: "gw" };
  const answer: Acknowledgement = {
    gateway: world.key,
    config: { ...world },
    listeners: [{ name: "http", origin, address: "127.0.0.1", port: 80, boundPort: 18080 }],
    refusals: [
      { origin, listener: "http", reason: "PortUnavailable", message: "it is taken" },
      { origin, listener: "other", reason: "PortUnavailable", message: "not of interest" },
    ],
  };
  assertEquals(ask([world], {}, new Map([[world.key, answer]])).notes, [
    "The data plane still serves an earlier configuration of this Gateway",
    "The data plane does not serve all of it: PortUnavailable: it is taken",
    "Port 80 is really 18080 at 127.0.0.1",
  ]);
  const https = gateway("gw", [listener("gw", { port: 443, protocol: "HTTPS", certificates: [] })]);
  assertStringIncludes(ask([https], { port: 443 }).notes.join(), "SNI");
});

Deno.test("toExplanation() lists a bounded number of losers and counts all", () => {
  const routes = Array.from(
    { length: 500 },
    (_, index) => routeTo(backend, { name: `r${String(index).padStart(3, "0")}` }),
  );
  const answer = ask([one(routes)]);
  assertEquals([answer.considered.length, answer.consideredCount], [100, 499]);
});

Deno.test("toExplanation() tells who answers a preflight, and where copies of requests go", () => {
  const cors = {
    allowOrigins: ["*"],
    allowMethods: [],
    allowHeaders: [],
    exposeHeaders: [],
    allowCredentials: false,
    maxAgeSeconds: 5,
  };
  const mirror = { cluster: backend, numerator: 5, denominator: 100 };
  const filters = [{ type: "CORS", cors }, { type: "RequestMirror", mirror }] as const;
  const world = [one([routeTo(backend, { action: { filters } })])];
  const preflight = ask(world, {
    method: "OPTIONS",
    headers: [
      { name: "origin", value: "https://a.example.com" },
      { name: "access-control-request-method", value: "PUT" },
    ],
  });
  assertEquals(preflight.decision, "preflight");
  assertEquals(preflight.backends, []);
  assertEquals(preflight.notes, []);
  const { decision, notes } = ask(world);
  assertEquals(decision, "backend");
  assertEquals(notes, [
    "5 of 100 requests of the rule: a copy goes to default/backend/80, and its answer is thrown away",
  ]);
});
