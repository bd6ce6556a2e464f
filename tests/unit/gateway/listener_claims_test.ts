/** Who keeps a port and a hostname: one protocol for each port, one listener for each hostname. */

import fc from "fast-check";
import { assertEquals } from "@std/assert";
import { ListenerClaims } from "../../../src/gateway/compute/listener_claims.ts";
import type { ListenerShape } from "../../../src/gateway/compute/listener_conflicts.ts";

const http = (hostname?: string, port = 80): ListenerShape => ({
  port,
  protocol: "HTTP",
  ...(hostname === undefined ? {} : { hostname }),
});
const of = (protocol: string, port = 80): ListenerShape => ({ port, protocol });

function claimed(...listeners: readonly ListenerShape[]): ListenerClaims<string> {
  const claims = new ListenerClaims<string>();
  for (const listener of listeners) claims.claim(listener, "first");
  return claims;
}

Deno.test("A hostname of a port is taken by who claims it first, other hostnames are free", () => {
  const claims = claimed(http("a.example.com"));
  assertEquals(claims.clashOf(http("a.example.com"), "second"), {
    by: "hostname",
    protocol: "HTTP",
    owner: "first",
  });
  assertEquals(claims.clashOf(http("b.example.com"), "second"), undefined);
  assertEquals(claims.clashOf(http(), "second"), undefined);
  assertEquals(claims.clashOf(http("a.example.com", 81), "second"), undefined);
});

Deno.test("What the owner itself has is no hindrance", () => {
  assertEquals(claimed(http("a.example.com")).clashOf(http("a.example.com"), "first"), undefined);
});

Deno.test("A port has one kind of protocol, whoever asks", () => {
  assertEquals(claimed(of("HTTP")).clashOf(of("HTTPS"), "second")?.by, "protocol");
  assertEquals(claimed(of("HTTP")).clashOf(of("TCP"), "first"), {
    by: "protocol",
    protocol: "HTTP",
    owner: "first",
  });
});

Deno.test("HTTPS and TLS share a port, not a hostname; that is a clash of hostnames", () => {
  const claims = claimed({ ...of("HTTPS", 443), hostname: "a.example.com" });
  const tls = { ...of("TLS", 443), hostname: "b.example.com" };
  assertEquals(claims.clashOf(tls, "second"), undefined);
  assertEquals(claims.clashOf({ ...tls, hostname: "a.example.com" }, "second")?.by, "hostname");
});

Deno.test("UDP has ports of its own", () => {
  const claims = claimed(of("TCP", 53));
  assertEquals(claims.clashOf(of("UDP", 53), "second"), undefined);
  claims.claim(of("UDP", 53), "second");
  assertEquals(claims.clashOf(of("UDP", 53), "third")?.owner, "second");
  assertEquals(claims.clashOf(of("TCP", 53), "third")?.owner, "first");
});

const classes: Readonly<Record<string, string>> = { HTTPS: "TLS" };
const classOf = (protocol: string): string => classes[protocol] ?? protocol;

Deno.test("Claims one after the other leave what a list of all that was claimed leaves", () => {
  const listener = fc.record({
    port: fc.constantFrom(80, 443),
    protocol: fc.constantFrom("HTTP", "HTTPS", "TLS", "TCP", "UDP"),
    hostname: fc.constantFrom(undefined, "a", "b"),
    owner: fc.constantFrom("x", "y", "z"),
  });
  fc.assert(fc.property(fc.array(listener, { maxLength: 12 }), (listeners) => {
    const claims = new ListenerClaims<string>();
    const kept: typeof listeners = [];
    for (const next of listeners) {
      const { owner, hostname, ...rest } = next;
      const shape = hostname === undefined ? rest : { ...rest, hostname };
      const sharers = kept.filter(({ port, protocol }) =>
        port === next.port && (protocol === "UDP") === (next.protocol === "UDP")
      );
      const isFree = sharers.every((other) =>
        classOf(other.protocol) === classOf(next.protocol) &&
        (other.hostname !== hostname || other.owner === owner)
      );
      assertEquals(claims.clashOf(shape, owner) === undefined, isFree);
      if (!isFree) continue;
      claims.claim(shape, owner);
      kept.push(next);
    }
  }));
});
