/**
 * The OpenAPI 3.1 document, made from the endpoint descriptions and the schemas of this folder.
 *
 * A schema with a title becomes a named component that others refer to. Pure; loads the converter,
 * so it is itself loaded only when somebody asks for the document.
 */

import { toJsonSchema } from "@valibot/to-json-schema";
import { getTitle } from "valibot";
import type { AnySchema, Endpoint, EndpointResponse, RequestBody } from "./endpoint.ts";
import * as changes from "./changes.ts";
import * as explain from "./explain.ts";
import * as plan from "./plan.ts";
import { problemContentType, ProblemSchema } from "./problem.ts";
import * as proxy from "./proxy.ts";
import * as readiness from "./readiness.ts";
import * as state from "./state.ts";

/** JSON as a document holds it. */
type Json = Record<string, unknown>;

/** Schemas with a name of their own. */
const namedSchemas: readonly AnySchema[] = [
  ProblemSchema,
  readiness.CheckSchema,
  readiness.ReadinessSchema,
  state.RevisionSchema,
  state.ManifestProblemSchema,
  state.DiagnosticSchema,
  state.StateSummarySchema,
  state.StateObjectSchema,
  state.StateListSchema,
  proxy.ObjectRefSchema,
  proxy.FilterSchema,
  proxy.RouteEntrySchema,
  proxy.ListenerSchema,
  proxy.ProxyGatewaySchema,
  proxy.ClusterSchema,
  proxy.ProxyStateSchema,
  explain.BackendShareSchema,
  explain.ConsideredRouteSchema,
  explain.ConsideredListenerSchema,
  explain.RequestExplanationSchema,
  plan.OutputChangeSchema,
  plan.PlannedChangeSchema,
  plan.PlanSchema,
  changes.ChangeCauseSchema,
  changes.ChangeEventSchema,
  changes.GapEventSchema,
  changes.EndEventSchema,
];

/** The document for `endpoints`, in their order. */
export function createOpenApiDocument(endpoints: readonly Endpoint[], version: string): Json {
  const definitions = Object.fromEntries(
    namedSchemas.map((schema) => [getTitle(schema) ?? "", schema]),
  );
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const operations = paths[endpoint.path] ??= {};
    operations[endpoint.method.toLowerCase()] = toOperation(endpoint, definitions);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "weir",
      version,
      description: "State, configuration and health of a weir process",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(definitions).map(([name, schema]) => {
          // A component must not become a reference to itself.
          const { [name]: _, ...others } = definitions;
          return [name, convert(schema, others)];
        }),
      ),
    },
  };
}

function toOperation(endpoint: Endpoint, definitions: Record<string, AnySchema>): Json {
  const responses: Record<string, Json> = {};
  for (const response of endpoint.responses) {
    responses[String(response.status)] = toResponse(response, definitions);
  }
  for (const [status, reasons] of Object.entries(endpoint.problems)) {
    responses[status] ??= problemResponse(reasons, definitions);
  }
  responses["default"] = problemResponse("Any other problem", definitions);
  return {
    summary: endpoint.summary,
    parameters: endpoint.parameters.map((parameter) => ({
      name: parameter.name,
      in: parameter.in,
      required: parameter.in === "path" || parameter.required === true,
      description: parameter.description,
      schema: parameter.repeatable
        ? { type: "array", items: { type: "string" } }
        : { type: "string" },
      ...(parameter.example === undefined ? {} : { example: parameter.example }),
    })),
    ...(endpoint.requestBody && { requestBody: toRequestBody(endpoint.requestBody) }),
    responses,
  };
}

function toRequestBody({ description, contentTypes, required }: RequestBody): Json {
  const content = contentTypes.map((type) => [type, { schema: { type: "string" } }]);
  return { description, required, content: Object.fromEntries(content) };
}

function toResponse(response: EndpointResponse, definitions: Record<string, AnySchema>): Json {
  const content = Object.entries(response.content).map(([type, schema]) => [
    type,
    { schema: schema === "text" ? { type: "string" } : convert(schema, definitions) },
  ]);
  return { description: response.description, content: Object.fromEntries(content) };
}

function problemResponse(description: string, definitions: Record<string, AnySchema>): Json {
  const schema = convert(ProblemSchema, definitions);
  return { description, content: { [problemContentType]: { schema } } };
}

/** A schema in the document's dialect, with references to the named ones. */
function convert(schema: AnySchema, definitions: Record<string, AnySchema>): Json {
  const { $schema: _, $defs: __, ...rest } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode: "output",
    definitions,
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  });
  return rest;
}
