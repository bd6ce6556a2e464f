/**
 * A user who may write a Service must not reach what listens on this machine, whatever the name that
 * he chooses resolves to, and whenever.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createExternalLookup } from "../../../src/proxy/external_lookup.ts";

interface Found {
  readonly error: Error | null;
  readonly addresses: readonly string[];
}

function lookUp(addresses: readonly string[], all = true): Found {
  const lookup = createExternalLookup((_name, callback) =>
    callback(null, addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })))
  );
  let found: Found | undefined;
  lookup("api.example.com", { all }, (error, given) => {
    const list = typeof given === "string" ? [given] : given.map(({ address }) => address);
    found = { error, addresses: error ? [] : list };
  });
  assert(found, "answered at once");
  return found;
}

const inner = [
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "169.254.169.254",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::127.0.0.1",
  "::ffff:127.0.0.1",
  "::ffff:169.254.169.254",
  "64:ff9b::7f00:1",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
  "not an address",
];

for (const address of inner) {
  Deno.test(`A name that resolves to ${address} leads nowhere`, () => {
    const { error, addresses } = lookUp([address]);
    assertStringIncludes(error?.message ?? "", `Cannot resolve "api.example.com"`);
    assertEquals(addresses, []);
    assertEquals(lookUp([address], false).addresses, []);
  });
}

Deno.test("Addresses outside are used, those of private networks too", () => {
  const outside = ["192.0.2.1", "10.0.0.1", "2001:db8::1", "fd00::1", "::ffff:192.0.2.1"];
  assertEquals(lookUp(outside).addresses, outside);
  assertEquals(lookUp(outside, false).addresses, ["192.0.2.1"]);
});

Deno.test("Of several addresses only those of this machine are left out", () => {
  assertEquals(lookUp(["127.0.0.1", "192.0.2.1", "::1"]).addresses, ["192.0.2.1"]);
  assertEquals(lookUp(["127.0.0.1", "192.0.2.1"], false).addresses, ["192.0.2.1"]);
});

Deno.test("A name that does not resolve is an error that says so", () => {
  const lookup = createExternalLookup((_name, callback) => callback(new Error("ENOTFOUND"), []));
  let message = "";
  lookup("gone.example.com", { all: true }, (error) => message = error?.message ?? "");
  assertEquals(message, `Cannot resolve "gone.example.com": ENOTFOUND`);
});
