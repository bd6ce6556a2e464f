/** What the data plane is given: every route in the right place, in the right order, complete. */

import { assertEquals, assertStrictEquals } from "@std/assert";
import type { HttpRouteEntry } from "../../../src/dataplane/model.ts";
import {
  backend,
  endpointSlice,
  gateway,
  gatewayClass,
  httpRoute,
  type Json,
  listener,
  rule,
  service,
} from "../../fakes/gateway_objects.ts";
import { GatewayWorld } from "../../fakes/gateway_world.ts";

function world(listeners?: readonly Json[]): GatewayWorld {
  const made = new GatewayWorld();
  made.put(gatewayClass(), gateway("gw", listeners), service("web"));
  return made;
}

function routesOf(made: GatewayWorld, index = 0): readonly HttpRouteEntry[] {
  return made.config("default/gw").listeners[index]?.routes ?? [];
}

Deno.test("Entries come one per hostname and match, the most specific first", () => {
  const made = world([listener("a", { hostname: "*.example.com" })]);
  made.put(httpRoute("r", {
    hostnames: ["x.example.com", "*.com", "other.org"],
    rules: [{
      ...rule("/"),
      matches: [{ path: { type: "PathPrefix", value: "/" } }, {
        path: { type: "Exact", value: "/x" },
      }],
    }],
  }));
  assertEquals(
    routesOf(made).map(({ hostname, match }) => `${hostname} ${match.path.type}`),
    [
      "x.example.com Exact",
      "x.example.com PathPrefix",
      "*.example.com Exact",
      "*.example.com PathPrefix",
    ],
  );
});

Deno.test("A listener without hostname serves a route without hostname for every host", () => {
  const made = world();
  made.put(httpRoute("r"));
  assertEquals(routesOf(made).map((entry) => "hostname" in entry), [false]);
});

Deno.test("A rule without matches and an empty match are the prefix /", () => {
  const made = world();
  made.put(httpRoute("r", {
    rules: [{ backendRefs: [backend("web")] }, { matches: [] }, {
      matches: [{}],
    }],
  }));
  assertEquals(routesOf(made).map(({ match }) => match.path), [
    { type: "PathPrefix", value: "/" },
    { type: "PathPrefix", value: "/" },
    { type: "PathPrefix", value: "/" },
  ]);
});

Deno.test("The older route comes first among equals, then the name decides", () => {
  const made = world();
  made.put(
    httpRoute("b", {}, { created: "2026-01-02T00:00:00Z" }),
    httpRoute("a", {}, { created: "2026-01-02T00:00:00Z" }),
    httpRoute("z", {}, { created: "2026-01-01T00:00:00Z" }),
  );
  assertEquals(routesOf(made).map(({ origin }) => origin.name), ["z", "a", "b"]);
});

Deno.test("Of two matches for one header the first counts, whatever its case", () => {
  const made = world();
  const header = (name: string, value: string) => ({ name, value });
  made.put(httpRoute("r", {
    rules: [{ matches: [{ headers: [header("X-A", "1"), header("x-a", "2")] }] }],
  }));
  assertEquals(routesOf(made)[0]?.match.headers, [{ type: "Exact", name: "x-a", value: "1" }]);
});

Deno.test("Filters, timeouts and weights arrive as they were written", () => {
  const made = world();
  made.put(
    service("canary"),
    httpRoute("r", {
      rules: [{
        name: "main",
        matches: [{ path: { type: "PathPrefix", value: "/old" }, method: "GET" }],
        filters: [
          { type: "RequestHeaderModifier", requestHeaderModifier: { remove: ["x"] } },
          {
            type: "URLRewrite",
            urlRewrite: {
              hostname: "h",
              path: { type: "ReplacePrefixMatch", replacePrefixMatch: "/new" },
            },
          },
        ],
        backendRefs: [
          backend("web", { weight: 9 }),
          backend("canary"),
          backend("web", { weight: 0 }),
          backend("gone", { weight: 5 }),
        ],
        timeouts: { request: "1m30s", backendRequest: "500ms" },
      }],
    }),
  );
  const [entry] = routesOf(made);
  assertEquals(entry?.ruleName, "main");
  assertEquals(entry?.match.method, "GET");
  assertEquals(JSON.parse(JSON.stringify(entry?.action)), {
    filters: [
      { type: "RequestHeaderModifier", headers: { set: [], add: [], remove: ["x"] } },
      {
        type: "URLRewrite",
        rewrite: {
          hostname: "h",
          path: { type: "ReplacePrefixMatch", value: "/new", prefix: "/old" },
        },
      },
    ],
    backends: [
      { weight: 9, cluster: "default/web/80", filters: [] },
      { weight: 1, cluster: "default/canary/80", filters: [] },
      { weight: 5, filters: [] },
    ],
    requestTimeoutMs: 90_000,
    backendRequestTimeoutMs: 500,
  });
});

Deno.test("A redirect keeps only what was asked for, with status 302 by default", () => {
  const made = world();
  made.put(httpRoute("r", {
    rules: [{ filters: [{ type: "RequestRedirect", requestRedirect: { scheme: "https" } }] }],
  }));
  assertEquals(routesOf(made)[0]?.action.filters, [
    { type: "RequestRedirect", redirect: { scheme: "https", statusCode: 302 } },
  ]);
});

Deno.test("A cluster holds ready and unknown endpoints of all slices, sorted, each once", () => {
  const made = world();
  const address = (value: string, ready?: boolean) => ({
    addresses: [value],
    ...(ready === undefined ? {} : { conditions: { ready } }),
  });
  made.put(
    httpRoute("r"),
    endpointSlice("b", "web", [], {
      endpoints: [address("10.0.0.2", true), address("10.0.0.9", false), address("10.0.0.1")],
    }),
    endpointSlice("a", "web", ["10.0.0.2"]),
    endpointSlice("v6", "web", ["2001:DB8::1"], { addressType: "IPv6" }),
    endpointSlice("names", "web", ["a.example.com"], { addressType: "FQDN" }),
    endpointSlice("others", "other", ["10.9.9.9"]),
    endpointSlice("empty", "web", [], { endpoints: null, ports: null }),
  );
  const [cluster] = made.outputs().dataPlane.clusters.values();
  assertEquals(cluster?.endpoints, [
    { address: "10.0.0.1", port: 8080 },
    { address: "10.0.0.2", port: 8080 },
    { address: "2001:db8::1", port: 8080 },
  ]);
});

Deno.test("A Service port leads to the slice port of the same name", () => {
  const made = world();
  made.put(
    service("web", { ports: [{ name: "http", port: 80 }, { name: "admin", port: 81 }] }),
    httpRoute("r", { rules: [{ backendRefs: [backend("web", { port: 81 })] }] }),
    endpointSlice("s", "web", ["10.0.0.1"], {
      ports: [{ name: "http", port: 8080 }, { name: "admin", port: 9901 }],
    }),
  );
  const [cluster] = made.outputs().dataPlane.clusters.values();
  assertEquals(cluster?.endpoints, [{ address: "10.0.0.1", port: 9901 }]);
});

Deno.test("Only clusters that a route leads to are handed over", () => {
  const made = world();
  made.put(service("unused"), httpRoute("r"));
  assertEquals<readonly string[]>([...made.outputs().dataPlane.clusters.keys()], [
    "default/web/80",
  ]);
});

Deno.test("Entries of one rule share the rule's action, so a route table stays small", () => {
  const made = world();
  made.put(httpRoute("r", {
    rules: [{ ...rule("/"), matches: [{ method: "GET" }, { method: "PUT" }] }],
  }));
  const [first, second] = routesOf(made);
  assertStrictEquals(first?.action, second?.action);
});
