/**
 * Matches and actions of a route, each as Envoy has to be told (its traps are measured facts): a user
 * would lose the meaning of a field, or have a whole resource refused.
 */

import { assertEquals } from "@std/assert";
import type { CorsPolicy, HeaderModifier } from "../../../../src/dataplane/http_filters.ts";
import {
  clusterName,
  type HttpFilter,
  type WeightedBackend,
} from "../../../../src/dataplane/model.ts";
import { RegexCache } from "../../../../src/dataplane/regex.ts";
import type { ProtoJson, ProtoObject } from "../../../../src/envoy/codec.ts";
import { referredCluster } from "../../../../src/envoy/translate/cluster_names.ts";
import { httpRoutes } from "../../../../src/envoy/translate/http_route.ts";
import type { RouteContext } from "../../../../src/envoy/translate/route_context.ts";
import { object } from "../../../fakes/envoy_routing.ts";
import { envoyCodec } from "../../../fakes/envoy_translation.ts";
import { type EntryParts, routeEntry, valueMatch } from "../../../fakes/route_entries.ts";

const context: RouteContext = {
  place: { scheme: "http", port: 80 },
  regexes: new RegexCache(),
  clusterNameOf: (cluster) => referredCluster(cluster, undefined),
};

/** The routes of an entry; each is a message that Envoy has. */
function routes(parts: EntryParts, changes: Partial<RouteContext> = {}): ProtoObject[] {
  const found = httpRoutes(routeEntry(parts), { ...context, ...changes });
  for (const route of found) envoyCodec.encode("envoy.config.route.v3.Route", route);
  return found;
}

function backend(service: string, parts: Partial<WeightedBackend> = {}): WeightedBackend {
  return { weight: 1, cluster: clusterName("default", service, 80), filters: [], ...parts };
}

function invalid(weight: number): WeightedBackend {
  return { weight, filters: [] };
}

const one = [backend("a")];

/** The RouteAction of an entry with these filters. */
function action(filters: readonly HttpFilter[], backends = one): ProtoObject {
  return object(routes({ path: "Prefix:/p", action: { filters, backends } })[0]?.route);
}

/** Fields of `message`, absent ones as null. */
function pick(message: ProtoObject | undefined, ...fields: string[]): ProtoJson[] {
  return fields.map((field) => message?.[field] ?? null);
}

Deno.test("paths match by element, whole, or by the whole expression", () => {
  const match = (path: string): ProtoJson | undefined => routes({ path })[0]?.match;
  assertEquals(match("Exact:/a/"), { path: "/a/" });
  assertEquals(match("Prefix:/"), { prefix: "/" });
  assertEquals(match("Prefix:/a"), { pathSeparatedPrefix: "/a" });
  assertEquals(match("Prefix:/a/"), { pathSeparatedPrefix: "/a" });
  assertEquals(match("Regex:/a.*"), { safeRegex: { regex: "/a.*" } });
});

Deno.test("what never matches, and what Envoy would refuse, is left out", () => {
  assertEquals(routes({ path: "Regex:/(" }), []);
  assertEquals(routes({ path: "Prefix:/a?b" }), []);
  assertEquals(routes({ headers: [valueMatch("h~(")] }), []);
  assertEquals(routes({ queryParams: [valueMatch("q~(")] }), []);
  assertEquals(routes({ path: "Prefix:/a//" })[0]?.match, { path: "/a/" });
});

Deno.test("methods, headers and query parameters match by value or expression", () => {
  const [route] = routes({
    method: "POST",
    headers: [valueMatch("x-a=1"), valueMatch("x-b~[12]")],
    queryParams: [valueMatch("q=1"), valueMatch("r~.*")],
  });
  assertEquals(route?.match, {
    prefix: "/",
    headers: [
      { name: ":method", stringMatch: { exact: "POST" } },
      { name: "x-a", stringMatch: { exact: "1" } },
      { name: "x-b", stringMatch: { safeRegex: { regex: "[12]" } } },
    ],
    queryParameters: [
      { name: "q", stringMatch: { exact: "1" } },
      { name: "r", stringMatch: { safeRegex: { regex: ".*" } } },
    ],
  });
});

Deno.test("weights keep their shares, with invalid references answered 500", () => {
  const { weightedClusters, clusterNotFoundResponseCode } = action([], [
    backend("a", { weight: 3 }),
    invalid(1),
    backend("b", { weight: 0 }),
  ]);
  assertEquals(weightedClusters, {
    clusters: [{ name: "default/a/80", weight: 3 }, { name: "weir-invalid", weight: 1 }],
  });
  assertEquals(clusterNotFoundResponseCode, "INTERNAL_SERVER_ERROR");
});

Deno.test("a rule without a backend answers by itself: 500, of a GRPCRoute 503", () => {
  for (const backends of [[], [invalid(1)], [backend("a", { weight: 0 })]]) {
    assertEquals(routes({ action: { backends } })[0]?.directResponse, { status: 500 });
    const grpc = routes({ grpc: {}, action: { backends } });
    assertEquals(grpc[0]?.directResponse, { status: 503 });
  }
  const [grpc] = routes({ grpc: {}, action: { backends: [...one, invalid(1)] } });
  assertEquals(pick(object(grpc?.route), "clusterNotFoundResponseCode"), ["SERVICE_UNAVAILABLE"]);
});

Deno.test("external authorisation that is not known here keeps requests out", () => {
  const auth = {
    protocol: "HTTP",
    cluster: clusterName("default", "auth", 80),
    pathPrefix: "",
    requestHeaders: [],
    responseHeaders: [],
    bodyBytesMax: 0,
  } as const;
  const [route] = routes({
    action: { filters: [{ type: "ExternalAuth", auth }], backends: one },
  });
  assertEquals(pick(route, "directResponse", "route"), [{ status: 500 }, null]);
});

function redirects(redirect: object, place: Partial<RouteContext["place"]> = {}): ProtoObject[] {
  const filters: HttpFilter[] = [{
    type: "RequestRedirect",
    redirect: { statusCode: 302, ...redirect },
  }];
  const at = { place: { scheme: "http", port: 80, ...place } } as const;
  return routes({ path: "Prefix:/p", action: { filters } }, at).map((route) =>
    object(route.redirect)
  );
}

Deno.test("a redirect names the port unless it is the well-known one of its scheme", () => {
  const found = { responseCode: "FOUND" };
  assertEquals(redirects({ hostname: "h", port: 8443, scheme: "https" }), [
    { schemeRedirect: "https", hostRedirect: "h", ...found, portRedirect: 8443 },
  ]);
  assertEquals(redirects({ hostname: "h", scheme: "https" }), [
    { schemeRedirect: "https", hostRedirect: "h", ...found },
  ]);
  assertEquals(redirects({ hostname: "h" }, { port: 8080 }), [
    { hostRedirect: "h", ...found, portRedirect: 8080 },
  ]);
  assertEquals(redirects({ scheme: "https" }, { port: 8080, host: "a.io" }), [
    { schemeRedirect: "https", ...found, hostRedirect: "a.io" },
  ]);
});

Deno.test("where hosts differ, a port in the Host line is replaced by a route of its own", () => {
  const filters: HttpFilter[] = [{
    type: "RequestRedirect",
    redirect: { statusCode: 301, scheme: "https" },
  }];
  const found = routes({ headers: [valueMatch("a=1")], action: { filters } });
  assertEquals(found.map(({ redirect }) => object(redirect).portRedirect), [443, undefined]);
  assertEquals(found.map(({ match }) => JSON.stringify(match).includes(":authority")), [
    true,
    false,
  ]);
  assertEquals(object(found[0]?.redirect).responseCode, "MOVED_PERMANENTLY");
});

function pathChange(
  type: "ReplaceFullPath" | "ReplacePrefixMatch",
  value: string,
  prefix = "/p",
): HttpFilter {
  const path = type === "ReplaceFullPath" ? { type, value } : { type, value, prefix };
  return { type: "URLRewrite", rewrite: { path } };
}

Deno.test("rewrites of a prefix never double or lose a slash", () => {
  const rewrite = (value: string, prefix?: string): ProtoJson[] =>
    pick(
      action([pathChange("ReplacePrefixMatch", value, prefix)]),
      "prefixRewrite",
      "regexRewrite",
    );
  const regex = (pattern: string, substitution: string): ProtoJson[] => [
    null,
    { pattern: { regex: pattern }, substitution },
  ];
  assertEquals(rewrite("/new"), ["/new", null]);
  assertEquals(rewrite("/new/"), ["/new", null]);
  assertEquals(rewrite("new"), ["/new", null]);
  assertEquals(rewrite("/"), regex("^/p/*", "/"));
  assertEquals(rewrite("", "/p.q/"), regex("^/p\\.q/*", "/"));
  assertEquals(rewrite("/new", "/"), regex("^/", "/new/"));
  assertEquals(rewrite("/", "/"), [null, null]);
  assertEquals(rewrite("/p"), [null, null]);
});

Deno.test("rewrites of the whole path take texts for what they are", () => {
  const { regexRewrite } = action([pathChange("ReplaceFullPath", "/a\\1 b")]);
  assertEquals(regexRewrite, { pattern: { regex: "^/.*$" }, substitution: "/a\\\\1%20b" });
});

function header(type: "Request" | "Response", parts: Partial<HeaderModifier>): HttpFilter {
  return { type: `${type}HeaderModifier`, headers: { set: [], add: [], remove: [], ...parts } };
}

Deno.test("header modifiers: set, add, remove, with values as they are", () => {
  const [route] = routes({
    action: {
      filters: [
        header("Request", {
          set: [{ name: "X-Set", value: "100%" }, { name: "Host", value: "inner" }],
          add: [{ name: "X-Add", value: "a\nb" }],
          remove: ["X-Gone", "Connection"],
        }),
        header("Response", { add: [{ name: "Transfer-Encoding", value: "gzip" }] }),
      ],
      backends: one,
    },
  });
  assertEquals(pick(route, "requestHeadersToAdd", "requestHeadersToRemove"), [
    [
      {
        header: { key: "X-Set", value: "100%%" },
        appendAction: "OVERWRITE_IF_EXISTS_OR_ADD",
        keepEmptyValue: true,
      },
      {
        header: { key: "X-Add", value: "a b" },
        appendAction: "APPEND_IF_EXISTS_OR_ADD",
        keepEmptyValue: true,
      },
    ],
    ["x-gone"],
  ]);
  assertEquals(pick(route, "responseHeadersToAdd"), [null]);
  assertEquals(pick(object(route?.route), "hostRewriteLiteral"), ["inner"]);
});

Deno.test("filters of backends come after the rule's, in one place, whatever Envoy's order is", () => {
  const rule = [
    header("Request", {
      set: [{ name: "a", value: "rule" }],
      add: [{ name: "b", value: "rule" }],
    }),
  ];
  const own = [
    header("Request", { set: [{ name: "a", value: "own" }], remove: ["B"] }),
  ];
  const [route] = routes({
    action: { filters: rule, backends: [backend("x", { filters: own }), backend("y")] },
  });
  assertEquals(pick(route, "requestHeadersToAdd"), [null]);
  const { clusters } = object(object(route?.route).weightedClusters);
  const texts = (Array.isArray(clusters) ? clusters : []).map((share) =>
    `${
      (share.requestHeadersToAdd ?? []).map((line: { header: { key: string; value: string } }) =>
        `${line.header.key}=${line.header.value}`
      )
    } -${share.requestHeadersToRemove ?? ""}`
  );
  assertEquals(texts, ["a=rule,a=own -b", "a=rule,b=rule -"]);
});

Deno.test("mirrors: all, or the nearest fraction that Envoy can say", () => {
  const mirror = (numerator: number, denominator: number): ProtoJson => {
    const cluster = clusterName("default", "copy", 80);
    const filter: HttpFilter = {
      type: "RequestMirror",
      mirror: { cluster, numerator, denominator },
    };
    const policies = action([filter]).requestMirrorPolicies;
    const [policy] = Array.isArray(policies) ? policies : [];
    assertEquals(policy.disableShadowHostSuffixAppend, true);
    return policy.runtimeFraction?.defaultValue ?? null;
  };
  assertEquals(mirror(100, 100), null);
  assertEquals(mirror(1, 2), { numerator: 50, denominator: "HUNDRED" });
  assertEquals(mirror(1, 1_000), { numerator: 10, denominator: "TEN_THOUSAND" });
  assertEquals(mirror(1, 3), { numerator: 333_333, denominator: "MILLION" });
});

Deno.test("timeouts: none unless asked for, one for each try, idle streams live as long", () => {
  const timed = (parts: object): ProtoObject =>
    object(routes({ action: { backends: one, ...parts } })[0]?.route);
  assertEquals(pick(timed({}), "timeout", "idleTimeout"), ["0s", null]);
  assertEquals(pick(timed({ requestTimeoutMs: 0 }), "timeout"), ["0s"]);
  assertEquals(pick(timed({ requestTimeoutMs: 1_500 }), "timeout", "idleTimeout"), ["1.5s", null]);
  assertEquals(pick(timed({ requestTimeoutMs: 600_000 }), "idleTimeout"), ["600s"]);
  const { retryPolicy } = timed({ backendRequestTimeoutMs: 250 });
  assertEquals(object(retryPolicy).perTryTimeout, "0.25s");
});

Deno.test("retries: statuses, tries, waits; a limit for one try is retried only when asked for", () => {
  const retries = (parts: object): ProtoJson[] => {
    const [route] = routes({ action: { backends: one, ...parts } });
    const policy = object(object(route?.route).retryPolicy);
    return pick(policy, "retryOn", "numRetries", "retriableStatusCodes", "retryBackOff");
  };
  const unsent = "connect-failure,refused-stream,reset-before-request";
  assertEquals(retries({}), [unsent, 3, null, null]);
  assertEquals(retries({ backendRequestTimeoutMs: 5 }), [unsent, 3, null, null]);
  assertEquals(retries({ retry: { codes: [], attempts: 0 } }), [unsent, 0, null, null]);
  assertEquals(
    retries({
      backendRequestTimeoutMs: 5,
      retry: { codes: [500, 503], attempts: 2, backoffMs: 100 },
    }),
    [`retriable-status-codes,${unsent},reset`, 2, [500, 503], { baseInterval: "0.1s" }],
  );
});

Deno.test("sessions: a cookie that lasts as long as it is said to, or a header", () => {
  const session = (parts: object): ProtoObject => {
    const sessionPersistence = {
      type: "Cookie",
      sessionName: "s",
      isPermanent: false,
      ...parts,
    } as const;
    const [route] = routes({ action: { backends: one, sessionPersistence } });
    const configs = object(route?.typedPerFilterConfig);
    const { statefulSession } = object(configs["envoy.filters.http.stateful_session"]);
    return object(object(statefulSession).sessionState);
  };
  const cookie = (parts: object): ProtoJson | undefined =>
    object(session(parts).typedConfig).cookie;
  const attributes = [{ name: "SameSite", value: "Strict" }];
  assertEquals(cookie({ absoluteTimeoutMs: 1_000 }), { name: "s", path: "/", attributes });
  assertEquals(cookie({ absoluteTimeoutMs: 1_000, isPermanent: true }), {
    name: "s",
    path: "/",
    ttl: "1s",
    attributes,
  });
  assertEquals(session({ type: "Header" }).name, "envoy.http.stateful_session.header");
});

Deno.test("CORS: origins by text or expression, stars as browsers understand them", () => {
  const policy: CorsPolicy = {
    allowOrigins: ["https://a.io", "https://*.b.io", "*"],
    allowMethods: ["PUT", "DELETE"],
    allowHeaders: ["*"],
    exposeHeaders: ["*", "x-a"],
    allowCredentials: true,
    maxAgeSeconds: 5,
  };
  const [route] = routes({ action: { filters: [{ type: "CORS", cors: policy }], backends: one } });
  assertEquals(object(route?.typedPerFilterConfig)["envoy.filters.http.cors"], {
    "@type": "type.googleapis.com/envoy.extensions.filters.http.cors.v3.CorsPolicy",
    allowOriginStringMatch: [
      { exact: "https://a.io", ignoreCase: true },
      { safeRegex: { regex: "(?i:https://[-a-z0-9_.]+\\.b\\.io)" } },
      { safeRegex: { regex: ".*" } },
    ],
    allowMethods: "PUT, DELETE",
    allowHeaders: "*",
    exposeHeaders: "x-a",
    maxAge: "5",
    allowCredentials: true,
    forwardNotMatchingPreflights: false,
  });
});
