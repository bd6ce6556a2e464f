/** Responses are written by hand: the library has to read them as they were meant. */

import { assertEquals } from "@std/assert";
import {
  decodeDeltaRequest,
  encodeDeltaResponse,
} from "../../../../src/envoy/ads/delta_messages.ts";
import { encodeScopeSalt } from "../../../../src/envoy/ads/scope_salt.ts";
import { loadEnvoyCodec } from "../../../../src/envoy/protobuf_codec.ts";
import { makeResource, messageNames, typeUrl } from "../../../../src/envoy/resources.ts";

const codec = await loadEnvoyCodec();
const requestName = "envoy.service.discovery.v3.DeltaDiscoveryRequest";
const responseName = "envoy.service.discovery.v3.DeltaDiscoveryResponse";

Deno.test("decodeDeltaRequest() reads a first request with a node and versions", () => {
  const bytes = codec.encode(requestName, {
    node: {
      id: "envoy-0",
      cluster: "shop/web",
      userAgentBuildVersion: { version: { majorNumber: 1, minorNumber: 40, patch: 0 } },
    },
    typeUrl: typeUrl("cluster"),
    resourceNamesSubscribe: ["*"],
    resourceNamesUnsubscribe: ["b"],
    initialResourceVersions: { a: "v1" },
  });
  assertEquals(decodeDeltaRequest(codec, bytes), {
    typeUrl: typeUrl("cluster"),
    node: { id: "envoy-0", cluster: "shop/web", version: "1.40.0" },
    subscribe: ["*"],
    unsubscribe: ["b"],
    initialVersions: new Map([["a", "v1"]]),
    nonce: "",
  });
});

Deno.test("decodeDeltaRequest() tells a refusal from an acknowledgement, without a message too", () => {
  const bytes = (errorDetail?: { code: number; message?: string }): Uint8Array =>
    codec.encode(requestName, { responseNonce: "7", ...errorDetail ? { errorDetail } : {} });
  assertEquals(decodeDeltaRequest(codec, bytes()).error, undefined);
  assertEquals(decodeDeltaRequest(codec, bytes({ code: 13 })).error, "");
  assertEquals(decodeDeltaRequest(codec, bytes({ code: 13, message: "no" })).error, "no");
});

Deno.test("encodeDeltaResponse() is what the protocol says, short and long", () => {
  const long = "x".repeat(70_000);
  const bytes = codec.encode(messageNames.cluster, { name: long });
  const resources = [makeResource("cluster", long, bytes, [])];
  const response = encodeDeltaResponse({
    kind: "cluster",
    nonce: "3",
    revision: 12,
    resources: resources.map((resource) => ({ resource })),
    removed: ["b", "c"],
  });
  assertEquals(codec.decode(responseName, response), {
    systemVersionInfo: "12",
    resources: resources.map(({ name, version }) => ({
      version,
      name,
      resource: { "@type": typeUrl("cluster"), name: long },
    })),
    typeUrl: typeUrl("cluster"),
    nonce: "3",
    removedResources: ["b", "c"],
  });
});

Deno.test("encodeDeltaResponse() merges a salt into a scope and leaves the rest of it", () => {
  const scope = { name: "a", routeConfiguration: { name: "a", validateClusters: false } };
  const resource = makeResource("scope", "a", codec.encode(messageNames.scope, scope), []);
  const sent = [1, 2].map((count) =>
    codec.decode(
      responseName,
      encodeDeltaResponse({
        kind: "scope",
        nonce: "1",
        revision: 1,
        resources: [{ resource, appendix: encodeScopeSalt(codec, count) }],
        removed: [],
      }),
    )
  );
  assertEquals(
    sent,
    [1, 2].map((salt) => ({
      systemVersionInfo: "1",
      resources: [{
        version: resource.version,
        name: "a",
        resource: {
          "@type": typeUrl("scope"),
          name: "a",
          routeConfiguration: {
            name: "a",
            validateClusters: false,
            metadata: { filterMetadata: { weir: { salt } } },
          },
        },
      }],
      typeUrl: typeUrl("scope"),
      nonce: "1",
    })),
  );
});
