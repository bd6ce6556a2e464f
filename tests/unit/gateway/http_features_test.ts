/**
 * Filters and fields of HTTPRoutes beyond the core: what a data plane has is handed on whole, what it
 * has not is told and never skipped, and nothing that keeps requests out lets them through.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { HttpRouteAction } from "../../../src/dataplane/model.ts";
import type { Feature } from "../../../src/gateway/capabilities.ts";
import {
  backend,
  gateway,
  gatewayClass,
  httpRoute,
  type Json,
  rule,
  service,
} from "../../fakes/gateway_objects.ts";
import { GatewayWorld } from "../../fakes/gateway_world.ts";

/** A world with one rule for `/`, whose data plane has `features`. */
function world(features: readonly Feature[], parts: Json, ...more: readonly Json[]): GatewayWorld {
  const made = new GatewayWorld({}, { features: new Set(features) });
  made.put(
    gatewayClass(),
    gateway("gw"),
    service("web"),
    service("copy"),
    httpRoute("r", { rules: [rule("/", "web", parts), ...more] }),
  );
  return made;
}

function actionOf(made: GatewayWorld): HttpRouteAction {
  const [entry] = made.config("default/gw").listeners[0]?.routes ?? [];
  assert(entry, "the rule must be served");
  return entry.action;
}

function mirror(rest: Json = {}, reference: Json = backend("copy")): Json {
  return { type: "RequestMirror", requestMirror: { backendRef: reference, ...rest } };
}

function cors(rest: Json): Json {
  return { type: "CORS", cors: rest };
}

function auth(rest: Json, reference: Json = backend("copy")): Json {
  return { type: "ExternalAuth", externalAuth: { backendRef: reference, ...rest } };
}

const allMirrors = [
  "HTTPRouteRequestMirror",
  "HTTPRouteRequestMultipleMirrors",
  "HTTPRouteRequestPercentageMirror",
] as const;

interface Case {
  readonly name: string;
  readonly features: readonly Feature[];
  readonly parts: Json;
  /** What the status says of the dropped rule; absent: the rule is served. */
  readonly says?: string;
}

const cases: readonly Case[] = [
  { name: "a mirror", features: ["HTTPRouteRequestMirror"], parts: { filters: [mirror()] } },
  {
    name: "a mirror of all requests, as a percentage",
    features: ["HTTPRouteRequestMirror"],
    parts: { filters: [mirror({ percent: 100 })] },
  },
  {
    name: "a mirror where there are none",
    features: [],
    parts: { filters: [mirror({ percent: 5 })] },
    says: `filter "RequestMirror" is not served by data plane "test"`,
  },
  {
    name: "two mirrors where there is one",
    features: ["HTTPRouteRequestMirror", "HTTPRouteRequestPercentageMirror"],
    parts: { filters: [mirror(), mirror()] },
    says: `more than one filter "RequestMirror"`,
  },
  {
    name: "a part where there is all or nothing",
    features: ["HTTPRouteRequestMirror", "HTTPRouteRequestMultipleMirrors"],
    parts: { filters: [mirror({ fraction: { numerator: 1, denominator: 3 } })] },
    says: "a part of the requests",
  },
  {
    name: "both a percentage and a fraction",
    features: allMirrors,
    parts: { filters: [mirror({ percent: 1, fraction: { numerator: 1 } })] },
    says: "exclude each other",
  },
  {
    name: "more than all requests",
    features: allMirrors,
    parts: { filters: [mirror({ fraction: { numerator: 101 } })] },
    says: "101 of 100",
  },
  {
    name: "a percentage below none",
    features: allMirrors,
    parts: { filters: [mirror({ percent: -1 })] },
    says: "-1 of 100",
  },
  { name: "CORS", features: ["HTTPRouteCORS"], parts: { filters: [cors({})] } },
  {
    name: "CORS where there is none",
    features: allMirrors,
    parts: { filters: [cors({})] },
    says: `"CORS" is not served`,
  },
  { name: "retries", features: ["HTTPRouteRetry"], parts: { retry: { attempts: 2 } } },
  {
    name: "retries where there are none",
    features: [],
    parts: { retry: {} },
    says: `field "retry" is not served`,
  },
  {
    name: "session persistence where there is none",
    features: ["HTTPRouteRetry"],
    parts: { sessionPersistence: {} },
    says: `field "sessionPersistence" is not served`,
  },
  {
    name: "a session name that would write attributes of the cookie",
    features: ["HTTPRouteSessionPersistence"],
    parts: { sessionPersistence: { sessionName: "a; Secure" } },
    says: `"a; Secure"`,
  },
  {
    name: "session persistence by a type of a later version",
    features: ["HTTPRouteSessionPersistence"],
    parts: { sessionPersistence: { type: "Token" } },
    says: "sessionPersistence.type",
  },
];

for (const { name, features, parts, says } of cases) {
  Deno.test(`A rule with ${name} is ${says === undefined ? "served" : "dropped and told"}`, () => {
    const made = world(features, parts);
    assertEquals(made.routeCondition("default/r", "ResolvedRefs"), "True/ResolvedRefs");
    if (says === undefined) {
      assertEquals(made.routeCondition("default/r", "Accepted"), "True/Accepted");
      assertEquals(actionOf(made).backends.length, 1);
    } else {
      assertEquals(made.routeCondition("default/r", "Accepted"), "False/UnsupportedValue");
      assertStringIncludes(made.routeMessage("default/r", "Accepted"), says);
      assertEquals(made.config("default/gw").listeners[0]?.routes, []);
    }
  });
}

Deno.test("A mirror's cluster is in the configuration, or there would be nowhere to copy to", () => {
  const { dataPlane } = world(allMirrors, { filters: [mirror()] }).outputs();
  assertEquals([...dataPlane.clusters.keys()], ["default/copy/80", "default/web/80"]);
});

Deno.test("A mirror that leads nowhere is told and left out, and the request is served", () => {
  const made = world(allMirrors, {
    filters: [mirror({}, backend("gone")), mirror({ percent: 0 }), mirror({ percent: 7 })],
  });
  assertEquals(made.routeCondition("default/r", "ResolvedRefs"), "False/BackendNotFound");
  assertEquals(made.routeCondition("default/r", "Accepted"), "True/Accepted");
  const { filters, backends } = actionOf(made);
  assertEquals<unknown>(filters, [{
    type: "RequestMirror",
    mirror: { cluster: "default/copy/80", numerator: 7, denominator: 100 },
  }]);
  assertEquals(backends.length, 1);
});

Deno.test("A reference of a filter that is not served is resolved all the same", () => {
  const gone = backend("gone");
  for (const filters of [[mirror({}, gone)], [auth({ protocol: "HTTP", http: {} }, gone)]]) {
    for (const parts of [{ filters }, { backendRefs: [backend("web", { filters })] }]) {
      const made = world([], parts);
      assertEquals(made.routeCondition("default/r", "ResolvedRefs"), "False/BackendNotFound");
    }
  }
});

Deno.test("A mirror at a backend reference is served where the data plane has it", () => {
  const parts = { backendRefs: [backend("web", { filters: [mirror()] })] };
  const features: readonly Feature[] = [...allMirrors, "HTTPRouteBackendRequestMirror"];
  const made = world(features, parts);
  assertEquals(actionOf(made).backends[0]?.filters.map(({ type }) => type), ["RequestMirror"]);
  assertEquals(made.outputs().dataPlane.clusters.size, 2);
  assertStringIncludes(
    world(allMirrors, parts).routeMessage("default/r", "Accepted"),
    `filter "RequestMirror" of a backend reference is not served`,
  );
});

Deno.test("CORS gets the API's defaults, and origins as browsers write them", () => {
  const [filter] = actionOf(world(["HTTPRouteCORS"], {
    filters: [cors({
      allowOrigins: ["HTTPS://A.example.com:443", "https://a.example.com", "http://b:443"],
      allowMethods: ["PUT", "*"],
      exposeHeaders: ["x-a", "*"],
    })],
  })).filters;
  assertEquals<unknown>(filter, {
    type: "CORS",
    cors: {
      allowOrigins: ["https://a.example.com", "http://b:443"],
      allowMethods: ["*"],
      allowHeaders: [],
      exposeHeaders: ["x-a", "*"],
      allowCredentials: false,
      maxAgeSeconds: 5,
    },
  });
});

Deno.test("Retries and sessions are handed on with what the route says, and no more", () => {
  const features: readonly Feature[] = ["HTTPRouteRetry", "HTTPRouteSessionPersistence"];
  const { retry, sessionPersistence } = actionOf(world(features, {
    retry: { codes: [503, 500, 503], backoff: "1s" },
    sessionPersistence: { absoluteTimeout: "1m", cookieConfig: { lifetimeType: "Permanent" } },
  }));
  assertEquals(retry, { codes: [500, 503], backoffMs: 1_000 });
  assert(sessionPersistence);
  const { sessionName, ...rest } = sessionPersistence;
  assertEquals(rest, { type: "Cookie", absoluteTimeoutMs: 60_000, isPermanent: true });
  assert(/^weir-session-[0-9a-f]{8}$/.test(sessionName), sessionName);
});

Deno.test("Rules without a session name get names of their own, or they would move each other", () => {
  const made = world(
    ["HTTPRouteSessionPersistence"],
    { sessionPersistence: {} },
    rule("/b", "web", { sessionPersistence: { sessionName: "" } }),
    rule("/c", "web", { sessionPersistence: { type: "Header" } }),
  );
  const names = (made.config("default/gw").listeners[0]?.routes ?? [])
    .map(({ action }) => action.sessionPersistence?.sessionName);
  assertEquals(new Set(names).size, 3);
});

const allAuth = [
  "HTTPRouteExternalAuthHTTP",
  "HTTPRouteExternalAuthGRPC",
  "HTTPRouteExternalAuthForwardBody",
] as const;

Deno.test("External authorisation is handed on in either protocol", () => {
  const http = actionOf(world(allAuth, {
    filters: [auth({
      protocol: "HTTP",
      http: { path: "/check/", allowedHeaders: ["X-B", "x-a", "X-A"] },
      forwardBody: { maxSize: 100 },
    })],
  }));
  assertEquals<unknown>(http.filters, [{
    type: "ExternalAuth",
    auth: {
      protocol: "HTTP",
      cluster: "default/copy/80",
      pathPrefix: "/check",
      requestHeaders: ["x-a", "x-b"],
      responseHeaders: [],
      bodyBytesMax: 100,
    },
  }]);
  const grpc = actionOf(world(allAuth, {
    filters: [auth({ protocol: "GRPC", grpc: { allowedHeaders: ["x-a"] } })],
  }));
  const [filter] = grpc.filters;
  assert(filter?.type === "ExternalAuth");
  assertEquals(filter.auth.protocol, "GRPC");
  assertEquals(filter.auth.requestHeaders, ["x-a"]);
});

const barring: readonly (readonly [name: string, features: readonly Feature[], parts: Json])[] = [
  ["is not there", allAuth, { filters: [auth({ protocol: "HTTP", http: {} }, backend("gone"))] }],
  ["speaks what is not served", ["HTTPRouteExternalAuthGRPC"], {
    filters: [auth({ protocol: "HTTP", http: {} })],
  }],
  ["speaks what nobody knows", allAuth, { filters: [auth({ protocol: "QUIC" })] }],
  ["wants bodies that are not sent", ["HTTPRouteExternalAuthHTTP"], {
    filters: [auth({ protocol: "HTTP", http: {}, forwardBody: { maxSize: 1 } })],
  }],
  ["has a path that leads upwards", allAuth, {
    filters: [auth({ protocol: "HTTP", http: { path: "/a/../b" } })],
  }],
  ["has a path that leads upwards in disguise", allAuth, {
    filters: [auth({ protocol: "HTTP", http: { path: "/a/%2E%2e/b" } })],
  }],
  ["stands at a backend", allAuth, {
    backendRefs: [backend("web", { filters: [auth({ protocol: "HTTP", http: {} })] })],
  }],
  ["stands beside a value that nobody knows", allAuth, {
    filters: [
      auth({ protocol: "HTTP", http: {} }),
      { type: "RequestRedirect", requestRedirect: { statusCode: 399 } },
    ],
  }],
  ["stands at a backend beside a value that nobody knows", allAuth, {
    filters: [{ type: "RequestRedirect", requestRedirect: { statusCode: 399 } }],
    backendRefs: [backend("web", { filters: [auth({ protocol: "HTTP", http: {} })] })],
  }],
];

for (const [name, features, parts] of barring) {
  Deno.test(`Requests are answered 500 when external authorisation ${name}`, () => {
    const made = world(features, { matches: [{ path: { value: "/in" } }], ...parts }, rule("/"));
    const [guarded, open] = made.config("default/gw").listeners[0]?.routes ?? [];
    assertEquals(guarded?.match.path.value, "/in");
    assertEquals(guarded?.action, { filters: [], backends: [] });
    assertEquals(open?.action.backends.length, 1);
    const isTold = made.routeCondition("default/r", "PartiallyInvalid") !== "-" ||
      made.routeCondition("default/r", "ResolvedRefs") !== "True/ResolvedRefs";
    assert(isTold, "the status says why");
  });
}

Deno.test("A backend is spoken to in the protocol of its Service port, or it could not read", () => {
  const made = new GatewayWorld({}, { appProtocols: ["kubernetes.io/h2c"] });
  made.put(
    gatewayClass(),
    gateway("gw"),
    service("h2", { ports: [{ port: 80, appProtocol: "kubernetes.io/h2c" }] }),
    service("own", { ports: [{ port: 80, appProtocol: "HTTPS" }] }),
    httpRoute("r", { rules: [rule("/h2", "h2"), rule("/", "own")] }),
  );
  const { clusters } = made.outputs().dataPlane;
  assertEquals([...clusters.values()].map(({ appProtocol }) => appProtocol), ["h2c", undefined]);
});

const externalNames: readonly (readonly [name: string, isTaken: boolean])[] = [
  ["api.example.com", true],
  ["API.Example.com.", true],
  ["_sip.example.com", true],
  ["web", true],
  ["127.0.0.1", false],
  ["127.1", false],
  ["example.0x7f", false],
  ["::1", false],
  ["localhost", false],
  ["a.localhost.", false],
  ["localhost.localdomain", false],
  ["", false],
  ["a..b", false],
  ["a b", false],
  ["-a.example.com", false],
];

for (const [externalName, isTaken] of externalNames) {
  Deno.test(`A Service of type ExternalName "${externalName}" is ${isTaken ? "" : "not "}taken`, () => {
    const made = new GatewayWorld({}, { features: new Set(["ServiceExternalName"]) });
    const outside = service("web", { type: "ExternalName", externalName });
    made.put(gatewayClass(), gateway("gw"), outside, httpRoute("r"));
    const wanted = isTaken ? "True/ResolvedRefs" : "False/InvalidKind";
    assertEquals(made.routeCondition("default/r", "ResolvedRefs"), wanted);
    const [cluster] = made.outputs().dataPlane.clusters.values();
    assertEquals(cluster?.addressType, isTaken ? "FQDN" : undefined);
  });
}

Deno.test("A Service of type ExternalName is refused unless it is allowed, with the way to allow it", () => {
  const made = new GatewayWorld();
  const outside = service("web", { type: "ExternalName", externalName: "api.example.com" });
  made.put(gatewayClass(), gateway("gw"), outside, httpRoute("r"));
  assertEquals(made.routeCondition("default/r", "ResolvedRefs"), "False/InvalidKind");
  assertStringIncludes(made.routeMessage("default/r", "ResolvedRefs"), "--allow-external-name");
  assertEquals(made.outputs().dataPlane.clusters.size, 0);
});
