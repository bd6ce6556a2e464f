/**
 * What a user would lose if these failed: a document that generators of clients can read.
 */

import { assert, assertEquals } from "@std/assert";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import { createOpenApiDocument } from "../../../src/api/openapi.ts";
import { StateListSchema } from "../../../src/api/state.ts";

const endpoint: Endpoint = {
  method: "GET",
  path: "/things/{kind}",
  summary: "Things",
  parameters: [
    { name: "kind", in: "path", description: "A kind", example: "httproutes" },
    { name: "limit", in: "query", description: "How many" },
  ],
  responses: [{
    status: 200,
    description: "A page",
    content: { "application/json": StateListSchema, "text/plain": "text" },
  }],
  problems: { 404: ["UnknownKind"] },
};

/** Every `$ref` anywhere in `value`. */
function refsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "$ref" && typeof inner === "string" ? [inner] : refsOf(inner)
  );
}

Deno.test("createOpenApiDocument() describes parameters, answers and problems", () => {
  const document = createOpenApiDocument([endpoint], "1.2.3");
  const content = {
    "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
  };
  assertEquals(document["paths"], {
    "/things/{kind}": {
      get: {
        summary: "Things",
        parameters: [
          {
            name: "kind",
            in: "path",
            required: true,
            description: "A kind",
            schema: { type: "string" },
            example: "httproutes",
          },
          {
            name: "limit",
            in: "query",
            required: false,
            description: "How many",
            schema: { type: "string" },
          },
        ],
        responses: {
          "200": {
            description: "A page",
            content: {
              "application/json": { schema: { $ref: "#/components/schemas/StateList" } },
              "text/plain": { schema: { type: "string" } },
            },
          },
          "404": {
            description: "UnknownKind",
            content,
            "x-reasons": ["UnknownKind", "NotFound"],
          },
          "default": { $ref: "#/components/responses/AnyProblem" },
        },
      },
    },
  });
});

Deno.test("createOpenApiDocument() defines everything that it refers to, and no circle", () => {
  const document = createOpenApiDocument([endpoint], "1.2.3");
  const { schemas, responses } = document["components"] as Record<
    "schemas" | "responses",
    Record<string, { $ref?: string }>
  >;
  const refs = new Set(refsOf(document));
  assert(refs.size > 5, [...refs].join(" "));
  for (const ref of refs) {
    const [, , part, name = ""] = ref.split("/");
    assert(Object.hasOwn(part === "responses" ? responses : schemas, name), ref);
  }
  for (const [name, schema] of Object.entries(schemas)) assertEquals(schema.$ref, undefined, name);
});
