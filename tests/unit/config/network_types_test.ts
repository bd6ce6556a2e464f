// What a user would lose: addresses and names that are checked before anything listens or is served.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { createHostPolicy } from "../../../src/auth/host_guard.ts";
import {
  controllerNameType,
  hostPatternType,
  hostPortType,
  objectNameType,
} from "../../../src/config/network_types.ts";
import type { ValueType } from "../../../src/config/value_type.ts";

const good: readonly [
  type: ValueType<unknown>,
  text: string,
  value: unknown,
  canonical?: string,
][] = [
  [hostPortType, "127.0.0.1:9080", { host: "127.0.0.1", port: 9080 }],
  [hostPortType, "localhost:0", { host: "localhost", port: 0 }],
  [hostPortType, "[::1]:65535", { host: "::1", port: 65535 }],
  [hostPortType, "[0:0::1]:1", { host: "::1", port: 1 }, "[::1]:1"],
  [hostPortType, "0.0.0.0:80", { host: "0.0.0.0", port: 80 }],
  [hostPatternType, "Example.COM.", "example.com", "example.com"],
  [hostPatternType, "*.example.com", "*.example.com"],
  [hostPatternType, "10.0.0.1", "10.0.0.1"],
  [hostPatternType, "[2001:DB8::1]", "2001:db8::1", "2001:db8::1"],
  [controllerNameType, "weir.dev/gateway-controller", "weir.dev/gateway-controller"],
  [controllerNameType, "a/B~%41/c", "a/B~%41/c"],
  [objectNameType, "default/web", "default/web"],
  [objectNameType, "a/web.v1", "a/web.v1"],
];

for (const [type, text, value, canonical = text] of good) {
  Deno.test(`${type.name} reads "${text}" and writes "${canonical}"`, () => {
    assertEquals(type.parse(text), { ok: true, value });
    assertEquals(type.format(value), canonical);
    assertEquals(type.parse(canonical), { ok: true, value });
  });
}

const bad: readonly [type: ValueType<unknown>, text: string, problem: string][] = [
  [hostPortType, "9080", "is not an address"],
  [hostPortType, "localhost", "is not an address"],
  [hostPortType, ":9080", `wanted "0.0.0.0:9080"`],
  [hostPortType, "a:65536", "above 65535"],
  [hostPortType, "::1:80", "is not an address"],
  [hostPortType, "[127.0.0.1]:80", "neither a name nor an IP address"],
  [hostPortType, "[web]:80", "neither a name nor an IP address"],
  [hostPortType, "127.0.0.256:80", "neither a name nor an IP address"],
  [hostPortType, "http://a:80", "is not an address"],
  [hostPortType, "a b:80", "neither a name nor an IP address"],
  [hostPatternType, "example.com:80", "is not a host"],
  [hostPatternType, "*.10.0.0.1", "is not a host"],
  [hostPatternType, "*", "is not a host"],
  [hostPatternType, "web.127", "is not a host"],
  [hostPatternType, "*.0x7f", "is not a host"],
  [hostPatternType, "a..b", "is not a host"],
  [hostPatternType, "", "is not a host"],
  [controllerNameType, "weir", "is not a controller name"],
  [controllerNameType, "weir.dev/", "is not a controller name"],
  [controllerNameType, "Weir.dev/x", "is not a controller name"],
  [controllerNameType, `a/${"b".repeat(252)}`, "is not a controller name"],
  [objectNameType, "web", "is not NAMESPACE/NAME"],
  [objectNameType, "a/b/c", "is not NAMESPACE/NAME"],
  [objectNameType, "a.b/web", "is not NAMESPACE/NAME"],
  [objectNameType, "a/Web", "is not NAMESPACE/NAME"],
  [objectNameType, "/", "is not NAMESPACE/NAME"],
];

for (const [type, text, problem] of bad) {
  Deno.test(`${type.name} refuses "${text.slice(0, 30)}": ${problem}`, () => {
    const parsed = type.parse(text);
    assert(!parsed.ok);
    assertStringIncludes(parsed.problem, problem);
  });
}

Deno.test("hostPatternType takes nothing that the host guard cannot use", () => {
  const parts = ["a", "B", "_", "-", ".", "*.", "0", "127", "0x7f", ":", "::", "ffff", "[", "]"];
  const texts = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(texts, (text) => {
      const parsed = hostPatternType.parse(text.join(""));
      if (parsed.ok) createHostPolicy([parsed.value]);
    }),
    { numRuns: 2000 },
  );
});
