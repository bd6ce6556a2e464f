/** What a user would lose: clients and backends sent to the wrong place. */

import { assertEquals } from "@std/assert";
import type { Redirect } from "../../../src/dataplane/http_filters.ts";
import { redirectLocation, rewriteTarget } from "../../../src/proxy/url_rewrite.ts";

Deno.test("rewriteTarget() replaces a prefix as the table of HTTPPathModifier says", () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ["/foo/bar", "/foo", "/xyz", "/xyz/bar"],
    ["/foo/bar", "/foo", "/xyz/", "/xyz/bar"],
    ["/foo/bar", "/foo/", "/xyz", "/xyz/bar"],
    ["/foo/bar", "/foo/", "/xyz/", "/xyz/bar"],
    ["/foo", "/foo", "/xyz", "/xyz"],
    ["/foo/", "/foo", "/xyz", "/xyz/"],
    ["/foo/bar", "/foo", "", "/bar"],
    ["/foo/", "/foo", "", "/"],
    ["/foo", "/foo", "", "/"],
    ["/foo/", "/foo", "/", "/"],
    ["/foo", "/foo", "/", "/"],
    ["/foo?a=/foo", "/foo", "/x", "/x?a=/foo"],
    ["/bar", "/", "/xyz", "/xyz/bar"],
  ];
  for (const [target, prefix, value, wanted] of cases) {
    assertEquals(
      rewriteTarget(target, { type: "ReplacePrefixMatch", prefix, value }),
      wanted,
      `${target} ${prefix} -> ${value}`,
    );
  }
});

Deno.test("rewriteTarget() replaces a whole path and keeps the query", () => {
  const modifier = { type: "ReplaceFullPath", value: "/new" } as const;
  assertEquals(rewriteTarget("/a/b?c=1", modifier), "/new?c=1");
  assertEquals(rewriteTarget("/", modifier), "/new");
});

Deno.test("redirectLocation() leaves out the well-known port and no other", () => {
  const request = { scheme: "http", host: "a.io", listenerPort: 8080, target: "/x?y=1" } as const;
  const secure = { ...request, scheme: "https", listenerPort: 8443 } as const;
  const cases: readonly (readonly [Partial<Redirect>, typeof request | typeof secure, string])[] = [
    [{ scheme: "https" }, request, "https://a.io/x?y=1"],
    [{ scheme: "http" }, request, "http://a.io/x?y=1"],
    [{ scheme: "https", port: 8443 }, request, "https://a.io:8443/x?y=1"],
    [{ scheme: "https", port: 443 }, request, "https://a.io/x?y=1"],
    [{ scheme: "https", port: 80 }, request, "https://a.io:80/x?y=1"],
    [{ hostname: "b.io" }, request, "http://b.io:8080/x?y=1"],
    [{ port: 80 }, request, "http://a.io/x?y=1"],
    [{ hostname: "b.io" }, secure, "https://b.io:8443/x?y=1"],
    [{ scheme: "http" }, secure, "http://a.io/x?y=1"],
    [{ path: { type: "ReplaceFullPath", value: "/n" }, port: 80 }, request, "http://a.io/n?y=1"],
  ];
  for (const [redirect, from, wanted] of cases) {
    const location = redirectLocation({ statusCode: 302, ...redirect }, from, (port) => port);
    assertEquals(location, wanted, JSON.stringify(redirect));
  }
});

Deno.test("redirectLocation() names the port where the listener really is", () => {
  const request = { scheme: "http", host: "a.io", listenerPort: 80, target: "/" } as const;
  const reachable = (port: number): number => port + 18_000;
  assertEquals(
    redirectLocation({ scheme: "https", statusCode: 301 }, request, reachable),
    "https://a.io:18443/",
  );
  assertEquals(redirectLocation({ statusCode: 301 }, request, reachable), "http://a.io:18080/");
});
