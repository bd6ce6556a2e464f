/**
 * TLSRoutes, TCPRoutes and UDPRoutes at the door, in every served version: an object of an old
 * version is stored as it came, so what only that version takes must be readable.
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { decodeObject } from "../../../../src/kube/decode/decode.ts";
import type { KubeObject } from "../../../../src/kube/object.ts";
import { tcpRoute, tlsRoute, udpRoute } from "../../../fakes/gateway_kind_objects.ts";
import type { Json } from "../../../fakes/gateway_objects.ts";
import { decoded } from "../../../fakes/gateway_world.ts";

const builders: readonly (readonly [
  "TLSRoute" | "TCPRoute" | "UDPRoute",
  (name: string, spec?: Json) => KubeObject,
])[] = [["TLSRoute", tlsRoute], ["TCPRoute", tcpRoute], ["UDPRoute", udpRoute]];

for (const [kind, build] of builders) {
  Deno.test(`${kind} keeps parentRefs as they stand, and backends with the API's defaults`, () => {
    const parentRefs = [{ name: "gw" }, { name: "set", kind: "ListenerSet", sectionName: "a" }];
    const rules = [{ name: "r", backendRefs: [{ name: "a", port: 1 }, { name: "b", weight: 0 }] }];
    const { spec } = decoded(kind, build("r", { parentRefs, rules }));
    assertEquals<unknown>(spec.parentRefs, parentRefs);
    assertEquals<unknown>(spec.rules, [{
      name: "r",
      backendRefs: [
        { group: "", kind: "Service", name: "a", port: 1, weight: 1 },
        { group: "", kind: "Service", name: "b", weight: 0 },
      ],
    }]);
  });

  Deno.test(`${kind} of v1alpha2 with several rules is readable`, () => {
    const rules = Array.from({ length: 16 }, () => ({ backendRefs: [{ name: "a", port: 1 }] }));
    assertEquals(decoded(kind, build("r", { rules })).spec.rules.length, 16);
  });

  for (
    const [spec, wanted] of [
      [{ rules: undefined }, "spec.rules"],
      [{ rules: {} }, "spec.rules: wanted Array"],
      [{ rules: [null] }, "spec.rules[0]: wanted Object"],
      [{ rules: [{ backendRefs: [{ name: 7 }] }] }, "spec.rules[0].backendRefs[0].name"],
      [{ parentRefs: ["gw"] }, "spec.parentRefs[0]: wanted Object"],
    ] as const
  ) {
    Deno.test(`${kind} with ${JSON.stringify(spec)} is refused with "${wanted}"`, () => {
      const result = decodeObject(kind, build("r", spec));
      assertStringIncludes(result.ok ? "decoded" : result.reason, wanted);
    });
  }
}

Deno.test("TLSRoute has its hostnames in lower case; none, as v1alpha2 allows, is every name", () => {
  assertEquals(decoded("TLSRoute", tlsRoute("r", { hostnames: ["*.Ab.com"] })).spec.hostnames, [
    "*.ab.com",
  ]);
  assertEquals(decoded("TLSRoute", tlsRoute("r", { hostnames: undefined })).spec.hostnames, []);
});
