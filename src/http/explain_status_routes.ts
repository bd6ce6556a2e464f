/**
 * `/api/v1/explain/{kind}/…`: why the conditions of an object are what they are.
 *
 * Told from what the computation recorded; nothing is computed anew.
 */

import type { Parameter } from "../api/endpoint.ts";
import { StatusExplanationSchema } from "../api/explain_status.ts";
import {
  clusterScopedParameters,
  namespacedParameters,
  notFound,
  objectOfPath,
} from "./object_path.ts";
import { RefusedError } from "./problem.ts";
import { jsonResponse, type Route, type RouteGroup, type RouteRequest } from "./route_group.ts";
import type { ExplainView } from "./views.ts";

/** The routes that ask `explain` about statuses. */
export function createExplainStatusGroup(
  explain: Pick<ExplainView, "kinds" | "status">,
): RouteGroup {
  const route = (path: string, parameters: readonly Parameter[], summary: string): Route => ({
    method: "GET",
    path: `/api/v1/explain/${path}`,
    summary,
    parameters,
    responses: [{
      status: 200,
      description: "Every condition with what it follows from",
      content: { "application/json": StatusExplanationSchema },
    }],
    problems: { 404: ["UnknownKind", "NotFound", "NoStatus"], 503: ["NotReady"] },
    handle: (request) => answer(explain, request),
  });
  return {
    routes: [
      route(
        "{kind}/{name}",
        clusterScopedParameters,
        "Why the status of an object of a kind without namespaces says what it says",
      ),
      route(
        "{kind}/{namespace}/{name}",
        namespacedParameters,
        "Why the conditions of an object are what they are, since when, because of which change",
      ),
    ],
  };
}

async function answer(
  explain: Pick<ExplainView, "kinds" | "status">,
  { path }: RouteRequest,
): Promise<Response> {
  const { names, name } = objectOfPath(explain.kinds, path);
  const found = await explain.status(names.kind, name);
  if (found.ok) return jsonResponse(found.explanation);
  const { reason, detail } = found;
  if (reason === "NotFound") throw notFound(detail);
  throw new RefusedError(reason === "NoStatus" ? 404 : 503, reason, `Explain status: ${detail}`);
}
