// What a user would lose: time in which a certificate can still be renewed, and a word about one that
// clients refuse although its Secret is right.

import { assertEquals } from "@std/assert";
import {
  findExpiryDiagnostics,
  findNameDiagnostics,
} from "../../../../src/gateway/diagnostics/certificate_diagnostics.ts";
import type { KubeObject } from "../../../../src/kube/object.ts";
import { makeCertificate } from "../../../fakes/gateway_certificates.ts";
import { gateway, gatewayClass, httpsListener, tlsSecret } from "../../../fakes/gateway_objects.ts";
import { GatewayWorld } from "../../../fakes/gateway_world.ts";

const day = 24 * 60 * 60 * 1000;
const end = Date.parse("2036-01-01T00:00:00Z");

async function worldWith(...objects: readonly KubeObject[]): Promise<GatewayWorld> {
  const features = new Set(["GatewayBackendClientCertificate"] as const);
  const world = new GatewayWorld({}, { features });
  world.put(gatewayClass(), tlsSecret("cert", await makeCertificate(["a.io"])), ...objects);
  return world;
}

Deno.test("findExpiryDiagnostics() warns before the end and tells the end from the warning", async () => {
  const world = await worldWith(gateway("gw", [httpsListener("https", ["cert"])]));
  const at = (nowMs: number): readonly string[] =>
    findExpiryDiagnostics(world.outputs(), { nowMs, warningDays: 30 })
      .map(({ code, name, message }) => `${code} ${name}: ${message}`);
  const shown = "2036-01-01T00:00:00Z (shown by listener https of Gateway default/gw)";
  assertEquals(at(end - 30 * day - 1), []);
  assertEquals(at(end - 30 * day), [
    `CertificateExpiresSoon cert: Its certificate expires at ${shown}`,
  ]);
  assertEquals(at(end), [`CertificateExpired cert: Its certificate expired at ${shown}`]);
});

Deno.test("findExpiryDiagnostics() names a Gateway that shows a certificate to backends", async () => {
  const tls = { backend: { clientCertificateRef: { name: "cert" } } };
  const world = await worldWith(gateway("gw", undefined, { tls }));
  const found = findExpiryDiagnostics(world.outputs(), { nowMs: end, warningDays: 30 });
  assertEquals(found.map(({ message }) => message), [
    "Its certificate expired at 2036-01-01T00:00:00Z (shown by Gateway default/gw to backends)",
  ]);
});

Deno.test("findExpiryDiagnostics() leaves alone what nobody shows", async () => {
  const world = await worldWith(gateway("gw"));
  const time = { nowMs: Number.MAX_VALUE, warningDays: 30 };
  assertEquals(findExpiryDiagnostics(world.outputs(), time), []);
});

Deno.test("findNameDiagnostics() tells of a listener whose certificates are for other names", async () => {
  const secure = (name: string, hostname: string | undefined, ...secrets: readonly string[]) =>
    httpsListener(name, secrets, { port: 8443, ...(hostname && { hostname }) });
  const world = await worldWith(
    tlsSecret("wild", await makeCertificate(["*.b.io"])),
    tlsSecret("none", await makeCertificate([])),
    gateway("gw", [
      secure("right", "a.io", "cert"),
      secure("one-of-two", "x.b.io", "cert", "wild"),
      secure("any", undefined, "cert"),
      secure("other", "c.io", "cert"),
      secure("deep", "y.x.b.io", "wild"),
      secure("nameless", "d.io", "none"),
      secure("two", "e.io", "cert", "wild"),
    ]),
  );
  const lines = findNameDiagnostics(world.outputs()).map(({ code, kind, name, part, message }) =>
    `${code} ${kind} ${name}, ${part}: ${message}`
  );
  const start = "CertificateNameMismatch Gateway gw, listener";
  const of = (secret: string): string => `The certificate of Secret default/${secret} is not for`;
  assertEquals(lines.toSorted(), [
    `${start} deep: ${of("wild")} "y.x.b.io": it is for "*.b.io"`,
    `${start} nameless: ${of("none")} "d.io": it has no DNS names`,
    `${start} other: ${of("cert")} "c.io": it is for "a.io"`,
    `${start} two: No certificate of Secrets default/cert, default/wild is for "e.io"`,
  ]);
});
