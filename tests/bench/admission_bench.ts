/**
 * The cost of admission: per object once warm, and of the first object of a new instance.
 *
 *     deno bench tests/bench/admission_bench.ts
 *
 * A refused object throws, so that a figure cannot come from objects that were refused early.
 */

import { SchemaAdmission } from "../../src/localkube/admission/schema_admission.ts";
import type { ObjectInput } from "../../src/localkube/store_contract.ts";

const metadata = { name: "a", namespace: "default" };
const apiVersion = "gateway.networking.k8s.io/v1";

function route(index: number, ruleCount: number): ObjectInput {
  return {
    apiVersion,
    kind: "HTTPRoute",
    metadata,
    spec: {
      parentRefs: [{ name: `gateway-${index % 100}`, sectionName: "http" }],
      hostnames: [`app-${index}.example.com`],
      rules: Array.from({ length: ruleCount }, (_, rule) => ({
        matches: [{ path: { type: "PathPrefix", value: `/v${rule}` } }],
        backendRefs: [{ name: `backend-${index % 50}`, port: 8080 }],
      })),
    },
  };
}

function gateway(listenerCount: number): ObjectInput {
  return {
    apiVersion,
    kind: "Gateway",
    metadata,
    spec: {
      gatewayClassName: "weir",
      listeners: Array.from({ length: listenerCount }, (_, index) => ({
        name: `listener-${index}`,
        hostname: `app-${index}.example.com`,
        port: 443,
        protocol: "HTTPS",
        tls: { certificateRefs: [{ name: `certificate-${index}` }] },
      })),
    },
  };
}

const slice: ObjectInput = {
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata,
  addressType: "IPv4",
  endpoints: Array.from({ length: 100 }, (_, index) => ({ addresses: [`10.0.0.${index}`] })),
  ports: [{ name: "http", port: 8080 }],
};

const admission = new SchemaAdmission();

function admitAll(
  kind: "HTTPRoute" | "Gateway" | "EndpointSlice",
  objects: readonly ObjectInput[],
) {
  for (const object of objects) {
    const result = admission.admit(kind, object, undefined);
    if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.causes)}`);
  }
}

const routes = Array.from({ length: 1000 }, (_, index) => route(index, 1));

Deno.bench("1,000 HTTPRoutes with 1 rule", () => admitAll("HTTPRoute", routes));
Deno.bench("HTTPRoute with 1 rule", () => admitAll("HTTPRoute", [route(0, 1)]));
Deno.bench("HTTPRoute with 16 rules", () => admitAll("HTTPRoute", [route(0, 16)]));
Deno.bench("Gateway with 2 listeners", () => admitAll("Gateway", [gateway(2)]));
Deno.bench("Gateway with 64 listeners", () => admitAll("Gateway", [gateway(64)]));
Deno.bench("EndpointSlice with 100 endpoints", () => admitAll("EndpointSlice", [slice]));

// Reading the schemas, building the nodes and planning the rules that the first object needs. The
// import of the CEL library, which is paid once a process, is not in it.
Deno.bench("a new SchemaAdmission and its first HTTPRoute", () => {
  const result = new SchemaAdmission().admit("HTTPRoute", route(0, 1), undefined);
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.causes)}`);
});
