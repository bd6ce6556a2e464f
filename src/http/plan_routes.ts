/**
 * `POST /api/v1/plan`: what would change if manifests were applied. Nothing is applied.
 *
 * The body is manifests, as YAML or JSON; its size is limited like every body's.
 */

import { PlanSchema } from "../api/plan.ts";
import { RefusedError } from "./problem.ts";
import {
  jsonBytesResponse,
  type Route,
  type RouteGroup,
  type RouteRequest,
} from "./route_group.ts";
import type { PlanRefusal, PlanView } from "./views.ts";

/** Objects that one plan deletes. */
const deletionsMax = 1000;
/** Refusals that are over by themselves, and when to ask again. */
const passing: ReadonlySet<PlanRefusal> = new Set(["NotReady", "PlanInProgress"]);
const retryAfterS = 1;
const contentTypes = ["application/yaml", "application/json", "application/x-yaml", "text/yaml"];

/** The route that asks `plan`. */
export function createPlanGroup(plan: PlanView): RouteGroup {
  const route: Route = {
    method: "POST",
    path: "/api/v1/plan",
    summary: "What would change if these manifests were applied; applies nothing",
    parameters: [{
      name: "delete",
      in: "query",
      description: "KIND/NAMESPACE/NAME or KIND/NAME, several with commas or by repetition",
      example: "httproute/default/shop",
      repeatable: true,
    }],
    requestBody: {
      description: "Manifests that are applied over the objects of now; may be empty",
      contentTypes,
      required: false,
    },
    responses: [{
      status: 200,
      description: "The differences, and what of the proposal was refused",
      content: { "application/json": PlanSchema },
    }],
    problems: {
      400: ["InvalidParameter"],
      413: ["ContentTooLarge"],
      415: ["UnsupportedMediaType"],
      503: ["NotReady", "PlanInProgress", "TooManyObjects", "PlanTimeout", "PlanTooLarge"],
    },
    handle: (request) => answer(plan, request),
  };
  return { routes: [route] };
}

async function answer(plan: PlanView, { lists, contentType, readText, signal }: RouteRequest) {
  const deletions = (lists["delete"] ?? []).flatMap((text) => text.split(","));
  if (deletions.length > deletionsMax) {
    const detail = `Read query: "delete" names ${deletions.length} objects, ` +
      `wanted at most ${deletionsMax}`;
    throw new RefusedError(400, "InvalidParameter", detail);
  }
  const manifests = await readText();
  if (manifests !== "" && !contentTypes.includes(contentType)) {
    throw new RefusedError(
      415,
      "UnsupportedMediaType",
      `Read body: its content type is "${contentType.slice(0, 64)}", wanted ` +
        contentTypes.join(", "),
    );
  }
  const result = await plan.plan({ manifests, deletions }, signal);
  if (result.ok) return jsonBytesResponse(result.plan);
  const { reason, detail } = result;
  const headers = passing.has(reason) ? { "retry-after": String(retryAfterS) } : {};
  throw new RefusedError(503, reason, `Compute plan: ${detail}`, headers);
}
