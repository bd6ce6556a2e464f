/** Without these, curl and browsers would refuse the certificates of the quickstart. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import "reflect-metadata";
import { X509Certificate } from "@peculiar/x509";
import { DevelopmentCa } from "../../../src/localkube/development_ca.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

function certificatesIn(chain: string): readonly X509Certificate[] {
  return chain.split(/(?=-----BEGIN)/).filter((pem) => pem.trim() !== "").map((pem) =>
    new X509Certificate(pem)
  );
}

Deno.test("DevelopmentCa.issue() signs a leaf for the names with the authority that it shows", async () => {
  const ca = new DevelopmentCa(new FakeClock());
  const issued = await ca.issue(["*.example.com", "127.0.0.1"]);
  const [leaf, authority] = certificatesIn(issued.certificateChain);
  assert(leaf && authority);
  assertEquals(authority.toString("pem"), await ca.certificate());
  assert(await leaf.verify({ publicKey: await authority.publicKey.export(), signatureOnly: true }));
  const names = leaf.extensions.map((extension) => extension.toString("text")).join("\n");
  assertMatch(names, /DNS: \*\.example\.com/);
  assertMatch(names, /IP: 127\.0\.0\.1/);
  assertMatch(issued.privateKey, /^-----BEGIN PRIVATE KEY-----/);
});

Deno.test("DevelopmentCa.issue() never repeats a serial number, or clients would mix certificates up", async () => {
  const ca = new DevelopmentCa(new FakeClock());
  const serials = new Set<string>();
  for (let index = 0; index < 20; index++) {
    const { certificateChain } = await ca.issue([`h${index}.example.com`]);
    serials.add(certificatesIn(certificateChain)[0]?.serialNumber ?? "");
  }
  assertEquals(serials.size, 20);
});

Deno.test("DevelopmentCa.issue() asks for renewal before the certificate ends", async () => {
  const clock = new FakeClock();
  const issued = await new DevelopmentCa(clock).issue(["a.example.com"]);
  const notAfter = certificatesIn(issued.certificateChain)[0]?.notAfter.getTime() ?? 0;
  assert(issued.renewAtMs > clock.now());
  assert(issued.renewAtMs < notAfter);
});
