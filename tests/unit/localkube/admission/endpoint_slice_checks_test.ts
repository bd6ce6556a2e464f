/** EndpointSlices written by hand are the backends of standalone mode: a typo must be told. */

import { assertEquals } from "@std/assert";
import { admitCore } from "../../../fakes/core_admission.ts";

function admit(fields: Record<string, unknown>, old?: Record<string, unknown>) {
  return admitCore("EndpointSlice", "discovery.k8s.io/v1", fields, old);
}

Deno.test("an EndpointSlice gets defaults for its ports only", () => {
  const fields = {
    addressType: "IPv4",
    endpoints: [{ addresses: ["127.0.0.1"], conditions: {} }],
    ports: [{ port: 3000 }],
  };
  assertEquals(admit(fields), {
    object: { ...fields, ports: [{ port: 3000, name: "", protocol: "TCP" }] },
    warnings: [],
  });
});

const refused: readonly (readonly [Record<string, unknown>, readonly string[]])[] = [
  [{ endpoints: [] }, ["addressType Required value"]],
  [{ addressType: "IP" }, [
    'addressType Unsupported value: "IP": supported values: "FQDN", "IPv4", "IPv6"',
  ]],
  [{ addressType: "IPv4", endpoints: [{}] }, [
    "endpoints[0].addresses Required value: must contain at least 1 address",
  ]],
  [{ addressType: "IPv4", endpoints: [{ addresses: ["::1"] }] }, [
    'endpoints[0].addresses[0] Invalid value: "::1": must be an IPv4 address',
  ]],
  [{ addressType: "IPv6", endpoints: [{ addresses: ["10.0.0.1"] }] }, [
    'endpoints[0].addresses[0] Invalid value: "10.0.0.1": must be an IPv6 address',
  ]],
  [{ addressType: "FQDN", endpoints: [{ addresses: ["A.example.com"] }] }, [
    "endpoints[0].addresses[0] Invalid value: \"A.example.com\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ]],
  [
    { addressType: "IPv4", endpoints: [{ addresses: ["10.0.0.1"], conditions: { ready: "yes" } }] },
    [
      'endpoints[0].conditions.ready Invalid value: "string": endpoints[0].conditions.ready in body must be of type boolean: "string"',
    ],
  ],
  [{
    addressType: "IPv4",
    endpoints: Array.from({ length: 1001 }, () => ({ addresses: ["10.0.0.1"] })),
  }, ["endpoints Too many: 1001: must have at most 1000 items"]],
  [{
    addressType: "IPv4",
    endpoints: [{ addresses: Array.from({ length: 101 }, () => "10.0.0.1") }],
  }, ["endpoints[0].addresses Too many: 101: must have at most 100 items"]],
  [{ addressType: "IPv4", ports: [{ port: 0 }, { name: "a", protocol: "HTTP" }] }, [
    "ports[0].port Invalid value: 0: must be between 1 and 65535, inclusive",
    'ports[1].protocol Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"',
  ]],
  [{ addressType: "IPv4", ports: [{ port: 1 }, { port: 2 }] }, [
    'ports[1].name Duplicate value: ""',
  ]],
];

for (const [fields, causes] of refused) {
  Deno.test(`an EndpointSlice is refused: ${JSON.stringify(fields).slice(0, 90)}`, () => {
    assertEquals(admit(fields), { causes: [...causes] });
  });
}

Deno.test("the address type of an EndpointSlice cannot be changed", () => {
  assertEquals(admit({ addressType: "IPv6" }, { addressType: "IPv4" }), {
    causes: ['addressType Invalid value: "IPv6": field is immutable'],
  });
});
