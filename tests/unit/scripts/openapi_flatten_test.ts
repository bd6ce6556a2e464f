// Kubernetes' OpenAPI says more than its API server enforces. Taken literally, the local cluster would
// refuse objects that a real one takes, and invent fields.

import { assertEquals, assertThrows } from "@std/assert";
import { OpenApiFlattener } from "../../../scripts/openapi_flatten.ts";

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const schemas = {
  Thing: {
    type: "object",
    description: "A thing",
    required: ["spec"],
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { allOf: [reference("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")] },
      spec: { allOf: [reference("Spec")], default: {}, description: "What is wanted" },
    },
  },
  Spec: {
    type: "object",
    required: ["ports"],
    properties: {
      ports: {
        type: "array",
        items: { allOf: [reference("Port")], default: {} },
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["port"],
        "x-kubernetes-patch-merge-key": "port",
      },
      names: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
      at: { type: "string", format: "date-time" },
      secret: { type: "string", format: "byte" },
      size: { oneOf: [{ type: "string" }, { type: "number" }] },
    },
  },
  Port: {
    type: "object",
    properties: {
      port: { type: "string", format: "int-or-string" },
      protocol: { type: "string", default: "" },
    },
  },
};

Deno.test("What is kept are names, types and merge keys; defaults are those of the table", () => {
  const flattener = new OpenApiFlattener(schemas, { "spec.ports.protocol": "TCP" });
  assertEquals(flattener.root("Thing"), {
    type: "object",
    description: "A thing",
    properties: {
      spec: {
        type: "object",
        description: "What is wanted",
        properties: {
          ports: {
            type: "array",
            mergeKeys: ["port"],
            items: {
              type: "object",
              properties: {
                port: { "x-kubernetes-int-or-string": true },
                protocol: { type: "string", default: "TCP" },
              },
            },
          },
          names: { type: "array", items: { type: "string" } },
          at: { type: "string", format: "date-time" },
          secret: { type: "string" },
          size: {},
        },
      },
    },
  });
});

Deno.test("A reference to nothing is told", () => {
  const broken = new OpenApiFlattener(
    { A: { type: "object", properties: { b: reference("B") } } },
    {},
  );
  assertThrows(() => broken.root("A"), Error, "no such schema");
});
