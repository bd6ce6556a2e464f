/**
 * The OpenAPI 3.1 document, made from the endpoint descriptions and the schemas of this folder.
 *
 * A schema with a title becomes a named component that others refer to. Two extensions say what
 * OpenAPI has no words for: `x-reasons` of a problem lists every `reason` that it may have, `x-events`
 * of a stream the schema of each event's data. Pure; loads the converter, so it is itself loaded only
 * when somebody asks for the document.
 */

import { toJsonSchema } from "@valibot/to-json-schema";
import { getTitle } from "valibot";
import type { AnySchema, Endpoint, EndpointResponse, RequestBody } from "./endpoint.ts";
import * as changes from "./changes.ts";
import * as explain from "./explain.ts";
import * as explainStatus from "./explain_status.ts";
import * as plan from "./plan.ts";
import { OpenApiDocumentSchema } from "./openapi_document.ts";
import { generalReasons, problemContentType, ProblemSchema } from "./problem.ts";
import * as proxy from "./proxy.ts";
import * as readiness from "./readiness.ts";
import * as state from "./state.ts";

/** JSON as a document holds it. */
type Json = Record<string, unknown>;

/** Schemas with a name of their own. */
const namedSchemas: readonly AnySchema[] = [
  OpenApiDocumentSchema,
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
  explainStatus.BecauseSchema,
  explainStatus.ChainStepSchema,
  explainStatus.LastChangeSchema,
  explainStatus.ConditionExplanationSchema,
  explainStatus.StatusExplanationSchema,
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
    // The first: a weir that trusts whoever reaches it, on a person's own machine.
    security: [{}, withToken],
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description:
            "A token of the cluster, whose holder may use the path (nonResourceURLs), or " +
            "one of --api-tokens. Needed in a pod and on addresses that others reach",
        },
      },
      responses: {
        AnyProblem: problemResponse("Any other problem", Object.values(generalReasons).flat()),
      },
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
    const all = [...reasons, ...generalReasons[Number(status)] ?? []];
    responses[status] ??= problemResponse(reasons.join(", "), all);
  }
  responses["default"] = { $ref: anyProblem };
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
    ...endpoint.withoutToken === "whole" ? { security: [] } : {},
    ...endpoint.withoutToken === "less" ? { security: [{}, withToken] } : {},
  };
}

/** The security requirement of a caller with a token. */
const withToken = { bearer: [] };

function toRequestBody({ description, contentTypes, required }: RequestBody): Json {
  const content = contentTypes.map((type) => [type, { schema: { type: "string" } }]);
  return { description, required, content: Object.fromEntries(content) };
}

function toResponse(response: EndpointResponse, definitions: Record<string, AnySchema>): Json {
  const { description, content, events } = response;
  const types = Object.entries(content).map(([type, schema]) => [type, {
    schema: schema === "text" ? { type: "string" } : convert(schema, definitions),
    ...(events && { "x-events": convertAll(events, definitions) }),
  }]);
  return { description, content: Object.fromEntries(types) };
}

function convertAll(
  schemas: Readonly<Record<string, AnySchema>>,
  definitions: Record<string, AnySchema>,
): Json {
  const all = Object.entries(schemas);
  return Object.fromEntries(all.map(([name, schema]) => [name, convert(schema, definitions)]));
}

/** What `default` of every operation refers to. */
const anyProblem = "#/components/responses/AnyProblem";

function problemResponse(description: string, reasons: readonly string[]): Json {
  const schema = { $ref: `#/components/schemas/${getTitle(ProblemSchema)}` };
  return {
    description,
    content: { [problemContentType]: { schema } },
    "x-reasons": [...new Set(reasons)],
  };
}

/** A schema in the document's dialect, with references to the named ones. */
function convert(schema: AnySchema, definitions: Record<string, AnySchema>): Json {
  const { $schema: _, $defs: __, ...rest } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode: "output",
    definitions,
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
    // An object with fields that are not listed says so; any other has no more than are listed.
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      valibotSchema.type === "loose_object" ? { ...jsonSchema, additionalProperties: true } : null,
  });
  return rest;
}
