/**
 * A bundle decides who is trusted: what cannot be read must be told, never skipped, and nothing but
 * certificates may be passed on.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { parseCaBundle } from "../../../src/kube/ca_bundle.ts";
import { makeCertificate } from "../../fakes/gateway_certificates.ts";

const one = await makeCertificate(["a.example.com"]);
const two = await makeCertificate([]);

Deno.test("parseCaBundle() yields the certificates in their order, and nothing else", () => {
  const parsed = parseCaBundle(
    `# first\n${one.certificate}\n${one.key}\r\n# second\r\n${two.certificate}`,
  );
  assert(!("invalid" in parsed));
  assertEquals(parsed.certificateCount, 2);
  assertEquals(parsed.certificates, `${one.certificate.trim()}\n${two.certificate.trim()}\n`);
});

Deno.test("parseCaBundle() changes the digest with the certificates only", () => {
  const digest = (pem: string): string => {
    const parsed = parseCaBundle(pem);
    return "invalid" in parsed ? parsed.invalid : parsed.digest;
  };
  assertMatch(digest(one.certificate), /^[0-9a-f]{64}$/);
  assertEquals(digest(one.certificate), digest(`comment\n${one.certificate}\n\n`));
  assert(digest(one.certificate) !== digest(`${one.certificate}\n${two.certificate}`));
});

const damaged = one.certificate.replace(/\n.{20}/, "\nAAAA");
const truncated = one.certificate.slice(0, 100);
const bad: readonly (readonly [string, string, RegExp])[] = [
  ["nothing", "", /holds no PEM certificate/],
  ["text", "hello", /holds no PEM certificate/],
  ["a key", one.key, /holds no PEM certificate/],
  ["a damaged certificate", damaged, /cannot be parsed/],
  ["a damaged second certificate", `${one.certificate}\n${damaged}`, /cannot be parsed/],
  ["a truncated certificate", truncated, /cannot be parsed/],
  ["a truncated second certificate", `${one.certificate}\n${truncated}`, /cannot be parsed/],
  ["a block inside of a block", `-----BEGIN CERTIFICATE-----\n${one.certificate}`, /cannot be/],
  ["an empty block", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----", /cannot be parsed/],
  ["far too much", "x".repeat(2 ** 20 + 1), /larger than 1 MiB/],
  ["too many", "-----BEGIN CERTIFICATE-----\n".repeat(1001), /more than 1000 certificates/],
];

for (const [what, pem, wanted] of bad) {
  Deno.test(`parseCaBundle() refuses ${what} and repeats nothing of it`, () => {
    const parsed = parseCaBundle(pem);
    assert("invalid" in parsed);
    assertMatch(parsed.invalid, wanted);
    assert(!parsed.invalid.includes("\n") && parsed.invalid.length < 100, parsed.invalid);
  });
}

Deno.test("parseCaBundle() reads a bundle as large as a ConfigMap can be, and does not stall", () => {
  const count = Math.min(1000, Math.floor(2 ** 20 / (one.certificate.length + 1)));
  const parsed = parseCaBundle(`${one.certificate}\n`.repeat(count));
  assert(!("invalid" in parsed));
  assertEquals(parsed.certificateCount, count);
});
