/**
 * What a user would lose if these failed: the guard would compare hosts that are written in ways
 * which browsers and servers read differently, and let a page of a stranger in.
 */

import { assertEquals } from "@std/assert";
import {
  hostOfSocketAddress,
  matchesHostPattern,
  parseAuthority,
  parseHostPattern,
} from "../../../src/auth/authority.ts";

const wellFormed: readonly [string, string, boolean, number | undefined][] = [
  ["localhost", "localhost", false, undefined],
  ["LocalHost:9080", "localhost", false, 9080],
  ["weir.example.com.", "weir.example.com", false, undefined],
  ["my_service:1", "my_service", false, 1],
  ["127.0.0.1:9080", "127.0.0.1", true, 9080],
  ["[::1]:9080", "::1", true, 9080],
  ["[0:0:0:0:0:0:0:1]", "::1", true, undefined],
  ["[::FFFF:127.0.0.1]", "127.0.0.1", true, undefined],
  ["[2001:DB8::A]:443", "2001:db8::a", true, 443],
];
for (const [text, host, isIpAddress, port] of wellFormed) {
  Deno.test(`parseAuthority() reads ${text}`, () => {
    assertEquals(parseAuthority(text), { host, isIpAddress, port });
  });
}

const malformed = [
  "",
  ":80",
  ".",
  "a..b",
  "localhost:",
  "localhost:65536",
  "localhost:80:80",
  "localhost:+80",
  "user@localhost",
  "localhost/",
  "local host",
  "localhost,evil",
  "-a",
  "a-",
  "127.1",
  "2130706433",
  "0x7f.0.0.1",
  "127.0.0.0x1",
  "0177.0.0.1",
  "127.0.0.256",
  "::1",
  "[::1",
  "[]",
  "[::1%eth0]",
  "[1.2.3.4]",
  "[::1]x",
  "exämple.com",
  "a".repeat(64),
  `${"a.".repeat(130)}b`,
];
for (const text of malformed) {
  Deno.test(`parseAuthority() refuses ${JSON.stringify(text.slice(0, 40))}`, () => {
    assertEquals(parseAuthority(text), undefined);
  });
}

Deno.test("hostOfSocketAddress() names the address as a Host header would", () => {
  assertEquals(hostOfSocketAddress("10.0.0.7"), "10.0.0.7");
  assertEquals(hostOfSocketAddress("::ffff:10.0.0.7"), "10.0.0.7");
  assertEquals(hostOfSocketAddress("fe80::1%eth0"), "fe80::1");
  assertEquals(hostOfSocketAddress("pipe"), undefined);
});

Deno.test("parseHostPattern() takes names, addresses and suffixes, never a bare star", () => {
  assertEquals(parseHostPattern("Weir.Example.COM"), "weir.example.com");
  assertEquals(parseHostPattern("*.Example.com"), "*.example.com");
  assertEquals(parseHostPattern("::1"), "::1");
  assertEquals(parseHostPattern("[2001:db8:0::1]"), "2001:db8::1");
  assertEquals(parseHostPattern("::ffff:c000:207"), "192.0.2.7");
  for (const text of ["*", "*.", "a.*.b", "*example.com", "*.10.0.0.1", "a:80", "", "http://a"]) {
    assertEquals(parseHostPattern(text), undefined, text);
  }
});

Deno.test("matchesHostPattern() needs a label before a suffix", () => {
  assertEquals(matchesHostPattern("a.example.com", "*.example.com"), true);
  assertEquals(matchesHostPattern("a.b.example.com", "*.example.com"), true);
  assertEquals(matchesHostPattern("example.com", "*.example.com"), false);
  assertEquals(matchesHostPattern("evilexample.com", "*.example.com"), false);
  assertEquals(matchesHostPattern("a.example.com", "example.com"), false);
});
