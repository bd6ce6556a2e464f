/** What a user would lose: the rules of their HTTPRoutes, applied to real requests. */

import { assertEquals, fail } from "@std/assert";
import { clusterName, type HttpFilter } from "../../src/dataplane/model.ts";
import { cluster, configOf, gateway, listener } from "../fakes/data_plane_config.ts";
import { backend, ProxyWorld, routeTo } from "../fakes/proxy_world.ts";
import { asOctets, exchange, valuesOf } from "../fakes/raw_http.ts";
import { routeEntry, valueMatch } from "../fakes/route_entries.ts";
import { answering, reply, Upstream } from "../fakes/upstream.ts";

/** The filters of a rule with one backend. */
function filtered(...filters: readonly HttpFilter[]): Parameters<typeof routeTo>[1] {
  return { action: { filters } };
}

Deno.test("proxy chooses routes by host, path, method, header and query", async () => {
  await using upstream = new Upstream(answering(() => reply("ok")));
  await using world = new ProxyWorld();
  const mark = (name: string) =>
    filtered({
      type: "RequestHeaderModifier",
      headers: { set: [{ name: "X-Route", value: name }], add: [], remove: [] },
    });
  const port = await world.serve([
    routeTo(backend, { ...mark("host"), hostname: "a.example.com" }),
    routeTo(backend, { ...mark("exact"), path: "Exact:/exact" }),
    routeTo(backend, { ...mark("method"), path: "Prefix:/x", method: "POST" }),
    routeTo(backend, { ...mark("header"), path: "Prefix:/x", headers: [valueMatch("v=2")] }),
    routeTo(backend, { ...mark("query"), path: "Prefix:/x", queryParams: [valueMatch("q=1")] }),
    routeTo(backend, { ...mark("regex"), path: "Regex:/r/[0-9]+" }),
  ], [upstream.endpoint]);
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ["host", "GET /any", ["Host: A.example.com.:80"]],
    ["exact", "GET /a/../exact", ["Host: b"]],
    ["method", "POST /x/1", ["Host: b"]],
    ["header", "GET /x", ["Host: b", "V: 1", "v: 2"]],
    ["query", "GET /x?p=0&q=1", ["Host: b"]],
    ["regex", "GET /r/42?x", ["Host: b"]],
  ];
  for (const [name, start, lines] of cases) {
    assertEquals((await exchange(port, start, ...lines)).status, 200, name);
    assertEquals(valuesOf(upstream.requests.at(-1)?.lines ?? [], "x-route"), [name]);
  }
  const missed = await exchange(port, "GET /y", "Host: b");
  assertEquals([missed.status, missed.body], [404, "no HTTPRoute matches this request\n"]);
});

Deno.test("proxy modifies request and response headers, those of the backend last", async () => {
  await using upstream = new Upstream(
    answering(() =>
      reply("ok", "X-Add: 1", "X-Set: 1", "x-set: 2", "X-Gone: 1", "Set-Cookie: a=1")
    ),
  );
  await using world = new ProxyWorld();
  const headers = {
    set: [{ name: "X-Set", value: "new" }, { name: "X-New", value: "é\r\nX-Evil: 1" }],
    add: [{ name: "X-Add", value: "2" }, { name: "Set-Cookie", value: "b=2" }],
    remove: ["X-Gone"],
  };
  const last = { set: [{ name: "x-set", value: "backend" }], add: [], remove: [] };
  const entry = routeEntry({
    action: {
      filters: [
        { type: "RequestHeaderModifier", headers },
        { type: "ResponseHeaderModifier", headers },
      ],
      backends: [{
        weight: 1,
        cluster: backend,
        filters: [{ type: "RequestHeaderModifier", headers: last }],
      }],
    },
  });
  const port = await world.serve([entry], [upstream.endpoint]);
  const response = await exchange(
    port,
    "GET /",
    "Host: a",
    "x-add: 1",
    "x-set: 1",
    "X-SET: 2",
    "x-gone: 1",
  );
  const lines = upstream.requests[0]?.lines ?? [];
  const evil = asOctets("é  X-Evil: 1");
  assertEquals(valuesOf(lines, "x-add"), ["1,2"]);
  assertEquals(valuesOf(lines, "x-set"), ["backend"]);
  assertEquals(valuesOf(lines, "x-new"), [evil]);
  assertEquals(valuesOf(lines, "x-gone"), []);
  assertEquals(valuesOf(lines, "x-evil"), []);
  assertEquals(valuesOf(response.lines, "x-add"), ["1,2"]);
  assertEquals(valuesOf(response.lines, "x-set"), ["new"]);
  assertEquals(valuesOf(response.lines, "x-new"), [evil]);
  assertEquals(valuesOf(response.lines, "x-gone"), []);
  assertEquals(valuesOf(response.lines, "set-cookie"), ["a=1", "b=2"]);
});

Deno.test("proxy rewrites host and path for the backend only", async () => {
  await using upstream = new Upstream(answering(() => reply("ok")));
  await using world = new ProxyWorld();
  const port = await world.serve([
    routeTo(backend, {
      path: "Prefix:/shop",
      ...filtered({
        type: "URLRewrite",
        rewrite: {
          hostname: "internal.example.com",
          path: { type: "ReplacePrefixMatch", prefix: "/shop", value: "/" },
        },
      }),
    }),
  ], [upstream.endpoint]);
  for (const path of ["/shop", "/shop/", "/shop/a?b=1"]) {
    await exchange(port, `GET ${path}`, "Host: a");
  }
  assertEquals(upstream.requests.map(({ start }) => start.split(" ")[1]), ["/", "/", "/a?b=1"]);
  assertEquals(valuesOf(upstream.requests[0]?.lines ?? [], "host"), ["internal.example.com"]);
});

Deno.test("proxy escapes what a specification puts into a target or a location", async () => {
  await using upstream = new Upstream(answering(() => reply("ok")));
  await using world = new ProxyWorld();
  const path = { type: "ReplaceFullPath", value: "/é /x%20y\r\n" } as const;
  const port = await world.serve([
    routeTo(backend, { path: "Prefix:/a", ...filtered({ type: "URLRewrite", rewrite: { path } }) }),
    routeEntry({
      path: "Prefix:/b",
      action: {
        filters: [{ type: "RequestRedirect", redirect: { path, port: 80, statusCode: 302 } }],
      },
    }),
  ], [upstream.endpoint]);
  assertEquals((await exchange(port, "GET /a", "Host: a")).status, 200);
  assertEquals(upstream.requests[0]?.start, "GET /%C3%A9%20/x%20y%0D%0A HTTP/1.1");
  const { lines } = await exchange(port, "GET /b", "Host: a");
  assertEquals(valuesOf(lines, "location"), ["http://a/%C3%A9%20/x%20y%0D%0A"]);
});

Deno.test("proxy redirects without a backend", async () => {
  await using world = new ProxyWorld();
  const port = await world.serve([
    routeEntry({
      action: {
        filters: [{
          type: "RequestRedirect",
          redirect: { scheme: "https", hostname: "b.example.com", statusCode: 301 },
        }],
      },
    }),
  ], []);
  const response = await exchange(port, "GET /a?b=1", "Host: a");
  assertEquals(response.status, 301);
  assertEquals(valuesOf(response.lines, "location"), ["https://b.example.com/a?b=1"]);
  assertEquals(valuesOf(response.lines, "content-length"), ["0"]);
});

Deno.test("proxy splits traffic exactly, and answers invalid shares itself", async () => {
  await using one = new Upstream(answering(() => reply("one")));
  await using two = new Upstream(answering(() => reply("two")));
  const [first, second, empty] = ["one", "two", "empty"].map((name) =>
    clusterName("default", name, 80)
  );
  if (!first || !second || !empty) throw new Error("three clusters");
  await using world = new ProxyWorld();
  const entry = routeEntry({
    action: {
      backends: [
        { weight: 5, cluster: first, filters: [] },
        { weight: 2, cluster: second, filters: [] },
        { weight: 1, cluster: empty, filters: [] },
        { weight: 2, filters: [] },
        { weight: 0, cluster: clusterName("default", "never", 80), filters: [] },
      ],
    },
  });
  const [acknowledgement] = await world.dataPlane.apply(configOf({
    gateways: [gateway("gw", [listener("gw", { port: 0, routes: [entry] })])],
    clusters: [
      cluster(first, [one.endpoint]),
      cluster(second, [two.endpoint]),
      cluster(empty, []),
    ],
  }));
  const port = acknowledgement?.listeners[0]?.boundPort ?? 0;
  const counts = new Map<string, number>();
  for (let round = 0; round < 30; round++) {
    const { status, body } = await exchange(port, "GET /", "Host: a");
    const outcome = status === 200 ? body : String(status);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  assertEquals(Object.fromEntries(counts), { one: 15, two: 6, 500: 6, 503: 3 });
});

Deno.test("proxy answers 500 for a rule that sends nothing anywhere", async () => {
  await using world = new ProxyWorld();
  const zero = { weight: 0, cluster: backend, filters: [] };
  const port = await world.serve([
    routeEntry({ path: "Prefix:/none" }),
    routeEntry({ path: "Prefix:/zero", action: { backends: [zero, zero] } }),
  ], []);
  for (const path of ["/none", "/zero"]) {
    const response = await exchange(port, `GET ${path}`, "Host: a");
    assertEquals([response.status, response.body], [500, "the HTTPRoute rule has no backend\n"]);
  }
});

Deno.test("proxy takes the endpoints of a backend in turn", async () => {
  await using one = new Upstream(answering(() => reply("one")));
  await using two = new Upstream(answering(() => reply("two")));
  await using world = new ProxyWorld();
  const port = await world.serve([routeTo(backend)], [one.endpoint, two.endpoint]);
  const bodies: string[] = [];
  for (let round = 0; round < 4; round++) {
    bodies.push((await exchange(port, "GET /", "Host: a")).body);
  }
  assertEquals(bodies, ["one", "two", "one", "two"]);
});

Deno.test("proxy records requests by gateway and route, without queries", async () => {
  await using upstream = new Upstream(answering(() => reply("hello")));
  const records: unknown[] = [];
  await using world = new ProxyWorld({}, {
    accessLog: ({ durationMs: _, ...record }) => records.push(record),
  });
  const port = await world.serve([routeTo(backend, { path: "Prefix:/a", name: "shop" })], [
    upstream.endpoint,
  ]);
  await exchange(port, "GET /a", "Host: A.example.com");
  await exchange(port, "GET /b", "Host: b");
  while (records.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  const common = { gateway: "default/gw", method: "GET", remoteAddress: "127.0.0.1" };
  assertEquals(records, [
    {
      ...common,
      route: "default/shop",
      host: "a.example.com",
      target: "/a",
      status: 200,
      requestBytes: 0,
      responseBytes: 5,
      endpoint: `127.0.0.1:${upstream.port}`,
      requestId: "request-1",
    },
    {
      ...common,
      route: "",
      host: "b",
      target: "/b",
      status: 404,
      requestBytes: 0,
      responseBytes: 0,
      endpoint: "",
      requestId: "",
    },
  ]);
  const text = world.metrics.render();
  for (
    const line of [
      'weir_proxy_requests_total{gateway="default/gw",route="default/shop",code="2xx"} 1',
      'weir_proxy_requests_total{gateway="default/gw",route="",code="4xx"} 1',
      'weir_proxy_request_seconds_count{gateway="default/gw",route="default/shop"} 1',
      "weir_proxy_requests_in_progress 0",
    ]
  ) assertEquals(text.includes(line), true, line);
});

Deno.test("proxy shows no figures of a route that is gone, and new ones when it is back", async () => {
  await using upstream = new Upstream(answering(() => reply("ok")));
  await using world = new ProxyWorld();
  const [shop, cart] = ["shop", "cart"].map((name) =>
    routeTo(backend, { path: `Prefix:/${name}`, name })
  );
  if (!shop || !cart) fail("two routes");
  const both = [shop, cart];
  const series = (route: string): number | undefined => {
    const line =
      `weir_proxy_requests_total{gateway="default/gw",route="default/${route}",code="2xx"} `;
    const [, count] = world.metrics.render().split(line);
    return count === undefined ? undefined : Number.parseInt(count, 10);
  };
  for (const round of [1, 2]) {
    // The figure may be a turn behind the response.
    const port = await world.serve(both, [upstream.endpoint]);
    await exchange(port, "GET /shop", "Host: a");
    await exchange(port, "GET /cart", "Host: a");
    while (series("cart") !== round) await new Promise((resolve) => setTimeout(resolve, 1));
    assertEquals(series("shop"), 1);
    await world.serve([cart], [upstream.endpoint]);
    assertEquals([series("shop"), series("cart")], [undefined, round]);
    assertEquals(world.metrics.render().includes("default/shop"), false);
  }
});
