/** Versions decide what is sent again: a restarted control plane must come to the same ones. */

import { assertEquals, assertNotEquals } from "@std/assert";
import { envoyKinds, kindOfUrl, makeResource, typeUrl } from "../../../src/envoy/resources.ts";

Deno.test("makeResource() gives equal bytes the same version, in every process", () => {
  const a = makeResource("cluster", "a", new Uint8Array([1, 2, 3]), []);
  const b = makeResource("cluster", "b", new Uint8Array([1, 2, 3]), []);
  assertEquals(a.version, "039058c6f2c0cb492c533b0a4d14ef77");
  assertEquals(b.version, a.version);
  assertNotEquals(makeResource("cluster", "a", new Uint8Array([1, 2]), []).version, a.version);
});

Deno.test("kindOfUrl() knows each kind by its URL and nothing else", () => {
  for (const kind of envoyKinds) assertEquals(kindOfUrl(typeUrl(kind)), kind);
  assertEquals(kindOfUrl("type.googleapis.com/envoy.config.route.v3.VirtualHost"), undefined);
});
