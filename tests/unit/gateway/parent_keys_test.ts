/** Names of parents: a route that is taken for a member of the wrong parent is served to strangers. */

import { assertEquals } from "@std/assert";
import type { ParentReference } from "../../../src/kube/decode/parent_reference.ts";
import {
  defaultGateways,
  gatewayOfSet,
  gatewayParent,
  parentKeysOf,
  parentOf,
  parentOfOrigin,
  parseParentKey,
  setParent,
} from "../../../src/gateway/parent_keys.ts";
import { parseRouteId, routeId } from "../../../src/gateway/route_kinds.ts";
import {
  parseServicePort,
  servicePortName,
} from "../../../src/gateway/compute/service_port_name.ts";
import { objectKey } from "../../../src/kube/object.ts";
import { toKey } from "../../fakes/gateway_world.ts";

const key = toKey("default/gw");

Deno.test("A Gateway and a ListenerSet of one name are two parents, and each can be read back", () => {
  assertEquals(parseParentKey(gatewayParent(key)), { kind: "Gateway", key });
  assertEquals(parseParentKey(setParent(key)), { kind: "ListenerSet", key });
});

Deno.test("parentOf() goes by group and kind and their defaults, and by the namespace of who refers", () => {
  const gateway: ParentReference = { name: "gw" };
  assertEquals(parentOf(gateway, "default"), gatewayParent(key));
  assertEquals(parentOf({ ...gateway, namespace: "default" }, "apps"), gatewayParent(key));
  assertEquals(parentOf(gateway, "apps"), gatewayParent(toKey("apps/gw")));
  assertEquals(parentOf({ ...gateway, kind: "ListenerSet" }, "default"), setParent(key));
  const group = "gateway.networking.k8s.io";
  assertEquals(parentOf({ ...gateway, group, kind: "Gateway" }, "default"), gatewayParent(key));
  assertEquals(parentOf({ ...gateway, kind: "Service" }, "default"), undefined);
  assertEquals(parentOf({ ...gateway, group: "" }, "default"), undefined);
  assertEquals(parentOf({ ...gateway, group: "other.example" }, "default"), undefined);
});

function parentsOf(
  parentRefs: readonly ParentReference[],
  useDefaultGateways?: string,
): readonly string[] {
  const spec = useDefaultGateways === undefined
    ? { parentRefs }
    : { parentRefs, useDefaultGateways };
  return parentKeysOf({ metadata: { namespace: "default" }, spec });
}

Deno.test("parentKeysOf() names each parent once, in the order of the spec, and no other kind", () => {
  const set = { name: "gw", kind: "ListenerSet" };
  assertEquals(parentsOf([]), []);
  assertEquals(parentsOf([{ name: "mesh", group: "", kind: "Service" }]), []);
  assertEquals(
    parentsOf([
      { name: "gw", sectionName: "a" },
      set,
      { name: "gw", namespace: "default", sectionName: "b" },
      { name: "mesh", group: "", kind: "Service" },
    ]),
    [gatewayParent(key), setParent(key)],
  );
});

Deno.test("parentKeysOf() names the default Gateways when the route uses them", () => {
  assertEquals(parentsOf([], "All"), [defaultGateways]);
  assertEquals(parentsOf([{ name: "gw" }], "All"), [gatewayParent(key), defaultGateways]);
  assertEquals(parentsOf([{ name: "gw" }], "None"), [gatewayParent(key)]);
});

Deno.test("gatewayOfSet() is a Gateway or nothing: sets do not stand on sets", () => {
  const of = (parentRef: ParentReference): unknown =>
    gatewayOfSet({ metadata: { namespace: "default" }, spec: { parentRef } });
  assertEquals(of({ name: "gw" }), key);
  assertEquals(of({ name: "gw", namespace: "apps" }), toKey("apps/gw"));
  assertEquals(of({ name: "gw", kind: "ListenerSet" }), undefined);
  assertEquals(of({ name: "gw", kind: "Service", group: "" }), undefined);
});

Deno.test("parentOfOrigin() is the parent whose spec a listener stands in", () => {
  const origin = { namespace: "default", name: "gw" };
  assertEquals(parentOfOrigin({ kind: "Gateway", ...origin }), gatewayParent(key));
  assertEquals(parentOfOrigin({ kind: "ListenerSet", ...origin }), setParent(key));
});

Deno.test("Ids of routes and names of Service ports can be read back, whatever they are made of", () => {
  assertEquals(parseRouteId(routeId("GRPCRoute", key)), { kind: "GRPCRoute", key });
  for (const name of ["web", "a/b/80", "", "80"]) {
    const service = objectKey("default", name);
    assertEquals(parseServicePort(servicePortName(service, 8080)), { service, port: 8080 });
  }
});
