/**
 * What a user would lose: pages that cannot call their own API, or foreign pages that read what a
 * signed-in user sees.
 */

import { assertEquals } from "@std/assert";
import type { CorsPolicy } from "../../src/dataplane/http_filters.ts";
import type { HttpRouteEntry } from "../../src/dataplane/model.ts";
import { loopback } from "../fakes/data_plane_config.ts";
import { backend, ProxyWorld, routeTo } from "../fakes/proxy_world.ts";
import { exchange, type RawResponse, valuesOf } from "../fakes/raw_http.ts";
import { answering, reply, Upstream } from "../fakes/upstream.ts";

const cors: CorsPolicy = {
  allowOrigins: ["https://*.example.com"],
  allowMethods: ["PUT"],
  allowHeaders: ["x-token"],
  exposeHeaders: ["x-quota"],
  allowCredentials: true,
  maxAgeSeconds: 60,
};
const guarded = routeTo(backend, { action: { filters: [{ type: "CORS", cors }] } });
const own = "Origin: https://app.example.com";
const asks = "Access-Control-Request-Method: PUT";

function corsLinesOf({ lines }: RawResponse): string[] {
  return ["origin", "credentials", "methods", "headers"].flatMap((what) =>
    valuesOf(lines, `access-control-allow-${what}`)
  );
}

/** Serves `entry` over a backend that counts, and says so with `lines` of its own. */
async function withBackend(
  entry: HttpRouteEntry,
  lines: readonly string[],
  use: (port: number, requests: () => number) => Promise<void>,
): Promise<void> {
  let requests = 0;
  await using upstream = new Upstream(answering(() => reply(`${++requests}`, ...lines)));
  await using world = new ProxyWorld();
  await use(await world.serve([entry], [upstream.endpoint]), () => requests);
}

Deno.test("proxy answers a preflight itself", async () => {
  await withBackend(guarded, [], async (port, requests) => {
    const allowed = await exchange(port, "OPTIONS /", "Host: a", own, asks);
    assertEquals(allowed.status, 200);
    assertEquals(allowed.body, "");
    assertEquals(corsLinesOf(allowed), ["https://app.example.com", "true", "PUT", "x-token"]);
    assertEquals(valuesOf(allowed.lines, "access-control-max-age"), ["60"]);
    assertEquals(valuesOf(allowed.lines, "vary"), ["Origin"]);
    const foreign = await exchange(port, "OPTIONS /", "Host: a", "Origin: https://evil.org", asks);
    assertEquals(foreign.status, 200);
    assertEquals(corsLinesOf(foreign), []);
    assertEquals(requests(), 0);
  });
});

Deno.test("proxy hands other requests with OPTIONS on", async () => {
  await withBackend(guarded, [], async (port, requests) => {
    assertEquals((await exchange(port, "OPTIONS /", "Host: a", own)).body, "1");
    assertEquals((await exchange(port, "OPTIONS /", "Host: a", asks)).body, "2");
    assertEquals(requests(), 2);
  });
});

Deno.test("proxy hands a preflight on where the rule has no CORS filter", async () => {
  await withBackend(routeTo(backend), [], async (port) => {
    assertEquals((await exchange(port, "OPTIONS /", "Host: a", own, asks)).body, "1");
  });
});

Deno.test("proxy lets pages of allowed origins read answers, whatever the backend says", async () => {
  const lines = [
    "Access-Control-Allow-Origin: *",
    "Access-Control-Allow-Origin: https://evil.org",
    "Vary: Accept",
  ];
  await withBackend(guarded, lines, async (port) => {
    const response = await exchange(port, "GET /", "Host: a", own);
    assertEquals(corsLinesOf(response), ["https://app.example.com", "true"]);
    assertEquals(valuesOf(response.lines, "access-control-expose-headers"), ["x-quota"]);
    assertEquals(valuesOf(response.lines, "vary"), ["Accept,Origin"]);
  });
});

Deno.test("proxy says to caches that answers depend on the origin, also where none is given", async () => {
  await withBackend(guarded, [], async (port) => {
    for (const line of ["Accept: */*", "Origin: https://evil.org"]) {
      const response = await exchange(port, "GET /", "Host: a", line);
      assertEquals(corsLinesOf(response), []);
      assertEquals(valuesOf(response.lines, "vary"), ["Origin"]);
    }
  });
});

Deno.test("proxy lets pages of allowed origins see its own errors and redirects", async () => {
  const redirect = { statusCode: 302, hostname: "b.example.com" };
  const filters = [{ type: "CORS", cors }, { type: "RequestRedirect", redirect }] as const;
  const entries = [
    routeTo(backend, { path: "Prefix:/away", action: { filters, backends: [] } }),
    routeTo(backend, {
      path: "Prefix:/broken",
      action: { filters: [{ type: "CORS", cors }], backends: [] },
    }),
    guarded,
  ];
  await using world = new ProxyWorld();
  const unreachable = await world.serve(entries, loopback(1));
  for (const [path, status] of [["/away", 302], ["/broken", 500], ["/", 503]] as const) {
    const response = await exchange(unreachable, `GET ${path}`, "Host: a", own);
    assertEquals(response.status, status);
    assertEquals(corsLinesOf(response), ["https://app.example.com", "true"]);
  }
});

Deno.test("proxy lets nobody through where it would have to ask somebody else first", async () => {
  const auth = {
    protocol: "HTTP",
    cluster: backend,
    pathPrefix: "",
    requestHeaders: [],
    responseHeaders: [],
    bodyBytesMax: 0,
  } as const;
  const filters = [{ type: "ExternalAuth", auth }] as const;
  const backends = [{ weight: 1, cluster: backend, filters }];
  for (const action of [{ filters }, { backends }]) {
    await withBackend(routeTo(backend, { action }), [], async (port, requests) => {
      assertEquals((await exchange(port, "GET /", "Host: a")).status, 500);
      assertEquals(requests(), 0);
    });
  }
});
