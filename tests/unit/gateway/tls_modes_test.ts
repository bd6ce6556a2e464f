// What a listener with protocol TLS says of its mode on data planes that can do less than both. A user
// would otherwise send bytes to a listener that ends TLS where it should pass it on, or the reverse.

import { assertEquals } from "@std/assert";
import type { Feature } from "../../../src/gateway/capabilities.ts";
import { fullCapabilities } from "../../fakes/data_planes.ts";
import { gateway, gatewayClass, listener } from "../../fakes/gateway_objects.ts";
import { GatewayWorld } from "../../fakes/gateway_world.ts";

function worldWithout(...missing: readonly Feature[]): GatewayWorld {
  const features = new Set([...fullCapabilities.features].filter((one) => !missing.includes(one)));
  const world = new GatewayWorld({}, { ...fullCapabilities, features });
  const tls = (mode: string, hostname: string, port = 443) =>
    listener(`${mode}-${port}`, { port, protocol: "TLS", hostname, tls: { mode } });
  world.put(
    gatewayClass(),
    gateway("gw", [
      tls("Passthrough", "a.example.com"),
      tls("Terminate", "b.example.com"),
      tls("Passthrough", "a.example.com", 8443),
    ]),
  );
  return world;
}

function accepted(world: GatewayWorld): readonly string[] {
  return ["Passthrough-443", "Terminate-443", "Passthrough-8443"].map((name) =>
    world.listenerCondition("default/gw", name, "Accepted")
  );
}

Deno.test("Both TLS modes share a port, told apart by hostname, where the data plane can", () => {
  assertEquals(accepted(worldWithout()), ["True/Accepted", "True/Accepted", "True/Accepted"]);
});

Deno.test("Where one port cannot have both TLS modes, both listeners are in conflict, others not", () => {
  const world = worldWithout("TLSRouteModeMixed");
  assertEquals(accepted(world), [
    "False/ProtocolConflict",
    "False/ProtocolConflict",
    "True/Accepted",
  ]);
});

Deno.test("A TLS mode that is not served at all is an unsupported value of that listener alone", () => {
  const world = worldWithout("TLSRouteModeTerminate", "TLSRouteModeMixed");
  assertEquals(accepted(world), ["True/Accepted", "False/UnsupportedValue", "True/Accepted"]);
});
