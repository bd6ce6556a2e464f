/** A misread address sends traffic to the wrong place, or refuses a right configuration. */

import fc from "fast-check";
import { assertEquals } from "@std/assert";
import { formatHostPort, formatIp, parseHostPort, parseIp } from "../../../src/base/ip_address.ts";

const canonical: readonly (readonly [string, string])[] = [
  ["127.0.0.1", "127.0.0.1"],
  ["0.0.0.0", "0.0.0.0"],
  ["255.255.255.255", "255.255.255.255"],
  ["::", "::"],
  ["::1", "::1"],
  ["1::", "1::"],
  ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
  ["2001:db8:0:1:0:0:0:1", "2001:db8:0:1::1"],
  ["2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
  ["::ffff:192.0.2.1", "::ffff:c000:201"],
  ["1:2:3:4:5:6:192.0.2.1", "1:2:3:4:5:6:c000:201"],
];

for (const [text, wanted] of canonical) {
  Deno.test(`parseIp("${text}") prints as ${wanted}`, () => {
    const address = parseIp(text);
    assertEquals(address && formatIp(address), wanted);
  });
}

for (
  const text of [
    "",
    "1.2.3",
    "1.2.3.4.5",
    "01.2.3.4",
    "256.1.1.1",
    "1.2.3.4 ",
    "localhost",
    ":",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::8",
    "12345::",
    "fe80::1%eth0",
    "::1.2.3",
    "1.2.3.4::",
    ":1",
    "1:",
  ]
) {
  Deno.test(`parseIp() refuses "${text}"`, () => assertEquals(parseIp(text), undefined));
}

Deno.test("formatIp() and parseIp() are inverse", () => {
  const v4 = fc.bigInt({ min: 0n, max: (1n << 32n) - 1n }).map((value) => ({ family: 4, value }));
  const v6 = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }).map((value) => ({ family: 6, value }));
  fc.assert(fc.property(fc.oneof(v4, v6), ({ family, value }) => {
    const address = { family: family === 4 ? 4 : 6, value } as const;
    assertEquals(parseIp(formatIp(address)), address);
  }));
});

for (
  const [text, wanted] of [
    ["127.0.0.1:80", { address: "127.0.0.1", port: 80 }],
    ["[::1]:65535", { address: "::1", port: 65535 }],
    ["::1:80", undefined],
    ["[127.0.0.1]:80", undefined],
    ["127.0.0.1", undefined],
    ["127.0.0.1:0", undefined],
    ["127.0.0.1:65536", undefined],
    ["127.0.0.1:080", undefined],
    ["localhost:80", undefined],
  ] as const
) {
  Deno.test(`parseHostPort("${text}") is ${wanted ? formatHostPort(wanted.address, wanted.port) : "refused"}`, () => {
    assertEquals(parseHostPort(text), wanted);
  });
}
