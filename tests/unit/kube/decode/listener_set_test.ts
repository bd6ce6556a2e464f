/**
 * ListenerSets at the door: their listeners decode as those of Gateways do, so that both are judged
 * alike.
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { decodeObject } from "../../../../src/kube/decode/decode.ts";
import { listenerSet } from "../../../fakes/gateway_kind_objects.ts";
import { gateway, httpsListener, type Json, listener } from "../../../fakes/gateway_objects.ts";
import { decoded } from "../../../fakes/gateway_world.ts";

const listeners: readonly Json[] = [
  { name: "a", port: 80, protocol: "HTTP" },
  { name: "b", port: 443, protocol: "HTTPS", hostname: "B.Example.com", tls: {} },
  httpsListener("c", ["tls", { name: "other", namespace: "certs" }]),
  listener("d", {
    allowedRoutes: {
      kinds: [{ kind: "HTTPRoute" }],
      namespaces: { from: "Selector", selector: {} },
    },
  }),
];

Deno.test("ListenerSet has the listeners that a Gateway with the same ones has", () => {
  const own = decoded("ListenerSet", listenerSet("s", listeners)).spec.listeners;
  assertEquals(own, decoded("Gateway", gateway("g", listeners)).spec.listeners);
  assertEquals(own[1]?.hostname, "b.example.com");
  assertEquals(own[0]?.allowedRoutes, { kinds: [], namespaces: { from: "Same" } });
});

Deno.test("ListenerSet keeps its parentRef as it stands", () => {
  for (const parentRef of [{ name: "gw" }, { name: "gw", namespace: "a", kind: "K", group: "g" }]) {
    assertEquals(
      decoded("ListenerSet", listenerSet("s", [], { parentRef })).spec.parentRef,
      parentRef,
    );
  }
});

for (
  const [spec, wanted] of [
    [{ parentRef: undefined }, "spec.parentRef"],
    [{ parentRef: { namespace: "a" } }, "spec.parentRef.name"],
    [{ listeners: undefined }, "spec.listeners"],
    [{ listeners: [{ name: "a", protocol: "HTTP" }] }, "spec.listeners[0].port"],
    [{ listeners: [null] }, "spec.listeners[0]: wanted Object"],
  ] as const
) {
  Deno.test(`ListenerSet with ${JSON.stringify(spec)} is refused with "${wanted}"`, () => {
    const result = decodeObject("ListenerSet", listenerSet("s", [], spec));
    assertStringIncludes(result.ok ? "decoded" : result.reason, wanted);
  });
}
