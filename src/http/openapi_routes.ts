/**
 * `/openapi.json`: the document of all routes that exist in this process.
 */

import type { Endpoint } from "../api/endpoint.ts";
import { OpenApiDocumentSchema } from "../api/openapi_document.ts";
import { jsonResponse, type Route, type RouteGroup } from "./route_group.ts";

/**
 * The route of the document.
 *
 * @param endpoints all endpoints, asked for when the document is
 */
export function createOpenApiGroup(
  endpoints: () => readonly Endpoint[],
  version: string,
): RouteGroup {
  const route: Route = {
    method: "GET",
    path: "/openapi.json",
    summary: "This API as an OpenAPI 3.1 document",
    parameters: [],
    responses: [{
      status: 200,
      description: "The document",
      content: { "application/json": OpenApiDocumentSchema },
    }],
    problems: {},
    handle: async () => {
      // Loaded late: the schema converter is of no use to a process that nobody asks.
      const { createOpenApiDocument } = await import("../api/openapi.ts");
      return jsonResponse(createOpenApiDocument(endpoints(), version));
    },
  };
  return { routes: [route] };
}
