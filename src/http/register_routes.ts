/**
 * From route descriptions to Hono's router.
 *
 * A known path with another method is 405 with `Allow`. A misspelt query parameter is refused, because
 * silence would look like an answer to the question.
 */

import { ServerResponse } from "node:http";
import type { Context } from "hono";
import type { Parameter } from "../api/endpoint.ts";
import { didYouMean } from "../base/nearest.ts";
import { grantOf } from "./access_gate.ts";
import type { HttpApp } from "./http_app.ts";
import { readBodyText } from "./read_body.ts";
import { problemResponse, RefusedError } from "./problem.ts";
import type { Route, RouteRequest } from "./route_group.ts";

/** Registers every route, and for every path the answers to all other methods. */
export function registerRoutes(
  app: HttpApp,
  routes: readonly Route[],
  bodyMaxBytes: number,
): void {
  const methods = new Map<string, string[]>();
  for (const route of routes) {
    app.on(route.method, toPattern(route.path), (context) => {
      context.set("route", route.path);
      return route.handle(toRouteRequest(context, route, bodyMaxBytes));
    });
    const known = methods.get(route.path) ?? [];
    known.push(...(route.method === "GET" ? ["GET", "HEAD"] : [route.method]));
    methods.set(route.path, known);
  }
  for (const [path, known] of methods) {
    const allow = [...known, "OPTIONS"].join(", ");
    app.all(toPattern(path), (context) => {
      context.set("route", path);
      const { method, path: instance } = context.req;
      if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } });
      return problemResponse({
        status: 405,
        reason: "MethodNotAllowed",
        detail: `Serve request: the method is not one of this path, wanted ${allow}`,
        instance,
      }, { allow });
    });
  }
}

/** Hono's spelling of a path with parameters. */
function toPattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** The parameters that `route` declares; any other query parameter is refused. */
function toRouteRequest(context: Context, route: Route, bodyMaxBytes: number): RouteRequest {
  const { query, lists } = readQuery(new URL(context.req.url).searchParams, route.parameters);
  const path: Record<string, string> = {};
  for (const { name, in: place } of route.parameters) {
    if (place === "path") path[name] = context.req.param(name) ?? "";
  }
  return {
    path,
    query,
    lists,
    accept: context.req.header("accept") ?? "",
    contentType: context.req.header("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "",
    lastEventId: context.req.header("last-event-id") ?? "",
    cut: () => cut(context.env),
    grant: grantOf(context.env),
    get signal() {
      // The adapter makes it when it is asked for.
      return context.req.raw.signal;
    },
    readText: () => readBodyText(context.req.raw.body, bodyMaxBytes),
  };
}

function readQuery(
  given: URLSearchParams,
  parameters: readonly Parameter[],
): Pick<RouteRequest, "query" | "lists"> {
  const known = new Map(
    parameters.filter((parameter) => parameter.in === "query").map((one) => [one.name, one]),
  );
  const query: Record<string, string> = {};
  const lists: Record<string, string[]> = {};
  for (const [name, value] of given) {
    const parameter = known.get(name);
    if (!parameter) throw unknownParameter(name, [...known.keys()]);
    if (parameter.repeatable) {
      (lists[name] ??= []).push(value);
      continue;
    }
    if (Object.hasOwn(query, name)) {
      throw new RefusedError(400, "DuplicateParameter", `Read query: "${name}" is given twice`);
    }
    query[name] = value;
  }
  for (const { name, required } of known.values()) {
    if (required && !Object.hasOwn(query, name) && !Object.hasOwn(lists, name)) {
      const wanted = [...known.values()].filter((one) => one.required).map((one) => one.name);
      throw new RefusedError(
        400,
        "MissingParameter",
        `Read query: "${name}" is missing, wanted ${wanted.join(", ")}`,
      );
    }
  }
  return { query, lists };
}

function unknownParameter(name: string, known: readonly string[]): RefusedError {
  return new RefusedError(
    400,
    "UnknownParameter",
    `Read query: "${name.slice(0, 64)}" is no parameter of this path` +
      (didYouMean(name, known) || `, wanted ${known.join(", ") || "none"}`),
  );
}

/** Ends the connection of a request that came through Node's server; others have none. */
export function cut(env: unknown): void {
  if (typeof env !== "object" || env === null || !("outgoing" in env)) return;
  if (env.outgoing instanceof ServerResponse) env.outgoing.destroy();
}
