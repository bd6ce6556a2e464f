/** What a user would lose: requests of one host served by the routes of another. */

import { assertEquals } from "@std/assert";
import { HostIndex, hostMatches, normalizeHost } from "../../../src/dataplane/host.ts";

Deno.test("normalizeHost() lowers case and drops port and one trailing dot", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["Example.COM", "example.com"],
    ["example.com:8080", "example.com"],
    ["example.com.", "example.com"],
    ["example.com.:80", "example.com"],
    ["example.com..", "example.com."],
    ["[2001:DB8::1]:80", "[2001:db8::1]"],
    ["[::1]", "[::1]"],
    ["127.0.0.1:80", "127.0.0.1"],
    [".", "."],
    ["", ""],
  ];
  for (const [given, wanted] of cases) assertEquals(normalizeHost(given), wanted, given);
});

Deno.test("hostMatches() lets a wildcard stand for any number of labels but none", () => {
  assertEquals(hostMatches("*.example.com", "a.example.com"), true);
  assertEquals(hostMatches("*.example.com", "a.b.example.com"), true);
  assertEquals(hostMatches("*.example.com", "example.com"), false);
  assertEquals(hostMatches("*.example.com", ".example.com"), false);
  assertEquals(hostMatches("*.example.com", "aexample.com"), false);
  assertEquals(hostMatches("example.com", "a.example.com"), false);
  assertEquals(hostMatches(undefined, "anything"), true);
});

Deno.test("HostIndex.find() takes the most specific hostname", () => {
  const index = new HostIndex<string>();
  for (const name of ["a.b.example.com", "*.b.example.com", "*.example.com"]) index.set(name, name);
  index.set(undefined, "any");
  assertEquals(index.find("a.b.example.com"), "a.b.example.com");
  assertEquals(index.find("x.b.example.com"), "*.b.example.com");
  assertEquals(index.find("b.example.com"), "*.example.com");
  assertEquals(index.find("example.com"), "any");
  assertEquals(index.find(".example.com"), "any");
  assertEquals(index.find(""), "any");
});

Deno.test("HostIndex.first() goes on to less specific hostnames until one accepts", () => {
  const index = new HostIndex<string>();
  for (const name of ["a.example.com", "*.example.com", "*.com"]) index.set(name, name);
  index.set(undefined, "any");
  const seen: string[] = [];
  index.first("a.example.com", seen, (value, list) => {
    list.push(value);
    return undefined;
  });
  assertEquals(seen, ["a.example.com", "*.example.com", "*.com", "any"]);
});
