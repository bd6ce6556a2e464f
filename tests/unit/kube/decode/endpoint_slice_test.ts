/** EndpointSlices at the door: which endpoints get requests, and which only when no other is left. */

import { assertEquals } from "@std/assert";
import { endpointSlice, type Json } from "../../../fakes/gateway_objects.ts";
import { decoded } from "../../../fakes/gateway_world.ts";

Deno.test("EndpointSlice of a real API server, with null for empty lists, decodes", () => {
  const slice = decoded(
    "EndpointSlice",
    endpointSlice("e", "s", [], {
      endpoints: null,
      ports: [{ name: null, port: 80, protocol: null }, { name: "any", port: null }],
    }),
  );
  assertEquals(slice.ports, [{ name: "", port: 80, protocol: "TCP" }]);
  assertEquals(slice.readyAddresses, []);
});

const endpointConditions: readonly (readonly [Json | undefined, "ready" | "draining" | "gone"])[] =
  [
    [undefined, "ready"],
    [{}, "ready"],
    [{ ready: null }, "ready"],
    [{ ready: true, serving: true, terminating: false }, "ready"],
    // Of a Service that publishes endpoints before they are ready.
    [{ ready: true, serving: false, terminating: true }, "ready"],
    [{ ready: false }, "gone"],
    [{ ready: false, serving: true, terminating: false }, "gone"],
    [{ ready: false, serving: false, terminating: true }, "gone"],
    [{ ready: false, terminating: true }, "gone"],
    [{ ready: false, serving: true, terminating: true }, "draining"],
    [{ ready: false, serving: true, terminating: null }, "gone"],
  ];

for (const [conditions, wanted] of endpointConditions) {
  Deno.test(`EndpointSlice endpoint with conditions ${JSON.stringify(conditions)} is ${wanted}`, () => {
    const endpoints = [{ addresses: ["10.0.0.1"], ...(conditions && { conditions }) }];
    const slice = decoded("EndpointSlice", endpointSlice("e", "s", [], { endpoints }));
    assertEquals([slice.readyAddresses, slice.drainingAddresses], [
      wanted === "ready" ? ["10.0.0.1"] : [],
      wanted === "draining" ? ["10.0.0.1"] : [],
    ]);
  });
}
