/**
 * The codec stands between all that weir tells Envoy and its bytes: a field that it drops or names
 * differently is a setting that silently does nothing.
 */

import { assertEquals, assertThrows } from "@std/assert";
import { loadEnvoyCodec } from "../../../src/envoy/protobuf_codec.ts";
import packed from "../../../src/envoy/descriptors/envoy_descriptors.json" with { type: "json" };
import { messageNames } from "../../../src/envoy/resources.ts";

const codec = await loadEnvoyCodec();

const cluster = {
  name: "shop/cart/80",
  type: "EDS",
  edsClusterConfig: { edsConfig: { ads: {}, resourceApiVersion: "V3" } },
  connectTimeout: "1.500s",
  typedExtensionProtocolOptions: {
    "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
      "@type": "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
      explicitHttpConfig: { http2ProtocolOptions: { maxConcurrentStreams: 100 } },
    },
  },
};

Deno.test("envoy_descriptors.json holds what its hash says, of the Envoy that weir runs", async () => {
  const gzip = Uint8Array.fromBase64(packed.gzip);
  const stream = new Blob([gzip]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = await new Response(stream).arrayBuffer();
  assertEquals(packed.version, "v1.40.0");
  assertEquals(bytes.byteLength, packed.length);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  assertEquals(digest.toHex(), packed.sha256);
});

Deno.test("EnvoyCodec gives back what it encoded, types inside of others included", () => {
  const bytes = codec.encode(messageNames.cluster, cluster);
  assertEquals(codec.decode(messageNames.cluster, bytes), cluster);
  assertEquals(codec.encode(messageNames.cluster, cluster), bytes);
});

Deno.test("EnvoyCodec.encode() knows fields that came with Envoy 1.40", () => {
  const messages: [string, Parameters<typeof codec.encode>[1]][] = [
    ["envoy.type.http.v3.Cookie", {
      name: "a",
      attributes: [{ name: "SameSite", value: "Strict" }],
    }],
    ["envoy.config.route.v3.RouteMatch", {
      prefix: "/",
      cookies: [{ name: "a", stringMatch: { exact: "b" } }],
    }],
    ["envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext", { autoHostSni: true }],
    ["envoy.extensions.clusters.dns.v3.DnsCluster", { respectDnsTtl: true }],
  ];
  for (const [name, message] of messages) {
    assertEquals(codec.decode(name, codec.encode(name, message)), message, name);
  }
});

Deno.test("EnvoyCodec.encode() has every kind of resource", () => {
  for (const name of Object.values(messageNames)) {
    const field = name.endsWith("ClusterLoadAssignment") ? "clusterName" : "name";
    assertEquals(codec.decode(name, codec.encode(name, { [field]: "a" })), { [field]: "a" });
  }
});

Deno.test("EnvoyCodec.encode() refuses what Envoy does not have", () => {
  assertThrows(() => codec.encode("envoy.config.cluster.v3.Klister", {}), Error, "Klister");
  assertThrows(() => codec.encode(messageNames.cluster, { nmae: "a" }), Error, "nmae");
  assertThrows(() => codec.encode(messageNames.cluster, { connectTimeout: 5 }), Error);
  assertThrows(
    () =>
      codec.encode(messageNames.extension, { typedConfig: { "@type": "type.googleapis.com/a.B" } }),
    Error,
    "a.B",
  );
});

Deno.test("EnvoyCodec.decode() refuses bytes that are no message", () => {
  assertThrows(() => codec.decode(messageNames.cluster, new Uint8Array([0x0a, 0xff])), Error);
});
