/**
 * `/api/v1/explain/request`: who would serve a request, and why nobody else.
 *
 * Nothing is sent anywhere; the answer is computed from the configuration in service.
 */

import { RequestExplanationSchema } from "../api/explain.ts";
import {
  headersMax,
  readGateway,
  readHeader,
  readHost,
  type Reading,
  readMethod,
  readPath,
  readPort,
  type RequestQuestion,
} from "../api/request_question.ts";
import { RefusedError } from "./problem.ts";
import { jsonResponse, type Route, type RouteGroup, type RouteRequest } from "./route_group.ts";
import type { ExplainView } from "./views.ts";

/** The route that asks `explain`. */
export function createExplainGroup(explain: Pick<ExplainView, "request">): RouteGroup {
  const route: Route = {
    method: "GET",
    path: "/api/v1/explain/request",
    summary: "Which route and backend would serve a request, and why no other",
    parameters: [
      parameter("host", "As a Host header has it", "shop.example.com"),
      parameter("path", "Path and query, percent-encoded once more for the URL", "/cart"),
      parameter("port", "The port of the listener's specification, not a shifted one", "80"),
      { name: "method", in: "query", description: "GET when left out", example: "GET" },
      {
        name: "gateway",
        in: "query",
        description: "NAMESPACE/NAME: ask this Gateway alone",
        example: "default/edge",
      },
      {
        name: "header",
        in: "query",
        description: `NAME:VALUE, at most ${headersMax} times`,
        example: "x-version:2",
        repeatable: true,
      },
    ],
    responses: [{
      status: 200,
      description: "The decision and what else was considered",
      content: { "application/json": RequestExplanationSchema },
    }],
    problems: { 400: ["MissingParameter", "InvalidParameter"], 503: ["NotReady"] },
    handle: (request) => {
      const answer = explain.request(toQuestion(request));
      if (answer !== undefined) return jsonResponse(answer);
      throw new RefusedError(
        503,
        "NotReady",
        "Explain request: no configuration is computed yet, wanted a moment of patience",
      );
    },
  };
  return { routes: [route] };
}

function parameter(name: string, description: string, example: string) {
  return { name, in: "query", description, example, required: true } as const;
}

function toQuestion({ query, lists }: RouteRequest): RequestQuestion {
  const { method = "GET", host = "", path = "", port = "", gateway } = query;
  const headers = lists["header"] ?? [];
  if (headers.length > headersMax) {
    throw invalid("header", `is given ${headers.length} times, wanted at most ${headersMax}`);
  }
  return {
    method: valueOf("method", readMethod(method)),
    host: valueOf("host", readHost(host)),
    path: valueOf("path", readPath(path)),
    port: valueOf("port", readPort(port)),
    ...(gateway === undefined ? {} : { gateway: valueOf("gateway", readGateway(gateway)) }),
    headers: headers.map((text) => valueOf("header", readHeader(text))),
  };
}

function valueOf<T>(name: string, reading: Reading<T>): T {
  if ("fault" in reading) throw invalid(name, reading.fault);
  return reading.value;
}

function invalid(name: string, fault: string): RefusedError {
  return new RefusedError(400, "InvalidParameter", `Read query: "${name}" ${fault}`);
}
