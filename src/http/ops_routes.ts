/**
 * Health, as Kubernetes asks for it: `/livez` and `/readyz`, and `/metrics` when that is on.
 *
 * Live means that the event loop turns; a fault that a restart cannot cure never fails it. Ready means
 * that every subsystem can do its work; features that are off are listed and do not count.
 */

import { type Check, ReadinessSchema } from "../api/readiness.ts";
import { metricsContentType } from "../base/metrics_text.ts";
import { toPrintable } from "../base/printable.ts";
import {
  jsonTextResponse,
  prefersType,
  type Route,
  type RouteGroup,
  type RouteRequest,
  textResponse,
} from "./route_group.ts";
import type { MetricsView, ReadinessView } from "./views.ts";

const marks = { ok: "+", failed: "-", off: " " } as const;

/** `/livez` and `/readyz`. */
export function createHealthGroup(readiness: ReadinessView): RouteGroup {
  const livez: Route = {
    method: "GET",
    path: "/livez",
    summary: "Whether the process is alive",
    parameters: [],
    withoutToken: "whole",
    responses: [{ status: 200, description: "Alive", content: { "text/plain": "text" } }],
    problems: {},
    handle: () => textResponse("ok\n"),
  };
  const readyz: Route = {
    method: "GET",
    path: "/readyz",
    summary: "Whether every part can do its work, and why not",
    parameters: [{
      name: "verbose",
      in: "query",
      description: "List every part also when all are ready; the value does not matter. Where a " +
        "token is needed, parts are listed with one only",
    }],
    withoutToken: "less",
    responses: [
      {
        status: 200,
        description: "Ready",
        content: { "text/plain": "text", "application/json": ReadinessSchema },
      },
      {
        status: 503,
        description: "Not ready; every part is listed",
        content: { "text/plain": "text", "application/json": ReadinessSchema },
      },
    ],
    problems: {},
    handle: (request) => answerReadiness(readiness.checks(), request),
  };
  return { routes: [livez, readyz] };
}

/** `/metrics`. */
export function createMetricsGroup(metrics: MetricsView): RouteGroup {
  const route: Route = {
    method: "GET",
    path: "/metrics",
    summary: "Metrics for Prometheus",
    parameters: [],
    responses: [{ status: 200, description: "A scrape", content: { "text/plain": "text" } }],
    problems: {},
    handle: () =>
      new Response(metrics.render(), { headers: { "content-type": metricsContentType } }),
  };
  return { routes: [route] };
}

function answerReadiness(checks: readonly Check[], request: RouteRequest): Response {
  const isReady = checks.every((check) => check.state !== "failed");
  const status = isReady ? 200 : 503;
  const { hasDetails } = request.grant;
  if (prefersType(request.accept, "application/json", "text/plain")) {
    const told = hasDetails ? checks : [];
    const body = JSON.stringify({ status: isReady ? "ok" : "failed", checks: told });
    return jsonTextResponse(body, {}, status);
  }
  if (!hasDetails) return textResponse(isReady ? "ok\n" : "failed\n", status);
  const isBrief = isReady && request.query["verbose"] === undefined;
  return textResponse(isBrief ? "ok\n" : formatChecks(checks, isReady), status);
}

/** A line for each check, and the sum, in the form of the API server's health checks. */
function formatChecks(checks: readonly Check[], isReady: boolean): string {
  const lines = checks.map(({ name, state, reason }) =>
    `[${marks[state]}]${name} ${state}: ${toPrintable(reason)}\n`
  );
  return `${lines.join("")}readyz check ${isReady ? "passed" : "failed"}\n`;
}
