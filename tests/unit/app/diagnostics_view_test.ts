// What a user would lose: diagnostics that follow the objects, and an API that stays cheap to ask.

import { assertEquals, assertStrictEquals } from "@std/assert";
import { createDiagnosticsReader } from "../../../src/app/diagnostics_view.ts";
import { makeCertificate } from "../../fakes/gateway_certificates.ts";
import { gateway, gatewayClass, httpsListener, tlsSecret } from "../../fakes/gateway_objects.ts";
import { GatewayWorld } from "../../fakes/gateway_world.ts";
import { noOutputs } from "../../../src/gateway/outputs.ts";

Deno.test("createDiagnosticsReader() computes once per revision, and certificates at their time", async () => {
  const world = new GatewayWorld();
  world.put(
    gatewayClass(),
    gateway("gw", [httpsListener("https", ["cert"])]),
    tlsSecret("cert", await makeCertificate(["a.io"])),
  );
  const state = { inputs: world.inputs, outputs: world.outputs() };
  let now = 0;
  const read = createDiagnosticsReader(state, { now: () => now }, 14);
  const codes = () => read().map(({ code }) => code);
  assertEquals(codes(), ["ListenerUnused"]);
  assertStrictEquals(read(), read());
  now = Date.parse("2037-01-01T00:00:00Z");
  assertEquals(codes(), ["CertificateExpired", "ListenerUnused"]);
  state.outputs = noOutputs;
  assertEquals(codes(), []);
});
