/** A bad certificate must be refused with its reason, and no key may ever stand in a message. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { parseTlsCertificate } from "../../../src/kube/tls_certificate.ts";
import { makeCertificate } from "../../fakes/gateway_certificates.ts";

const good = await makeCertificate(["a.example.com", "*.B.example.com"]);
const other = await makeCertificate([]);

Deno.test("parseTlsCertificate() yields chain, key, names and expiry of a good pair", () => {
  const chain = `comment\n${good.certificate}\n${other.certificate}`;
  const parsed = parseTlsCertificate(chain, good.key);
  assert(!("invalid" in parsed));
  assertEquals(parsed.dnsNames, ["a.example.com", "*.b.example.com"]);
  assertEquals(parsed.notAfter, "2036-01-01T00:00:00Z");
  assertEquals(parsed.certificateChain.match(/BEGIN CERTIFICATE/g)?.length, 2);
  assert(!parsed.certificateChain.includes("comment"));
});

Deno.test("parseTlsCertificate() changes the digest with the chain and with the key only", () => {
  const digest = (chain: string): string => {
    const parsed = parseTlsCertificate(chain, good.key);
    return "invalid" in parsed ? parsed.invalid : parsed.digest;
  };
  assertMatch(digest(good.certificate), /^[0-9a-f]{64}$/);
  assertEquals(digest(good.certificate), digest(`\n${good.certificate}\n\n`));
  assert(digest(good.certificate) !== digest(good.certificate + other.certificate));
});

Deno.test("parseTlsCertificate() accepts a certificate without names", () => {
  const parsed = parseTlsCertificate(other.certificate, other.key);
  assertEquals("invalid" in parsed ? parsed.invalid : parsed.dnsNames, []);
});

const truncated = good.certificate.replace(/\n.{20}/, "\nAAAA");
const bad: readonly (readonly [string, string, string, RegExp])[] = [
  ["no certificate", "hello", good.key, /no PEM certificate/],
  ["a damaged certificate", truncated, good.key, /no PEM certificate|cannot be parsed/],
  ["a damaged second certificate", good.certificate + truncated, good.key, /cannot be parsed/],
  ["no key", good.certificate, "hello", /no unencrypted PEM private key/],
  ["a key of another certificate", good.certificate, other.key, /does not belong/],
  [
    "the chain in the wrong order",
    other.certificate + good.certificate,
    good.key,
    /does not belong/,
  ],
  ["far too much", "x".repeat(2 ** 20 + 1), good.key, /larger than 1 MiB/],
  ["too long a chain", good.certificate.repeat(33), good.key, /more than 32/],
];

for (const [what, chain, key, wanted] of bad) {
  Deno.test(`parseTlsCertificate() refuses ${what} and repeats nothing of the key`, () => {
    const parsed = parseTlsCertificate(chain, key);
    assert("invalid" in parsed);
    assertMatch(parsed.invalid, wanted);
    const body = key.split("\n")[1] ?? key;
    assert(body.length < 20 || !parsed.invalid.includes(body));
  });
}
