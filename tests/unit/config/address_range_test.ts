// What a user would lose: Gateways on exactly the addresses that were allowed, and no other.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { formatIp } from "../../../src/base/ip_address.ts";
import {
  type AddressRange,
  addressRangeType,
  areLoopback,
} from "../../../src/config/address_range.ts";

function range(text: string): AddressRange {
  const parsed = addressRangeType.parse(text);
  assert(parsed.ok, text);
  return parsed.value;
}

const ends: readonly [text: string, first: string, last: string][] = [
  ["127.0.0.1", "127.0.0.1", "127.0.0.1"],
  ["127.0.0.254-127.0.1.1", "127.0.0.254", "127.0.1.1"],
  // Network and broadcast address are no listener's.
  ["192.0.2.0/24", "192.0.2.1", "192.0.2.254"],
  ["192.0.2.0/30", "192.0.2.1", "192.0.2.2"],
  // RFC 3021: both ends of a point-to-point link are.
  ["192.0.2.0/31", "192.0.2.0", "192.0.2.1"],
  ["192.0.2.7/32", "192.0.2.7", "192.0.2.7"],
  // The first address of an IPv6 block is the routers' anycast address.
  ["2001:db8::/64", "2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff"],
  ["2001:db8::/127", "2001:db8::", "2001:db8::1"],
  ["::1", "::1", "::1"],
];

for (const [text, first, last] of ends) {
  Deno.test(`addressRangeType reads ${text} as ${first} to ${last}`, () => {
    const { family, ...values } = range(text);
    assertEquals(formatIp({ family, value: values.first }), first);
    assertEquals(formatIp({ family, value: values.last }), last);
  });
}

const refusals: readonly [text: string, problem: string][] = [
  ["localhost", "is not an IP address"],
  ["127.0.0.01", "is not an IP address"],
  ["1.2.3", "is not an IP address"],
  ["1.2.3.4-1.2.3.5-1.2.3.6", "is not an IP address"],
  ["1.2.3.4-", "is not an IP address"],
  ["1.2.3.9-1.2.3.4", "ends before it starts"],
  ["1.2.3.4-::1", "mixes IPv4 and IPv6"],
  ["fe80::1%eth0", "has a zone"],
  ["10.0.0.0/33", "longer than 32 bits"],
  ["10.0.0.0/", "is not a CIDR block"],
  ["10.0.0.0/8/8", "is not a CIDR block"],
  ["10.0.0.1/24", `wanted "10.0.0.0/24"`],
  ["", "is not an IP address"],
];

for (const [text, problem] of refusals) {
  Deno.test(`addressRangeType refuses "${text}": ${problem}`, () => {
    const parsed = addressRangeType.parse(text);
    assert(!parsed.ok);
    assertStringIncludes(parsed.problem, problem);
  });
}

Deno.test("addressRangeType writes the canonical text, which it reads as the same range", () => {
  for (const text of ["2001:DB8:0::1", "1.2.3.4-1.2.3.4", "2001:db8::/48", "10.0.0.0/8"]) {
    assertEquals(range(addressRangeType.format(range(text))), range(text));
  }
  assertEquals(addressRangeType.format(range("2001:DB8:0::1")), "2001:db8::1");
});

Deno.test("areLoopback() is true only when no other machine reaches any of the addresses", () => {
  assertEquals(areLoopback([range("127.0.0.1"), range("127.0.0.8/29"), range("::1")]), true);
  assertEquals(areLoopback([range("::ffff:127.0.0.1")]), true);
  assertEquals(areLoopback([range("127.0.0.1"), range("192.0.2.1")]), false);
  assertEquals(areLoopback([range("127.255.255.255-128.0.0.1")]), false);
  assertEquals(areLoopback([range("0.0.0.0")]), false);
});
