/**
 * Which entries an instance of few Gateways answers for. One that it takes for a sibling's is written
 * beside itself again and again, until the list is full; one that it takes for its own is torn from
 * the sibling.
 */

import { assertEquals } from "@std/assert";
import { isUnanswered, ownedParents } from "../../../src/app/answered_parents.ts";
import type { ParentIdentity } from "../../../src/kube/entry_merge.ts";
import type { Kind } from "../../../src/kube/kinds.ts";
import { keyOf, type KubeObject } from "../../../src/kube/object.ts";
import { listenerSet } from "../../fakes/gateway_kind_objects.ts";
import { gateway, gatewayClass } from "../../fakes/gateway_objects.ts";

function clusterOf(...objects: readonly KubeObject[]) {
  return {
    get: (kind: string, key: string) =>
      objects.find((object) => object.kind === kind && keyOf(object) === key),
  };
}

/** A world with these objects, all of which could be read. */
function worldOf(objects: ReturnType<typeof clusterOf>) {
  return { objects: { ...objects, list: () => ({ items: [] }) }, wasRead: () => true };
}

const setAt = (name: string, kind = "Gateway") =>
  listenerSet(`at-${name}`, undefined, { parentRef: { name, kind } });
const cluster = clusterOf(
  gatewayClass(),
  gateway("gw"),
  gateway("other"),
  gateway("classless", undefined, { gatewayClassName: "gone" }),
  setAt("gw"),
  setAt("other"),
  setAt("gone"),
  setAt("mesh", "Service"),
);

function parent(kind: string, name: string, group = "gateway.networking.k8s.io"): ParentIdentity {
  return { group, kind, namespace: "default", name, sectionName: "", port: 0 };
}

Deno.test("ownedParents() is everything without a choice of Gateways", () => {
  assertEquals(
    ownedParents(worldOf(cluster), { gateways: [], namespaces: [] })(
      parent("ListenerSet", "at-other"),
    ),
    true,
  );
});

for (
  const [kind, name, isOwned] of [
    ["Gateway", "gw", true],
    ["Gateway", "other", false],
    ["ListenerSet", "at-gw", true],
    ["ListenerSet", "at-other", false],
    ["ListenerSet", "at-gone", true],
    ["ListenerSet", "at-mesh", true],
    ["ListenerSet", "nobody", true],
    ["ListenerSet", "gw", true],
  ] as const
) {
  Deno.test(`ownedParents() of an instance for "gw" ${isOwned ? "has" : "leaves"} ${kind} "${name}"`, () => {
    const owns = ownedParents(worldOf(cluster), { gateways: ["default/gw"], namespaces: [] });
    assertEquals(owns(parent(kind, name)), isOwned);
  });
}

Deno.test("ownedParents() leaves parents in namespaces that are not read", () => {
  const owns = ownedParents(worldOf(cluster), { gateways: [], namespaces: ["default"] });
  assertEquals(owns(parent("Gateway", "gw")), true);
  assertEquals(owns({ ...parent("Gateway", "gw"), namespace: "elsewhere" }), false);
});

Deno.test("ownedParents() leaves what could not be read since the process began", () => {
  const wasRead = (kind: Kind): boolean => kind !== "ListenerSet";
  const owns = ownedParents({ ...worldOf(cluster), wasRead }, { gateways: [], namespaces: [] });
  assertEquals(owns(parent("ListenerSet", "gone")), false);
  assertEquals(owns(parent("ListenerSet", "gone", "example.com")), true);
  assertEquals(owns(parent("Gateway", "gone")), true);
});

Deno.test("isUnanswered() is what lost its class or Gateway, not what somebody else may know", () => {
  const unanswered = (object: KubeObject): boolean =>
    isUnanswered(
      { objects: { ...cluster, list: () => ({ items: [] }) }, knowsAbsence: () => true },
      object,
    );
  assertEquals(unanswered(gateway("gw")), false);
  assertEquals(unanswered(gateway("classless", undefined, { gatewayClassName: "gone" })), true);
  assertEquals(unanswered(setAt("gw")), false);
  assertEquals(unanswered(setAt("gone")), true);
  assertEquals(unanswered(setAt("classless")), true);
  assertEquals(unanswered(setAt("mesh", "Service")), false);
});

Deno.test("isUnanswered() is nothing while what an object names cannot be read", () => {
  const classless = gateway("classless", undefined, { gatewayClassName: "gone" });
  const knowing = (kinds: readonly Kind[]) => ({
    objects: { ...cluster, list: () => ({ items: [] }) },
    knowsAbsence: (kind: Kind) => kinds.includes(kind),
  });
  assertEquals(isUnanswered(knowing(["GatewayClass"]), classless), true);
  assertEquals(isUnanswered(knowing(["Gateway"]), classless), false);
  assertEquals(isUnanswered(knowing(["GatewayClass", "Gateway"]), setAt("gone")), true);
  assertEquals(isUnanswered(knowing(["GatewayClass"]), setAt("gone")), false);
});
