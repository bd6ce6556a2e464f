// What a user would lose: a warning before clients refuse a certificate, and none where they do not.

import { assertEquals } from "@std/assert";
import { certificateNameCovers } from "../../../src/gateway/certificate_names.ts";

const cases: readonly (readonly [dnsName: string, hostname: string, covers: boolean])[] = [
  ["a.io", "a.io", true],
  ["a.io", "b.io", false],
  ["*.a.io", "x.a.io", true],
  ["*.a.io", "a.io", false],
  ["*.a.io", "y.x.a.io", false],
  ["*.a.io", "xa.io", false],
  ["*.a.io", "*.a.io", true],
  // Some hosts of the listener have these names.
  ["x.a.io", "*.a.io", true],
  ["*.x.a.io", "*.a.io", true],
  ["a.io", "*.a.io", false],
  ["*.io", "*.a.io", false],
  ["*", "a", false],
  ["", "a.io", false],
];

Deno.test("certificateNameCovers() holds names against hostnames as clients do", () => {
  for (const [dnsName, hostname, covers] of cases) {
    assertEquals(certificateNameCovers(dnsName, hostname), covers, `${dnsName} ${hostname}`);
  }
});
