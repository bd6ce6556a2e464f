/**
 * A policy that says too much lets foreign pages read what a signed-in user sees; one that says too
 * little locks the own pages out.
 */

import { assertEquals } from "@std/assert";
import {
  actualLines,
  allowsOrigin,
  preflightLines,
  readPreflight,
} from "../../../src/dataplane/cors.ts";
import type { CorsPolicy } from "../../../src/dataplane/http_filters.ts";

function policy(parts: Partial<CorsPolicy> = {}): CorsPolicy {
  return {
    allowOrigins: ["https://app.example.com"],
    allowMethods: [],
    allowHeaders: [],
    exposeHeaders: [],
    allowCredentials: false,
    maxAgeSeconds: 5,
    ...parts,
  };
}

const origins: readonly (readonly [pattern: string, origin: string, isAllowed: boolean])[] = [
  ["https://app.example.com", "https://app.example.com", true],
  ["https://app.example.com", "https://APP.example.com", true],
  ["https://app.example.com", "http://app.example.com", false],
  ["https://app.example.com", "https://app.example.com:8443", false],
  ["https://app.example.com", "https://app.example.com.evil.org", false],
  ["https://app.example.com", "null", false],
  ["https://*.example.com", "https://a.example.com", true],
  ["https://*.example.com", "https://a.b.example.com", true],
  ["https://*.example.com", "https://example.com", false],
  ["https://*.example.com", "https://.example.com", false],
  ["https://*.example.com", "https://evilexample.com", false],
  ["https://*.example.com", "https://a.example.com:8443", false],
  ["https://*.example.com", "https://evil.org/.example.com", false],
  ["https://*.example.com", "https://evil.org:1.example.com", false],
  ["https://*.example.com", "https://user@a.example.com", false],
  ["https://*.example.com:8443", "https://a.example.com:8443", true],
  ["https://*.example.com:8443", "https://a.example.com", false],
  ["https://*", "https://anything.org", true],
  ["https://*", "https://[2001:db8::1]", true],
  ["https://*", "https://anything.org:8443", false],
  ["https://*", "http://anything.org", false],
  ["https://*", "https://", false],
  ["https://*:8443", "https://[2001:db8::1]:8443", true],
  ["*", "null", true],
  ["*", "https://anything.org:8443", true],
];

for (const [pattern, origin, isAllowed] of origins) {
  Deno.test(`Origin "${origin}" is ${isAllowed ? "" : "not "}allowed by "${pattern}"`, () => {
    assertEquals(allowsOrigin(policy({ allowOrigins: [pattern] }), origin), isAllowed);
  });
}

Deno.test("No origin is allowed where the policy names none", () => {
  assertEquals(allowsOrigin(policy({ allowOrigins: [] }), "https://a.example.com"), false);
});

Deno.test("Only OPTIONS with an origin and a method is a preflight; others reach the backend", () => {
  const origin = ["Origin", "https://a"];
  const method = ["access-control-REQUEST-method", "PUT"];
  assertEquals(readPreflight("OPTIONS", [...origin, ...method]), {
    origin: "https://a",
    method: "PUT",
  });
  const headers = ["Access-Control-Request-Headers", "x-a, x-b"];
  assertEquals(readPreflight("OPTIONS", [...origin, ...method, ...headers])?.headers, "x-a, x-b");
  assertEquals(readPreflight("GET", [...origin, ...method]), undefined);
  assertEquals(readPreflight("OPTIONS", origin), undefined);
  assertEquals(readPreflight("OPTIONS", method), undefined);
  assertEquals(readPreflight("OPTIONS", [...origin, ...origin, ...method]), undefined);
});

const asked = { origin: "https://app.example.com", method: "PUT", headers: "x-a" };

const preflights: readonly (readonly [name: string, Partial<CorsPolicy>, readonly string[]])[] = [
  ["little, by default", {}, [
    "Access-Control-Allow-Origin: https://app.example.com",
    "Vary: Origin",
    "Access-Control-Max-Age: 5",
  ]],
  ["its lists", {
    allowMethods: ["PUT", "DELETE"],
    allowHeaders: ["x-a", "x-b"],
    exposeHeaders: ["x-c"],
    maxAgeSeconds: 60,
  }, [
    "Access-Control-Allow-Origin: https://app.example.com",
    "Access-Control-Expose-Headers: x-c",
    "Vary: Origin",
    "Access-Control-Allow-Methods: PUT, DELETE",
    "Access-Control-Allow-Headers: x-a, x-b",
    "Access-Control-Max-Age: 60",
  ]],
  ["stars where nobody is known", {
    allowOrigins: ["*"],
    allowMethods: ["*"],
    allowHeaders: ["*"],
    exposeHeaders: ["x-c", "*"],
  }, [
    "Access-Control-Allow-Origin: *",
    "Access-Control-Expose-Headers: *",
    "Access-Control-Allow-Methods: *",
    "Access-Control-Allow-Headers: *",
    "Access-Control-Max-Age: 5",
  ]],
  ["no star to whom may send credentials", {
    allowOrigins: ["*"],
    allowMethods: ["*"],
    allowHeaders: ["*"],
    exposeHeaders: ["x-c", "*"],
    allowCredentials: true,
  }, [
    "Access-Control-Allow-Origin: https://app.example.com",
    "Access-Control-Allow-Credentials: true",
    "Access-Control-Expose-Headers: x-c",
    "Vary: Origin",
    "Access-Control-Allow-Methods: PUT",
    "Access-Control-Allow-Headers: x-a",
    "Access-Control-Max-Age: 5",
  ]],
  ["nothing to a foreign origin", { allowOrigins: ["https://other.org"], allowMethods: ["*"] }, [
    "Vary: Origin",
  ]],
];

for (const [name, parts, wanted] of preflights) {
  Deno.test(`The answer to a preflight says ${name}`, () => {
    const lines = preflightLines(policy(parts), asked);
    assertEquals(lines.map(([name, value]) => `${name}: ${value}`), wanted);
  });
}

Deno.test("A star for headers allows none to whom asks for none with credentials", () => {
  const { origin, method } = asked;
  const found = preflightLines(policy({ allowHeaders: ["*"], allowCredentials: true }), {
    origin,
    method,
  });
  assertEquals(found.some(([name]) => name === "Access-Control-Allow-Headers"), false);
});

Deno.test("Other answers say who may read them, and to caches that it depends", () => {
  const shown = (parts: Partial<CorsPolicy>, ...rawHeaders: readonly string[]) =>
    actualLines(policy(parts), rawHeaders).map(([name, value]) => `${name}: ${value}`);
  assertEquals(shown({ exposeHeaders: ["x-c"] }, "Origin", "https://app.example.com"), [
    "Access-Control-Allow-Origin: https://app.example.com",
    "Access-Control-Expose-Headers: x-c",
    "Vary: Origin",
  ]);
  assertEquals(shown({}, "Origin", "https://other.org"), ["Vary: Origin"]);
  assertEquals(shown({}), ["Vary: Origin"]);
  assertEquals(shown({ allowOrigins: ["*"] }), []);
});
