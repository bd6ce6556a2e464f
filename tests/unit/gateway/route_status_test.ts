/** Conditions of routes: what users look at first when traffic does not arrive. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  backend,
  endpointSlice,
  gateway,
  gatewayClass,
  httpRoute,
  listener,
  namespace,
  referenceGrant,
  rule,
  service,
} from "../../fakes/gateway_objects.ts";
import type { KubeObject } from "../../../src/kube/object.ts";
import { GatewayWorld } from "../../fakes/gateway_world.ts";

function world(...objects: readonly KubeObject[]): GatewayWorld {
  const made = new GatewayWorld();
  made.put(gatewayClass(), gateway("gw"), service("web"), ...objects);
  return made;
}

Deno.test("A valid route is accepted and resolved, or users could not trust any status", () => {
  const made = world(httpRoute("r"));
  assertEquals(made.routeCondition("default/r", "Accepted"), "True/Accepted");
  assertEquals(made.routeCondition("default/r", "ResolvedRefs"), "True/ResolvedRefs");
  assertEquals(made.routeCondition("default/r", "PartiallyInvalid"), "-");
  assertEquals(made.routeCondition("default/r", "weir.dev/Programmed"), "Unknown/Pending");
});

interface AcceptedCase {
  readonly name: string;
  readonly gateway?: Parameters<typeof gateway>[1];
  readonly route: Parameters<typeof httpRoute>[1];
  readonly namespace?: string;
  readonly wanted: string;
}

const acceptedCases: readonly AcceptedCase[] = [
  {
    name: "names a section that the parent has not",
    route: { parentRefs: [{ name: "gw", sectionName: "other" }] },
    wanted: "False/NoMatchingParent",
  },
  {
    name: "names a port that the parent has not",
    route: { parentRefs: [{ name: "gw", port: 81 }] },
    wanted: "False/NoMatchingParent",
  },
  {
    name: "names a section and a port of different listeners",
    gateway: [listener("a"), listener("b", { port: 81 })],
    route: { parentRefs: [{ name: "gw", sectionName: "a", port: 81 }] },
    wanted: "False/NoMatchingParent",
  },
  {
    name: "names a section and its port",
    gateway: [listener("a"), listener("b", { port: 81 })],
    route: { parentRefs: [{ name: "gw", sectionName: "b", port: 81 }] },
    wanted: "True/Accepted",
  },
  {
    name: "is of a kind that the listener does not take",
    gateway: [listener("a", { allowedRoutes: { kinds: [{ kind: "TLSRoute" }] } })],
    route: {},
    wanted: "False/NotAllowedByListeners",
  },
  {
    name: "meets only a listener of a protocol that is not served",
    gateway: [listener("a", { protocol: "TCP" })],
    route: {},
    wanted: "False/NotAllowedByListeners",
  },
  {
    name: "is in another namespace and the listener takes its own only, which is the default",
    gateway: [listener("a", { allowedRoutes: {} })],
    route: { parentRefs: [{ name: "gw", namespace: "default" }] },
    namespace: "apps",
    wanted: "False/NotAllowedByListeners",
  },
  {
    name: "is in a namespace that the selector selects",
    gateway: [selecting({ matchLabels: { team: "a" } })],
    route: { parentRefs: [{ name: "gw", namespace: "default" }] },
    namespace: "apps",
    wanted: "True/Accepted",
  },
  {
    name: "is in a namespace that the selector does not select",
    gateway: [selecting({ matchExpressions: [{ key: "team", operator: "NotIn", values: ["a"] }] })],
    route: { parentRefs: [{ name: "gw", namespace: "default" }] },
    namespace: "apps",
    wanted: "False/NotAllowedByListeners",
  },
  {
    name: "meets a selector without requirements, which selects all",
    gateway: [selecting({})],
    route: { parentRefs: [{ name: "gw", namespace: "default" }] },
    namespace: "apps",
    wanted: "True/Accepted",
  },
  {
    name: "is in a namespace that nobody knows, so its labels are unknown",
    gateway: [selecting({})],
    route: { parentRefs: [{ name: "gw", namespace: "default" }] },
    namespace: "unknown",
    wanted: "False/NotAllowedByListeners",
  },
  {
    name: "has no hostname that the listener serves",
    gateway: [listener("a", { hostname: "a.example.com" })],
    route: { hostnames: ["b.example.com"] },
    wanted: "False/NoMatchingListenerHostname",
  },
  {
    name: "asks for the bare domain of a wildcard",
    gateway: [listener("a", { hostname: "*.example.com" })],
    route: { hostnames: ["example.com"] },
    wanted: "False/NoMatchingListenerHostname",
  },
  {
    name: "has an IP address as its only hostname",
    route: { hostnames: ["192.0.2.1"] },
    wanted: "False/NoMatchingListenerHostname",
  },
  {
    name: "has several faults: the earlier step of attachment gives the reason",
    gateway: [listener("a", { hostname: "a.example.com", allowedRoutes: {} })],
    route: { parentRefs: [{ name: "gw", namespace: "default" }], hostnames: ["b.example.com"] },
    namespace: "apps",
    wanted: "False/NotAllowedByListeners",
  },
  {
    name: "is taken by one listener of two",
    gateway: [listener("a", { hostname: "a.example.com" }), listener("b", { port: 81 })],
    route: { hostnames: ["b.example.com"] },
    wanted: "True/Accepted",
  },
];

function selecting(selector: Record<string, unknown>) {
  return listener("a", { allowedRoutes: { namespaces: { from: "Selector", selector } } });
}

for (
  const { name, gateway: listeners, route, namespace: place = "default", wanted } of acceptedCases
) {
  Deno.test(`Accepted of a route that ${name} is ${wanted}`, () => {
    const made = world(namespace("apps", { team: "a" }));
    if (listeners) made.put(gateway("gw", listeners));
    made.put(httpRoute("r", route, { namespace: place }));
    assertEquals(made.routeCondition(`${place}/r`, "Accepted"), wanted);
  });
}

Deno.test("Accepted says so when a selector had no labels to look at", () => {
  const made = world(gateway("gw", [selecting({ matchLabels: { team: "a" } })]));
  made.put(
    httpRoute("r", { parentRefs: [{ name: "gw", namespace: "default" }] }, { namespace: "apps" }),
  );
  const refused = `No listener of the parent takes routes from namespace "apps"`;
  const message = () => made.routeMessage("apps/r", "Accepted");
  assertEquals(message(), `${refused}; its labels are not known, so that no selector matches`);
  made.put(namespace("apps", { team: "b" }));
  assertEquals(message(), refused);
  made.put(namespace("apps", { team: "a" }));
  assertEquals(made.routeCondition("apps/r", "Accepted"), "True/Accepted");
});

Deno.test("Accepted speaks of the listeners that the reference names, not of their siblings", () => {
  const made = world(gateway("gw", [
    { ...selecting({ matchLabels: { team: "a" } }), name: "choosy" },
    listener("strict", { port: 81, allowedRoutes: { namespaces: { from: "Same" } } }),
    listener("open", { port: 82, allowedRoutes: { namespaces: { from: "All" } } }),
  ]));
  const reference = { name: "gw", namespace: "default", sectionName: "strict" };
  made.put(httpRoute("r", { parentRefs: [reference] }, { namespace: "apps" }));
  assertEquals(
    made.routeMessage("apps/r", "Accepted"),
    `No listener of the parent with name "strict" takes routes from namespace "apps"`,
  );
});

interface ResolvedCase {
  readonly name: string;
  readonly backend: Record<string, unknown>;
  readonly wanted: string;
  readonly message: RegExp;
}

const resolvedCases: readonly ResolvedCase[] = [
  {
    name: "kind is unknown",
    backend: { group: "example.com", kind: "Bucket", name: "web" },
    wanted: "False/InvalidKind",
    message: /"Bucket\.example\.com"/,
  },
  {
    name: "Service does not exist",
    backend: backend("nobody"),
    wanted: "False/BackendNotFound",
    message: /"default\/nobody"/,
  },
  {
    name: "port is not one of the Service",
    backend: backend("web", { port: 81 }),
    wanted: "False/BackendNotFound",
    message: /no port 81/,
  },
  {
    name: "Service is in another namespace without a grant",
    backend: backend("web", { namespace: "other" }),
    wanted: "False/RefNotPermitted",
    message: /no ReferenceGrant in namespace "other"/,
  },
  {
    name: "Service is an ExternalName",
    backend: backend("external"),
    wanted: "False/InvalidKind",
    message: /ExternalName/,
  },
  {
    name: "Service port is UDP",
    backend: backend("dns", { port: 53 }),
    wanted: "False/UnsupportedProtocol",
    message: /UDP/,
  },
  {
    name: "Service port speaks h2c, which the data plane does not",
    backend: backend("h2c"),
    wanted: "False/UnsupportedProtocol",
    message: /kubernetes\.io\/h2c/,
  },
  {
    name: "Service port has an appProtocol that nobody defined",
    backend: backend("odd"),
    wanted: "True/ResolvedRefs",
    message: /./,
  },
  {
    name: "Service has an annotation of endpoints that cannot be read",
    backend: backend("annotated"),
    wanted: "False/BackendNotFound",
    message: /"weir\.dev\/endpoints": "localhost:1" is not of the form IP:PORT/,
  },
];

for (const { name, backend: reference, wanted, message } of resolvedCases) {
  Deno.test(`ResolvedRefs of a route whose backend's ${name} is ${wanted}`, () => {
    const tcp = { name: "http", port: 80 };
    const made = world(
      service("external", { type: "ExternalName", externalName: "example.com" }),
      service("dns", { ports: [{ port: 53, protocol: "UDP" }] }),
      service("h2c", { ports: [{ ...tcp, appProtocol: "kubernetes.io/h2c" }] }),
      service("odd", { ports: [{ ...tcp, appProtocol: "HTTPS" }] }),
      service("annotated", {}, { annotations: { "weir.dev/endpoints": "localhost:1" } }),
      httpRoute("r", { rules: [{ backendRefs: [reference] }] }),
    );
    assertEquals(made.routeCondition("default/r", "ResolvedRefs"), wanted);
    assertEquals(made.routeCondition("default/r", "Accepted"), "True/Accepted");
    assertMatch(made.routeMessage("default/r", "ResolvedRefs"), message);
  });
}

Deno.test("ResolvedRefs is told also of a route that is not accepted, so that both faults are seen", () => {
  const made = world(httpRoute("r", {
    parentRefs: [{ name: "gw", sectionName: "none" }],
    rules: [rule("/", "nobody")],
  }));
  assertEquals(made.routeCondition("default/r", "Accepted"), "False/NoMatchingParent");
  assertEquals(made.routeCondition("default/r", "ResolvedRefs"), "False/BackendNotFound");
});

Deno.test("A ReferenceGrant allows a backend, and taking it away revokes that", () => {
  const made = world(
    service("web", {}, { namespace: "other" }),
    httpRoute("r", { rules: [{ backendRefs: [backend("web", { namespace: "other" })] }] }),
    referenceGrant("g", { kind: "HTTPRoute", namespace: "default" }, { kind: "Service" }, {
      namespace: "other",
    }),
  );
  assertEquals(made.routeCondition("default/r", "ResolvedRefs"), "True/ResolvedRefs");
  made.delete("ReferenceGrant", "other/g");
  assertEquals(made.routeCondition("default/r", "ResolvedRefs"), "False/RefNotPermitted");
  const [entry] = made.config("default/gw").listeners[0]?.routes ?? [];
  assertEquals(entry?.action.backends, [{ weight: 1, filters: [] }], "its share is answered 500");
});

for (
  const [what, from, to] of [
    ["another namespace", { kind: "HTTPRoute", namespace: "elsewhere" }, { kind: "Service" }],
    ["another kind of referrer", { kind: "Gateway", namespace: "default" }, { kind: "Service" }],
    ["another kind", { kind: "HTTPRoute", namespace: "default" }, { kind: "Secret" }],
    ["another name", { kind: "HTTPRoute", namespace: "default" }, { kind: "Service", name: "no" }],
  ] as const
) {
  Deno.test(`A ReferenceGrant for ${what} allows nothing, or namespaces would not be safe`, () => {
    const made = world(
      service("web", {}, { namespace: "other" }),
      httpRoute("r", { rules: [{ backendRefs: [backend("web", { namespace: "other" })] }] }),
      referenceGrant("g", from, to, { namespace: "other" }),
    );
    assertEquals(made.routeCondition("default/r", "ResolvedRefs"), "False/RefNotPermitted");
  });
}

const unserved: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ["a mirror", {
    filters: [{ type: "RequestMirror", requestMirror: { backendRef: backend("web") } }],
  }, "RequestMirror"],
  ["CORS", { filters: [{ type: "CORS", cors: {} }] }, "CORS"],
  ["an extension", {
    filters: [{ type: "ExtensionRef", extensionRef: { group: "a", kind: "B", name: "c" } }],
  }, "ExtensionRef"],
  ["retries", { retry: { attempts: 2 } }, "retry"],
  ["session persistence", { sessionPersistence: {} }, "sessionPersistence"],
  ["a redirect on a backend", {
    backendRefs: [backend("web", { filters: [{ type: "RequestRedirect", requestRedirect: {} }] })],
  }, "RequestRedirect"],
  ["a path that is not RE2", {
    matches: [{ path: { type: "RegularExpression", value: "/(?=x)" } }],
  }, "at position 1"],
  ["a path type of a later API version", {
    matches: [{ path: { type: "Glob", value: "/*" } }],
  }, "matches[0].path.type: wanted"],
  ["a header that is not RE2", {
    matches: [{ headers: [{ type: "RegularExpression", name: "X-A", value: "a(" }] }],
  }, `header "x-a"`],
];

for (const [what, part, word] of unserved) {
  Deno.test(`A route with ${what} only is refused and says so, never served without it`, () => {
    const made = world(httpRoute("r", { rules: [{ ...rule("/"), ...part }] }));
    assertEquals(made.routeCondition("default/r", "Accepted"), "False/UnsupportedValue");
    assertStringIncludes(made.routeMessage("default/r", "Accepted"), word);
    // What may be a guard keeps its requests out; all other rules are gone.
    const isGuard = what === "an extension";
    assertEquals(
      made.config("default/gw").listeners[0]?.routes.map(({ action }) => action),
      isGuard ? [{ filters: [], backends: [] }] : [],
    );
  });
  Deno.test(`A route with ${what} in one of two rules keeps the other and says so`, () => {
    const made = world(httpRoute("r", { rules: [rule("/good"), { ...rule("/bad"), ...part }] }));
    assertEquals(made.routeCondition("default/r", "Accepted"), "True/Accepted");
    assertEquals(made.routeCondition("default/r", "PartiallyInvalid"), "True/UnsupportedValue");
    const message = made.routeMessage("default/r", "PartiallyInvalid");
    assertMatch(message, /^Dropped Rule spec\.rules\[1\]: /);
    assertStringIncludes(message, word);
    const served = made.config("default/gw").listeners[0]?.routes.filter(({ action }) =>
      action.backends.length > 0
    );
    assertEquals(served?.map(({ ruleIndex }) => ruleIndex), [0]);
  });
}

for (const type of ["ExtensionRef", "ExternalAuth", "OfALaterVersion"]) {
  for (
    const [where, part] of [
      ["of a rule", { filters: [{ type }] }],
      ["of a backend", { backendRefs: [backend("web", { filters: [{ type }] })] }],
    ] as const
  ) {
    Deno.test(`A filter ${type} ${where} bars its requests, or others would serve them unguarded`, () => {
      const made = world(httpRoute("r", { rules: [{ ...rule("/private"), ...part }, rule("/")] }));
      const [guarded, open] = made.config("default/gw").listeners[0]?.routes ?? [];
      assertEquals(guarded?.match.path.value, "/private");
      assertEquals(guarded?.action, { filters: [], backends: [] });
      assertEquals(open?.action.backends.length, 1);
      assertMatch(made.routeMessage("default/r", "PartiallyInvalid"), /answered 500/);
    });
  }
}

Deno.test("A route that is refused keeps out what its guard was for, and is attached nowhere", () => {
  const guarded = { ...rule("/private"), filters: [{ type: "ExtensionRef" }] };
  const made = world(httpRoute("open"), httpRoute("r", { rules: [guarded] }));
  const served = () => made.config("default/gw").listeners[0]?.routes ?? [];
  const attached = () => made.listener("default/gw", "http").attachedRoutes;
  assertEquals(made.routeCondition("default/r", "Accepted"), "False/UnsupportedValue");
  assertMatch(made.routeMessage("default/r", "Accepted"), /answered 500/);
  assertEquals(served().map(({ action }) => action.backends.length), [0, 1]);
  assertEquals(attached(), 1);
  // The same answer of a route that is accepted counts.
  made.put(httpRoute("r", { rules: [{ ...rule("/private"), backendRefs: [] }] }));
  assertEquals([served().length, attached()], [2, 2]);
  made.put(httpRoute("r", { rules: [guarded] }));
  assertEquals([served().length, attached()], [2, 1]);
  made.delete("HTTPRoute", "default/r");
  made.delete("HTTPRoute", "default/open");
  assertEquals([served().length, attached()], [0, 0]);
});

Deno.test("A redirect beside a rewrite is refused as incompatible", () => {
  const filters = [
    { type: "RequestRedirect", requestRedirect: {} },
    { type: "URLRewrite", urlRewrite: {} },
  ];
  const made = world(httpRoute("r", { rules: [{ filters }] }));
  assertEquals(made.routeCondition("default/r", "Accepted"), "False/IncompatibleFilters");
});

Deno.test("A Service without slices is served from its annotation, with slices from these", () => {
  const annotations = { "weir.dev/endpoints": "127.0.0.1:3000, [::1]:3001" };
  const made = world(service("web", {}, { annotations }), httpRoute("r"));
  const endpoints = () => [...made.outputs().dataPlane.clusters.values()][0]?.endpoints;
  assertEquals(endpoints(), [{ address: "127.0.0.1", port: 3000 }, { address: "::1", port: 3001 }]);
  made.put(endpointSlice("s", "web", ["10.0.0.1"]));
  assertEquals(endpoints(), [{ address: "10.0.0.1", port: 8080 }]);
});

Deno.test("A parent that is named twice, once with its default spelled out, is told once", () => {
  const parentRefs = [{ name: "gw" }, { name: "gw", namespace: "default" }];
  const made = world(httpRoute("r", { parentRefs }));
  assertEquals(made.parents("default/r").length, 1, "the API merges the two into one entry");
});
