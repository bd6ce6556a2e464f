/**
 * What a user would lose: the answer to "why has this route no traffic?" before anybody asks, and
 * the trust that a warning is never wrong.
 */

import { assert, assertEquals } from "@std/assert";
import { diagnose } from "../../../../src/gateway/diagnostics/diagnose.ts";
import { diagnosticCodes } from "../../../../src/gateway/diagnostics/diagnostic_codes.ts";
import { findFilterDiagnostics } from "../../../../src/gateway/diagnostics/filter_diagnostics.ts";
import { servedRules } from "../../../../src/gateway/diagnostics/served_rules.ts";
import type { KubeObject } from "../../../../src/kube/object.ts";
import {
  backend,
  endpointSlice,
  gateway,
  gatewayClass,
  httpRoute,
  httpsListener,
  type Json,
  listener,
  rule,
  service,
} from "../../../fakes/gateway_objects.ts";
import { GatewayWorld } from "../../../fakes/gateway_world.ts";
import {
  configOf,
  gateway as proxyGateway,
  listener as proxyListener,
} from "../../../fakes/data_plane_config.ts";
import { routeEntry } from "../../../fakes/route_entries.ts";

const usual: readonly KubeObject[] = [
  gatewayClass(),
  gateway("gw"),
  service("web"),
  endpointSlice("web", "web", ["10.0.0.1"]),
];

const atStart = { nowMs: 0, warningDays: 30 };

/** The diagnostics of `objects` beside the usual ones, each in a line. */
function diagnosticsOf(...objects: readonly KubeObject[]): readonly string[] {
  const features = new Set(["HTTPRouteCORS", "HTTPRouteRequestMirror"] as const);
  const world = new GatewayWorld({}, { features });
  world.put(...usual, ...objects);
  return diagnose(world.inputs, world.outputs(), atStart)
    .map(({ code, kind, namespace, name, part, message }) =>
      `${code} ${kind} ${namespace}/${name}${part === "" ? "" : `, ${part}`}: ${message}`
    );
}

function route(name: string, rules: readonly Json[], spec: Json = {}): KubeObject {
  return httpRoute(name, { parentRefs: [{ name: "gw" }], rules, ...spec });
}

const modifier = (headers: Json): Json => ({
  type: "RequestHeaderModifier",
  requestHeaderModifier: headers,
});

/** A rule with a CORS filter for `methods` of `path`. */
function corsRule(path: string, methods: readonly string[]): Json {
  return rule(path, "web", {
    matches: methods.map((method) => ({ path: { value: path }, method })),
    filters: [{ type: "CORS", cors: { allowOrigins: ["https://a.example.com"] } }],
  });
}

interface Case {
  readonly name: string;
  readonly objects: readonly KubeObject[];
  readonly wanted: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: "nothing about what is as it should be",
    objects: [route("a", [rule("/a"), rule("/b")])],
    wanted: [],
  },
  {
    name: "a route whose every rule an older one takes",
    objects: [
      httpRoute("new", { rules: [rule("/a"), rule("/b/")] }, { created: "2026-02-01T00:00:00Z" }),
      httpRoute("old", { rules: [rule("/b"), rule("/a")] }),
    ],
    wanted: [
      "RouteShadowed HTTPRoute default/new: No rule ever serves: rule 0 of HTTPRoute " +
      "default/old comes first, rule 1 of HTTPRoute default/old comes first",
    ],
  },
  {
    name: "a rule that an earlier one of its own route takes",
    objects: [route("a", [rule("/a"), rule("/b"), rule("/a")])],
    wanted: [
      "RuleShadowed HTTPRoute default/a, rule 2: It never serves: rule 0 of HTTPRoute default/a " +
      "comes first",
    ],
  },
  {
    name: "no rule that serves for one of its hostnames or matches",
    objects: [
      route("a", [rule("/a")], { hostnames: ["a.io"] }),
      route("b", [rule("/a")], { hostnames: ["a.io", "b.io"] }),
      route("c", [rule("/a", "web", {
        matches: [{ path: { value: "/a" } }, { path: { value: "/c" } }],
      })], { hostnames: ["a.io"] }),
    ],
    wanted: [],
  },
  {
    name: "a route behind a listener that takes its hostname",
    objects: [
      gateway("gw", [
        listener("wide", { hostname: "*.io" }),
        listener("exact", { hostname: "a.io" }),
      ]),
      httpRoute("b", { parentRefs: [{ name: "gw", sectionName: "exact" }], rules: [rule("/b")] }),
      httpRoute("a", {
        parentRefs: [{ name: "gw", sectionName: "wide" }],
        hostnames: ["a.io"],
        rules: [rule("/a")],
      }),
    ],
    wanted: [
      'RouteShadowed HTTPRoute default/a: No rule ever serves: listener "exact" takes requests ' +
      "for its hostname",
    ],
  },
  {
    name: "a catch-all behind an expression that matches everything",
    objects: [
      route("a", [rule("/", "web", {
        matches: [{ path: { type: "RegularExpression", value: "/.*" } }],
      })]),
      route("b", [rule("/")]),
    ],
    wanted: [
      "RouteShadowed HTTPRoute default/b: No rule ever serves: rule 0 of HTTPRoute default/a " +
      "comes first",
    ],
  },
  {
    name: "a listener without routes, unless it is refused anyway",
    objects: [
      gateway("gw", [
        listener("http"),
        listener("spare", { port: 81 }),
        listener("odd", { port: 82, protocol: "TCP" }),
      ]),
      httpRoute("a", { parentRefs: [{ name: "gw", sectionName: "http" }], rules: [rule("/a")] }),
    ],
    wanted: [
      "ListenerUnused Gateway default/gw, listener spare: No route is attached to it, its " +
      "requests are answered 404",
    ],
  },
  {
    name: "a hostname that meets no listener, when another one does",
    objects: [
      gateway("gw", [listener("http", { hostname: "*.a.io" })]),
      route("a", [rule("/a")], { hostnames: ["x.a.io", "x.b.io", "*.io"] }),
    ],
    wanted: [
      "HostnameNotServed HTTPRoute default/a, hostname x.b.io: No listener of its parents takes " +
      "this hostname",
    ],
  },
  {
    name: "a backend without endpoints, with who uses it",
    objects: [
      service("empty"),
      route("a", [rule("/a", "empty")]),
      route("b", [rule("/b", "empty")]),
    ],
    wanted: [
      "BackendWithoutEndpoint Service default/empty, port 80: It has no ready endpoint, its share " +
      "is answered 503 (used by HTTPRoute default/a, HTTPRoute default/b)",
    ],
  },
  {
    name: "weights that add up to nothing",
    objects: [
      route("a", [
        rule("/a", "web", { backendRefs: [backend("web", { weight: 0 })] }),
        rule("/b", "web", { backendRefs: [backend("web", { weight: 0 }), backend("web")] }),
      ]),
    ],
    wanted: [
      "WeightSumZero HTTPRoute default/a, rule 0: Every backend has weight 0, its requests are " +
      "answered 500",
    ],
  },
  {
    name: "a mirror and a backend without a ready endpoint, each with what comes of it",
    objects: [
      service("empty"),
      route("a", [rule("/a", "empty")]),
      route("b", [
        rule("/b", "web", {
          filters: [{ type: "RequestMirror", requestMirror: { backendRef: backend("empty") } }],
        }),
      ]),
    ],
    wanted: [
      "BackendWithoutEndpoint Service default/empty, port 80: It has no ready endpoint, copies of " +
      "requests are not sent (used by HTTPRoute default/b), its share is answered 503 (used by " +
      "HTTPRoute default/a)",
    ],
  },
  {
    name: "a CORS filter that no preflight reaches",
    objects: [route("a", [corsRule("/a", ["PUT", "GET"])])],
    wanted: [
      "FilterOrder HTTPRoute default/a, rule 0: CORS answers no preflight: browsers ask with " +
      "OPTIONS, and the rule matches GET, PUT",
    ],
  },
  {
    name: "nothing of a CORS filter whose requests need no preflight, or have one answered",
    objects: [route("a", [corsRule("/a", ["GET", "POST"])])],
    wanted: [],
  },
  {
    name: "nothing of a CORS filter whose preflights another rule answers",
    objects: [route("a", [corsRule("/a", ["PUT"]), corsRule("/a", ["OPTIONS"])])],
    wanted: [],
  },
  {
    name: "filters that have no effect or undo another",
    objects: [
      route("a", [
        rule("/a", "web", {
          filters: [modifier({ set: [{ name: "X", value: "1" }], remove: ["x"] })],
        }),
        rule("/b", "web", {
          backendRefs: [],
          filters: [
            modifier({ set: [{ name: "x", value: "1" }] }),
            { type: "RequestRedirect", requestRedirect: { hostname: "b.io" } },
          ],
        }),
        rule("/c", "web", {
          filters: [modifier({ add: [{ name: "x", value: "1" }] })],
          backendRefs: [backend("web", {
            filters: [modifier({ set: [{ name: "X", value: "2" }] })],
          })],
        }),
        rule("/d", "web", {
          filters: [
            modifier({ set: [{ name: "x", value: "1" }], add: [{ name: "X", value: "2" }] }),
          ],
        }),
      ]),
    ],
    wanted: [
      'FilterOrder HTTPRoute default/a, rule 0: RequestHeaderModifier removes header "x" and ' +
      "then writes it: remove comes first",
      "FilterOrder HTTPRoute default/a, rule 1: RequestHeaderModifier has no effect, because the " +
      "rule redirects",
      "FilterOrder HTTPRoute default/a, rule 2: RequestHeaderModifier of backend default/web/80 " +
      'overrides header "x" of the rule\'s',
      'FilterOrder HTTPRoute default/a, rule 3: RequestHeaderModifier sets header "x" and then ' +
      "adds to it: it has both values",
    ],
  },
];

for (const { name, objects, wanted } of cases) {
  Deno.test(`diagnose() reports ${name}`, () => {
    assertEquals(diagnosticsOf(...objects), wanted);
  });
}

Deno.test("diagnose() gives the same list for objects in any order", () => {
  const objects = cases.flatMap((one) => one.objects.filter(({ kind }) => kind !== "Gateway"));
  const renamed = objects.map((object, index): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, name: `${object.metadata.name}-${index}` },
  }));
  const found = diagnosticsOf(...renamed);
  assert(found.length > 5);
  assertEquals(diagnosticsOf(...renamed.toReversed()), found);
});

Deno.test("findFilterDiagnostics() reports a rewrite of a backend that overrides the rule's", () => {
  const rewrite = (hostname: string) => [{ type: "URLRewrite", rewrite: { hostname } }] as const;
  const entry = routeEntry({
    action: {
      filters: rewrite("one"),
      backends: [{ weight: 1, filters: rewrite("two") }],
    },
  });
  const dataPlane = configOf({
    gateways: [proxyGateway("gw", [proxyListener("gw", { port: 80, routes: [entry] })])],
  });
  assertEquals(findFilterDiagnostics(servedRules(dataPlane)).map(({ message }) => message), [
    "URLRewrite of an invalid backend overrides the hostname of the rule's",
  ]);
});

Deno.test("The table of diagnostics is sorted, as the page shows it", () => {
  assertEquals(diagnosticCodes, diagnosticCodes.toSorted());
  assert(diagnosticCodes.length >= 9);
});

Deno.test("diagnose() says nothing of a Gateway that is not served", () => {
  const world = new GatewayWorld();
  world.put(gateway("gw", [httpsListener("https", ["none"])]), httpRoute("a"));
  assertEquals(diagnose(world.inputs, world.outputs(), atStart), []);
});
