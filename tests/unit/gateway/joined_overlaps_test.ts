/** TLS settings that overlap across a Gateway and its ListenerSets; names of others are not told. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { gateway, gatewayClass, httpsListener, tlsSecret } from "../../fakes/gateway_objects.ts";
import { listenerSet } from "../../fakes/gateway_kind_objects.ts";
import { makeCertificate } from "../../fakes/gateway_certificates.ts";
import { GatewayWorld } from "../../fakes/gateway_world.ts";

Deno.test("Listeners of a Gateway and of a set whose hostnames overlap both say so, not with whom", async () => {
  const certificate = await makeCertificate(["a.example.com"]);
  const world = new GatewayWorld();
  world.put(
    gatewayClass(),
    tlsSecret("one", certificate),
    gateway("gw", [httpsListener("own", ["one"], { hostname: "*.example.com" })], {
      allowedListeners: { namespaces: { from: "All" } },
    }),
    listenerSet("set", [httpsListener("secret-name", ["one"], { hostname: "a.example.com" })]),
  );
  const own = world.listener("default/gw", "own");
  const found = own.conditions.find(({ type }) => type === "OverlappingTLSConfig");
  assertEquals(found?.status, "True");
  assertMatch(found?.message ?? "", /of another object$/);
  const body = world.status("ListenerSet", "default/set")?.body;
  assert(body?.shape === "conditions");
  const [entry] = body.listeners ?? [];
  const theirs = entry?.conditions.find(({ type }) => type === "OverlappingTLSConfig");
  assertEquals([theirs?.status, theirs?.message.includes("own")], ["True", false]);
});
