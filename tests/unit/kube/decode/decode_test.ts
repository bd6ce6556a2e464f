/**
 * The door for every object: what is let through is trusted everywhere, so a wrong shape must be
 * refused here with its field, and defaults must be those of the API.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { decodeObject, type ObjectOf } from "../../../../src/kube/decode/decode.ts";
import { type Kind, kindNames } from "../../../../src/kube/kinds.ts";
import type { KubeObject } from "../../../../src/kube/object.ts";
import {
  backendTLSPolicy,
  configMap,
  grpcRoute,
  listenerSet,
  tcpRoute,
  tlsRoute,
  udpRoute,
} from "../../../fakes/gateway_kind_objects.ts";
import {
  endpointSlice,
  gateway,
  gatewayClass,
  httpRoute,
  type Json,
  namespace,
  object,
  referenceGrant,
  service,
} from "../../../fakes/gateway_objects.ts";
import { decoded } from "../../../fakes/gateway_world.ts";

function reasonOf(kind: Kind, input: KubeObject): string {
  const result = decodeObject(kind, input);
  return result.ok ? "decoded" : result.reason;
}

const refused: readonly (readonly [Kind, KubeObject, string])[] = [
  ["Gateway", gateway("g", [{ name: "a", protocol: "HTTP" }]), "spec.listeners[0].port"],
  ["Gateway", object("v1", "Gateway", "g", {}, {}), "spec"],
  ["GatewayClass", gatewayClass("c", { controllerName: 1 }), "spec.controllerName: wanted string"],
  ["HTTPRoute", httpRoute("r", { rules: ["none"] }), "spec.rules[0]: wanted Object"],
  ["HTTPRoute", httpRoute("r", { rules: [null] }), "spec.rules[0]: wanted Object"],
  ["HTTPRoute", httpRoute("r", { rules: [{ timeouts: { request: "soon" } }] }), "10s or 1m30s"],
  [
    "HTTPRoute",
    httpRoute("r", { rules: [{ backendRefs: [{ port: 80 }] }] }),
    "spec.rules[0].backendRefs[0].name",
  ],
  ["Service", service("s", { ports: [{ port: "80" }] }), "spec.ports[0].port: wanted number"],
  ["EndpointSlice", endpointSlice("e", "s", [], { addressType: 4 }), "addressType"],
];

for (const [kind, input, wanted] of refused) {
  Deno.test(`decodeObject() says "${wanted}" of a ${kind}`, () => {
    const reason = reasonOf(kind, input);
    assertStringIncludes(reason, wanted);
  });
}

Deno.test("decodeObject() never repeats a value, which could be a secret", () => {
  const secret = object("v1", "Secret", "s", {}, { type: 7, data: "hunter2" });
  const reason = reasonOf("Secret", secret);
  assert(!reason.includes("hunter2") && !reason.includes("7"), reason);
});

for (
  const [what, data] of [
    ["missing", {}],
    ["no text", { "tls.crt": 7 }],
    ["no base64", { "tls.crt": "-----BEGIN" }],
    ["white space without end", { "tls.crt": `${" ".repeat(1_400_000)}!` }],
    ["longer than a Secret can be", { "tls.crt": "A".repeat(1_500_001) }],
  ] as const
) {
  Deno.test(`Secret whose certificate is ${what} is kept with the reason, in no time`, () => {
    const secret = decoded(
      "Secret",
      object("v1", "Secret", "s", {}, {
        type: "kubernetes.io/tls",
        data: { "tls.key": "QQ==", ...data },
      }),
    );
    assertEquals(secret.tls, { invalid: `its "tls.crt" is missing or not base64` });
  });
}

/** One of every kind: a new kind does not compile until it is here. */
const spare: { readonly [K in Kind]: KubeObject } = {
  GatewayClass: gatewayClass(),
  Gateway: gateway("g"),
  HTTPRoute: httpRoute("r"),
  GRPCRoute: grpcRoute("r"),
  TLSRoute: tlsRoute("r"),
  TCPRoute: tcpRoute("r"),
  UDPRoute: udpRoute("r"),
  ListenerSet: listenerSet("s"),
  BackendTLSPolicy: backendTLSPolicy("p"),
  ReferenceGrant: referenceGrant("g", { kind: "A", namespace: "b" }, { kind: "C" }),
  Namespace: namespace("n"),
  Service: service("s"),
  EndpointSlice: endpointSlice("e", "s", ["10.0.0.1"]),
  Secret: object("v1", "Secret", "s", {}, { data: {} }),
  ConfigMap: configMap("c", {}),
};

for (const kind of kindNames) {
  const input = spare[kind];
  Deno.test(`decodeObject() keeps nothing of a ${kind} that nobody reads`, () => {
    const noisy = {
      ...input,
      metadata: { ...input.metadata, managedFields: [{ manager: "x" }], annotations: { a: "b" } },
      status: { conditions: [] },
    };
    const text = JSON.stringify(decoded(kind, noisy));
    for (const word of ["managedFields", "resourceVersion", "status", `"a":"b"`]) {
      assert(!text.includes(word), `${word} in ${text}`);
    }
  });
}

function route(spec: Json): ObjectOf["HTTPRoute"]["spec"] {
  return decoded("HTTPRoute", httpRoute("r", spec)).spec;
}

Deno.test("HTTPRoute without rules has the API's one rule for every path", () => {
  const { rules } = decoded(
    "HTTPRoute",
    object("gateway.networking.k8s.io/v1", "HTTPRoute", "r", {}, { spec: {} }),
  ).spec;
  assertEquals(rules.map(({ matches }) => matches), [
    [{ path: { type: "PathPrefix", value: "/" }, headers: [], queryParams: [] }],
  ]);
});

Deno.test("HTTPRoute keeps parentRefs exactly as they stand, because the status repeats them", () => {
  const parentRefs = [{ name: "a" }, { name: "b", kind: "Gateway", sectionName: "s", port: 1 }];
  assertEquals<unknown>(route({ parentRefs }).parentRefs, parentRefs);
});

Deno.test("HTTPRoute backends default to Services with weight 1, hostnames to lower case", () => {
  const { rules, hostnames } = route({
    hostnames: ["A.Example.com"],
    rules: [{ backendRefs: [{ name: "web", port: 80 }] }],
  });
  assertEquals(hostnames, ["a.example.com"]);
  assertEquals<unknown>(rules[0]?.backendRefs, [
    { group: "", kind: "Service", name: "web", port: 80, weight: 1, filters: [] },
  ]);
});

const unknownValues: readonly (readonly [Json, string])[] = [
  [{ matches: [{ path: { type: "Glob", value: "/" } }] }, "matches[0].path.type"],
  [{ matches: [{ method: "PURGE" }] }, "matches[0].method"],
  [{ matches: [{ headers: [{ type: "Glob", name: "a", value: "b" }] }] }, "headers[0].type"],
  [
    { filters: [{ type: "RequestRedirect", requestRedirect: { statusCode: 399 } }] },
    "filters[0].requestRedirect.statusCode",
  ],
  [
    { filters: [{ type: "URLRewrite", urlRewrite: { path: { type: "ReplaceRegex" } } }] },
    "filters[0].urlRewrite.path.type",
  ],
];

for (const [rule, field] of unknownValues) {
  Deno.test(`HTTPRoute with a value of a later API version in ${field} loses that rule only`, () => {
    const { rules } = route({ rules: [{ name: "odd", ...rule }, {}] });
    assertStringIncludes(rules[0]?.unknownValue ?? "", `${field}: wanted`);
    assertEquals(rules[0]?.name, "odd");
    assertEquals(rules[1]?.unknownValue, undefined);
    assertEquals(rules[1]?.matches.length, 1);
  });
}

for (
  const [text, ms] of [["0s", 0], ["500ms", 500], ["1m30s", 90_000], [
    "1h2m3s4ms",
    3_723_004,
  ]] as const
) {
  Deno.test(`HTTPRoute timeout ${text} is ${ms} ms`, () => {
    assertEquals(route({ rules: [{ timeouts: { request: text } }] }).rules[0]?.timeouts, {
      request: ms,
    });
  });
}

for (const text of ["", "1", "s", "1.5s", "-1s", "1d", "123456s", "1h1h1h1h1h"]) {
  Deno.test(`HTTPRoute timeout "${text}" is refused, as the API does`, () => {
    assertStringIncludes(
      reasonOf("HTTPRoute", httpRoute("r", { rules: [{ timeouts: { request: text } }] })),
      "spec.rules[0].timeouts.request",
    );
  });
}

for (
  const [text, wanted] of [
    ["127.0.0.1:3000", { endpoints: [{ address: "127.0.0.1", port: 3000 }] }],
    ["", { endpoints: [] }],
    ["127.0.0.1", { invalid: `"127.0.0.1" is not of the form IP:PORT` }],
    ["127.0.0.1:1,web:2", { invalid: `"web:2" is not of the form IP:PORT` }],
    ["127.0.0.1:1,".repeat(1001), { invalid: "more than 1000 endpoints" }],
  ] as const
) {
  Deno.test(`Service annotation "${text.slice(0, 40)}" is ${JSON.stringify(wanted)}`, () => {
    const annotations = { "weir.dev/endpoints": text };
    assertEquals<unknown>(
      decoded("Service", service("s", {}, { annotations })).annotatedEndpoints,
      wanted,
    );
  });
}
