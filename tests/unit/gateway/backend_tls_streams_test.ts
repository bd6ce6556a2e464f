/**
 * BackendTLSPolicies and routes of connections: where TLS has ended at the listener, what goes on is
 * secured as the policy asks; what is passed through stays as it is.
 */

import { assertEquals } from "@std/assert";
import { capabilitiesOf } from "../../../src/app/data_plane_capabilities.ts";
import {
  gateway,
  gatewayClass,
  listener,
  service,
  tlsSecret,
} from "../../fakes/gateway_objects.ts";
import { makeCertificate } from "../../fakes/gateway_certificates.ts";
import { backendTLSPolicy, tcpRoute, tlsRoute } from "../../fakes/gateway_kind_objects.ts";
import { GatewayWorld } from "../../fakes/gateway_world.ts";

const system = {
  validation: { hostname: "web.example.com", wellKnownCACertificates: "System" },
};

async function world(): Promise<GatewayWorld> {
  const made = new GatewayWorld(
    {},
    capabilitiesOf({ dataPlane: "envoy", allowExternalName: false }),
  );
  made.put(
    gatewayClass(),
    tlsSecret("one", await makeCertificate(["a.example.com"])),
    service("web"),
    gateway("gw", [
      listener("through", { port: 8443, protocol: "TLS", tls: { mode: "Passthrough" } }),
      listener("ends", {
        port: 443,
        protocol: "TLS",
        tls: { mode: "Terminate", certificateRefs: [{ name: "one" }] },
      }),
      listener("tcp", { port: 9000, protocol: "TCP" }),
    ]),
  );
  return made;
}

/** Per listener, where its streams go. */
function clustersOf(made: GatewayWorld): readonly string[] {
  const { gateways } = made.outputs().dataPlane;
  return [...gateways.values()].flatMap(({ listeners }) =>
    listeners.flatMap(({ name, streams }) =>
      streams.flatMap(({ backends }) => backends.map(({ cluster }) => `${name} ${cluster}`))
    )
  );
}

Deno.test("A policy secures what goes on from a TLS listener that terminates, and nothing else", async () => {
  const made = await world();
  made.put(tlsRoute("t"), tcpRoute("c"));
  const plain = ["default/web/80/TCP", "default/web/80/TCP", "default/web/80/TCP"];
  assertEquals(clustersOf(made).map((line) => line.split(" ")[1]), plain);
  made.put(backendTLSPolicy("p", system));
  assertEquals(clustersOf(made), [
    "through default/web/80/TCP",
    "ends default/web/80/TLS",
    "tcp default/web/80/TCP",
  ]);
  const { clusters } = made.outputs().dataPlane;
  assertEquals(
    [...clusters.values()].map(({ name, tls }) => [String(name), tls?.hostname]),
    [["default/web/80/TCP", undefined], ["default/web/80/TLS", "web.example.com"]],
  );
});

Deno.test("A policy that cannot be followed leaves terminated connections without a backend", async () => {
  const made = await world();
  made.put(tlsRoute("t"), backendTLSPolicy("p"));
  assertEquals(clustersOf(made), ["through default/web/80/TCP", "ends undefined"]);
});

Deno.test("A Gateway that only passes bytes on is no ancestor of a policy", async () => {
  const made = await world();
  made.put(tcpRoute("c"), backendTLSPolicy("p", system));
  assertEquals(made.status("BackendTLSPolicy", "default/p"), undefined);
  made.put(tlsRoute("t"));
  const body = made.status("BackendTLSPolicy", "default/p")?.body;
  assertEquals(body?.shape === "ancestors" && body.ancestors.length, 1);
});
