// What a user would lose: two weeks in which a certificate can still be renewed.

import { assertEquals } from "@std/assert";
import {
  expiryWarningMs,
  findCertificateDiagnostics,
} from "../../../../src/gateway/diagnostics/certificate_diagnostics.ts";
import type { KubeObject } from "../../../../src/kube/object.ts";
import { makeCertificate } from "../../../fakes/gateway_certificates.ts";
import { gateway, gatewayClass, httpsListener, tlsSecret } from "../../../fakes/gateway_objects.ts";
import { GatewayWorld, toKey } from "../../../fakes/gateway_world.ts";

async function worldWith(...objects: readonly KubeObject[]): Promise<GatewayWorld> {
  const world = new GatewayWorld();
  world.put(gatewayClass(), tlsSecret("cert", await makeCertificate(["a.io"])), ...objects);
  return world;
}

Deno.test("findCertificateDiagnostics() warns before the end and tells the end from the warning", async () => {
  const world = await worldWith(gateway("gw", [httpsListener("https", ["cert"])]));
  const secret = world.inputs.get("Secret", toKey("default/cert"));
  const notAfter = secret && "notAfter" in secret.tls ? secret.tls.notAfter : "";
  const end = Date.parse(notAfter);
  const at = (nowMs: number): readonly string[] =>
    findCertificateDiagnostics(world.inputs, world.outputs(), nowMs)
      .map(({ code, name, message }) => `${code} ${name}: ${message}`);
  const shown = "(shown by listener https of Gateway default/gw)";
  assertEquals(at(end - expiryWarningMs - 1), []);
  assertEquals(at(end - expiryWarningMs), [
    `CertificateExpiresSoon cert: Its certificate expires at ${notAfter} ${shown}`,
  ]);
  assertEquals(at(end), [
    `CertificateExpired cert: Its certificate expired at ${notAfter} ${shown}`,
  ]);
});

Deno.test("findCertificateDiagnostics() leaves alone what no listener shows", async () => {
  const world = await worldWith(gateway("gw"));
  assertEquals(findCertificateDiagnostics(world.inputs, world.outputs(), Number.MAX_VALUE), []);
});
