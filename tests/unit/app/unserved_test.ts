// What a user would lose: a misspelt name of a GatewayClass or Gateway would pass `weir check`, and the
// route that it concerns would be served nowhere without a word.

import { assertEquals } from "@std/assert";
import { findUnserved } from "../../../src/app/unserved.ts";
import type { KubeObject } from "../../../src/kube/object.ts";

const ours = "weir.dev/gateway-controller";

function object(kind: string, path: string, spec: Readonly<Record<string, unknown>>): KubeObject {
  const [namespace, name = ""] = kind === "GatewayClass" ? [undefined, path] : path.split("/");
  return {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind,
    metadata: {
      ...(namespace === undefined ? {} : { namespace }),
      name,
      uid: path,
      resourceVersion: "1",
      creationTimestamp: "1970-01-01T00:00:00Z",
    },
    spec,
  };
}

const weir = object("GatewayClass", "weir", { controllerName: ours });
const other = object("GatewayClass", "other", { controllerName: "example.com/other" });
const edge = object("Gateway", "infra/edge", { gatewayClassName: "weir" });

const route = (...parentRefs: readonly Readonly<Record<string, unknown>>[]): KubeObject =>
  object("HTTPRoute", "shop/app", { parentRefs });

function found(objects: readonly KubeObject[], gateways: readonly string[] = []) {
  const list = (kind: string) => ({
    items: objects.filter((item) => item.kind === kind),
    resourceVersion: "1",
  });
  return findUnserved({ list }, { controllerName: ours, gateways })
    .map(({ object, part, message }) => [object, part, message]);
}

Deno.test("findUnserved() tells of a Gateway whose class does not exist", () => {
  const misspelt = object("Gateway", "infra/edge", { gatewayClassName: "wier" });
  assertEquals(found([weir, misspelt]), [[
    "Gateway infra/edge",
    "",
    'Cannot serve the Gateway: there is no GatewayClass "wier", did you mean "weir"?',
  ]]);
});

Deno.test("findUnserved() leaves Gateways of other controllers alone while a class is ours", () => {
  const theirs = object("Gateway", "infra/theirs", { gatewayClassName: "other" });
  assertEquals(found([weir, other, edge, theirs]), []);
  assertEquals(found([other, theirs]), [[
    "Gateway infra/theirs",
    "",
    'Cannot serve the Gateway: the controller of GatewayClass "other" is "example.com/other", ' +
    'wanted "weir.dev/gateway-controller"',
  ]]);
});

Deno.test("findUnserved() tells once of each Gateway that a route names in vain", () => {
  const references = [
    { name: "edge", namespace: "infra" },
    { name: "edeg", namespace: "infra", sectionName: "http" },
    { name: "edeg", namespace: "infra", sectionName: "https" },
    { name: "far", kind: "Gateway" },
  ];
  assertEquals(found([weir, edge, route(...references)]), [
    [
      "HTTPRoute shop/app",
      "parent infra/edeg",
      'Cannot attach the route: there is no Gateway "infra/edeg", did you mean "infra/edge"?',
    ],
    [
      "HTTPRoute shop/app",
      "parent shop/far",
      'Cannot attach the route: there is no Gateway "shop/far"',
    ],
  ]);
});

Deno.test("findUnserved() says nothing of parents of other kinds, and tells of a route without any", () => {
  assertEquals(found([weir, edge, route({ kind: "Service", group: "", name: "app" })]), []);
  assertEquals(found([weir, edge, route()]), [
    ["HTTPRoute shop/app", "", "Cannot attach the route: it names no parent"],
  ]);
});

for (const kind of ["GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute"]) {
  Deno.test(`findUnserved() tells of a ${kind} that names a parent in vain`, () => {
    const set = object("ListenerSet", "infra/more", {
      parentRef: { name: "edge", kind: "Gateway", group: "gateway.networking.k8s.io" },
    });
    const parentRefs = [
      { name: "edge", namespace: "infra" },
      { name: "far" },
      { name: "more", namespace: "infra", kind: "ListenerSet" },
      { name: "mroe", namespace: "infra", kind: "ListenerSet", sectionName: "a" },
      { name: "mroe", namespace: "infra", kind: "ListenerSet", sectionName: "b" },
      { name: "mesh", kind: "Service", group: "" },
      { name: "theirs", group: "example.com" },
    ];
    const title = `${kind} shop/app`;
    assertEquals(found([weir, edge, set, object(kind, "shop/app", { parentRefs })]), [
      [title, "parent shop/far", 'Cannot attach the route: there is no Gateway "shop/far"'],
      [
        title,
        "parent ListenerSet infra/mroe",
        'Cannot attach the route: there is no ListenerSet "infra/mroe", did you mean "infra/more"?',
      ],
    ]);
  });
}

Deno.test("findUnserved() tells of a ListenerSet that names a Gateway in vain", () => {
  const set = (parentRef: Readonly<Record<string, unknown>>) =>
    object("ListenerSet", "shop/more", { parentRef });
  assertEquals(found([weir, edge, set({ name: "edge", namespace: "infra" })]), []);
  assertEquals(found([weir, edge, set({ name: "edge", group: "example.com" })]), []);
  assertEquals(found([weir, edge, set({ name: "edge" })]), [[
    "ListenerSet shop/more",
    "",
    'Cannot join the listeners: there is no Gateway "shop/edge"',
  ]]);
});

Deno.test("findUnserved() tells of a BackendTLSPolicy whose Service does not exist", () => {
  const policy = object("BackendTLSPolicy", "shop/tls", {
    targetRefs: [
      { group: "", kind: "Service", name: "app" },
      { group: "", kind: "Service", name: "apq", sectionName: "a" },
      { group: "", kind: "Service", name: "apq", sectionName: "b" },
      { group: "example.com", kind: "Service", name: "theirs" },
    ],
  });
  assertEquals(found([weir, edge, object("Service", "shop/app", {}), policy]), [[
    "BackendTLSPolicy shop/tls",
    "target shop/apq",
    'Cannot apply the policy: there is no Service "shop/apq", did you mean "shop/app"?',
  ]]);
});

Deno.test("findUnserved() tells of a Gateway that only a setting knows", () => {
  assertEquals(found([weir, edge], ["infra/edge", "infra/egde"]), [
    ["", "", '--gateways: there is no Gateway "infra/egde", did you mean "infra/edge"?'],
  ]);
});
