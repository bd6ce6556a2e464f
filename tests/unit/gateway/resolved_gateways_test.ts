/** Others configure DNS and certificates from this: it must follow every hostname and address. */

import { assertEquals } from "@std/assert";
import { RegexCache } from "../../../src/dataplane/regex.ts";
import { noOutputs } from "../../../src/gateway/outputs.ts";
import { recompute } from "../../../src/gateway/recompute.ts";
import {
  controllerName,
  gateway,
  gatewayClass,
  httpRoute,
  listener,
  service,
} from "../../fakes/gateway_objects.ts";
import { GatewayWorld, testCapabilities, toKey } from "../../fakes/gateway_world.ts";

const settings = { controllerName, dataPlane: testCapabilities, regexes: new RegexCache() };

Deno.test("A resolved Gateway names its addresses and the listeners that are served", () => {
  const world = new GatewayWorld();
  world.put(
    gatewayClass(),
    gateway("gw", [
      listener("a", { hostname: "a.example.com" }),
      listener("t", { protocol: "TCP" }),
    ]),
    service("web"),
    httpRoute("r"),
  );
  assertEquals(world.outputs().gateways.get(toKey("default/gw")), {
    namespace: "default",
    name: "gw",
    addresses: ["192.0.2.1"],
    listeners: [
      { name: "a", port: 80, protocol: "HTTP", hostname: "a.example.com", attachedRoutes: 1 },
    ],
  });
});

Deno.test("A listener that is added, a hostname and an address are changes of the Gateway", () => {
  const world = new GatewayWorld();
  world.put(gatewayClass(), gateway("gw"), gateway("other"));
  let { outputs } = recompute(world.inputs, settings, noOutputs);
  const changedKeys = (): readonly string[] => {
    const result = recompute(world.inputs, settings, outputs);
    outputs = result.outputs;
    return result.changes.gateways;
  };
  assertEquals(changedKeys(), []);
  world.put(gateway("gw", [listener("http"), listener("b", { hostname: "b.example.com" })]));
  assertEquals(changedKeys(), ["default/gw"]);
  world.address("default/gw", ["192.0.2.77"]);
  assertEquals(changedKeys(), ["default/gw"]);
  world.delete("Gateway", "default/gw");
  assertEquals(changedKeys(), ["default/gw"]);
});
