/**
 * GRPCRoutes at the door. A default that is not the API's sends calls to the wrong backend; a route
 * that is unreadable for one new value takes its other rules out of service.
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { decodeObject, type ObjectOf } from "../../../../src/kube/decode/decode.ts";
import { grpcRoute } from "../../../fakes/gateway_kind_objects.ts";
import type { Json } from "../../../fakes/gateway_objects.ts";
import { decoded } from "../../../fakes/gateway_world.ts";

function route(spec: Json): ObjectOf["GRPCRoute"]["spec"] {
  return decoded("GRPCRoute", grpcRoute("r", spec)).spec;
}

function ruleOf(rule: Json): ObjectOf["GRPCRoute"]["spec"]["rules"][number] | undefined {
  return route({ rules: [rule] }).rules[0];
}

Deno.test("GRPCRoute without rules has none, unlike an HTTPRoute", () => {
  assertEquals(route({ rules: undefined }).rules, []);
});

for (const matches of [undefined, [], [{}]]) {
  Deno.test(`GRPCRoute rule with matches ${JSON.stringify(matches)} matches every call`, () => {
    assertEquals(ruleOf({ matches })?.matches, [{ headers: [] }]);
  });
}

Deno.test("GRPCRoute matches default to exact ones, with names of headers in lower case", () => {
  const matches = [{
    method: { service: "a.B" },
    headers: [
      { name: "X-A", value: "1" },
      { name: "x-a", value: "2" },
      { name: "x-b", value: "^b", type: "RegularExpression" },
    ],
  }, { method: { type: "RegularExpression", method: "G.t" } }];
  assertEquals<unknown>(ruleOf({ matches })?.matches, [{
    method: { type: "Exact", service: "a.B" },
    headers: [
      { type: "Exact", name: "x-a", value: "1" },
      { type: "RegularExpression", name: "x-b", value: "^b" },
    ],
  }, { method: { type: "RegularExpression", method: "G.t" }, headers: [] }]);
});

Deno.test("GRPCRoute backends default to Services with weight 1, hostnames to lower case", () => {
  const { hostnames, rules } = route({ hostnames: ["*.Example.com"] });
  assertEquals(hostnames, ["*.example.com"]);
  assertEquals<unknown>(rules[0]?.backendRefs, [
    { group: "", kind: "Service", name: "web", port: 80, weight: 1, filters: [] },
  ]);
});

Deno.test("GRPCRoute keeps filters with their defaults, and those of later versions by type", () => {
  const filters = [
    { type: "RequestHeaderModifier", requestHeaderModifier: { remove: ["a"] } },
    {
      type: "RequestMirror",
      requestMirror: { backendRef: { name: "m", port: 1 }, fraction: { numerator: 5 } },
    },
    { type: "ExtensionRef", extensionRef: { group: "a", kind: "B", name: "c" } },
    { type: "Later" },
  ];
  assertEquals<unknown>(ruleOf({ filters })?.filters, [
    { type: "RequestHeaderModifier", requestHeaderModifier: { set: [], add: [], remove: ["a"] } },
    {
      type: "RequestMirror",
      requestMirror: {
        backendRef: { group: "", kind: "Service", name: "m", port: 1 },
        fraction: { numerator: 5, denominator: 100 },
      },
    },
    { type: "ExtensionRef" },
    { type: "Later" },
  ]);
});

Deno.test("GRPCRoute keeps that a rule asks for session persistence", () => {
  assertEquals("sessionPersistence" in (ruleOf({ sessionPersistence: {} }) ?? {}), true);
  assertEquals("sessionPersistence" in (ruleOf({}) ?? {}), false);
});

for (
  const [match, field] of [
    [{ method: { type: "Glob", service: "a" } }, "matches[0].method.type"],
    [{ headers: [{ type: "Glob", name: "a", value: "b" }] }, "matches[0].headers[0].type"],
  ] as const
) {
  Deno.test(`GRPCRoute with a value of a later API version in ${field} loses that rule only`, () => {
    const { rules } = route({ rules: [{ name: "odd", matches: [match] }, {}] });
    assertStringIncludes(rules[0]?.unknownValue ?? "", `${field}: wanted`);
    assertEquals([rules[0]?.name, rules[0]?.matches], ["odd", []]);
    assertEquals([rules[1]?.unknownValue, rules[1]?.matches.length], [undefined, 1]);
  });
}

const refused: readonly (readonly [Json, string])[] = [
  [{ rules: [null] }, "spec.rules[0]: wanted Object"],
  [{ rules: ["x"] }, "spec.rules[0]: wanted Object"],
  [{ rules: [{ matches: {} }] }, "spec.rules[0].matches: wanted Array"],
  [{ rules: [{ matches: [{ method: 7 }] }] }, "spec.rules[0].matches[0].method: wanted Object"],
  [{ rules: [{ backendRefs: [{ port: 1 }] }] }, "spec.rules[0].backendRefs[0].name"],
  [{ rules: [{ filters: [{ type: "RequestMirror", requestMirror: {} }] }] }, "backendRef"],
  [{ hostnames: [7] }, "spec.hostnames[0]: wanted string"],
  [{ parentRefs: [{}] }, "spec.parentRefs[0].name"],
];

for (const [spec, wanted] of refused) {
  Deno.test(`GRPCRoute is refused with "${wanted}"`, () => {
    const result = decodeObject("GRPCRoute", grpcRoute("r", spec));
    assertStringIncludes(result.ok ? "decoded" : result.reason, wanted);
  });
}
