/**
 * The Hono app: routes of the groups that exist, and what holds for every route.
 *
 * Errors are problems (RFC 9457) and are logged here, once, and only when they are our fault. A
 * known path with another method is 405 with `Allow`. A misspelt query parameter is refused, because
 * silence would look like an answer to the question. Sockets, limits and the host guard are the
 * server's business.
 */

import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Logger } from "../base/log.ts";
import { didYouMean } from "../base/nearest.ts";
import { createIndexGroup } from "./index_routes.ts";
import { createOpenApiGroup } from "./openapi_routes.ts";
import { bodyTooLarge, problemResponse, RefusedError } from "./problem.ts";
import type { Route, RouteGroup, RouteRequest } from "./route_group.ts";
import { securityHeaders } from "./security_headers.ts";

/** What is known of the matched route after the answer. */
export interface AppVariables {
  /** The path pattern; unset when none matched. */
  route?: string;
}

/** The app's type for Hono. */
export type HttpApp = Hono<{ Variables: AppVariables }>;

/** How the app is made. */
export interface HttpAppOptions {
  /** Groups of the features that are on. */
  readonly groups: readonly RouteGroup[];
  readonly log: Logger;
  /** Version of the program, for the OpenAPI document. */
  readonly version: string;
  /** Bytes of a body; a larger one is answered 413 before a handler sees it. */
  readonly bodyMaxBytes: number;
  /** Told about every answer. */
  readonly onAnswer?: (answer: Answer) => void;
}

/** One answered request. */
export interface Answer {
  readonly method: string;
  /** The path pattern; undefined when none matched. */
  readonly route: string | undefined;
  readonly status: number;
}

/** Makes the app. */
export function createHttpApp(options: HttpAppOptions): HttpApp {
  const { log } = options;
  const groups: readonly RouteGroup[] = [
    ...options.groups,
    createOpenApiGroup(() => routes, options.version),
    createIndexGroup(() => routes, options.version),
  ];
  const routes = groups.flatMap((group) => group.routes);
  const app: HttpApp = new Hono();
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(securityHeaders)) context.header(name, value);
    const { method } = context.req;
    options.onAnswer?.({ method, route: context.get("route"), status: context.res.status });
  });
  app.use(bodyLimit({
    maxSize: options.bodyMaxBytes,
    onError: (context) => problemResponse({ ...bodyTooLarge, instance: context.req.path }),
  }));
  registerRoutes(app, routes);
  app.notFound((context) =>
    problemResponse({
      status: 404,
      reason: "NotFound",
      detail: "Find route: there is none at this path, wanted one of those at /",
      instance: context.req.path,
    })
  );
  app.onError((error, context) => {
    if (error instanceof RefusedError) {
      const { status, reason, message: detail } = error;
      return problemResponse({ status, reason, detail, instance: context.req.path });
    }
    const fields = { method: context.req.method, path: context.req.path, error };
    // A client that went away while it was sending is no fault of ours.
    if (context.req.raw.signal.aborted) log.debug("API request aborted by the client", fields);
    else log.error("API request failed", fields);
    return problemResponse({
      status: 500,
      reason: "InternalError",
      detail: "Serve request: it failed inside weir, the log says why",
      instance: context.req.path,
    });
  });
  return app;
}

/** Registers every route, and for every path the answers to all other methods. */
function registerRoutes(app: HttpApp, routes: readonly Route[]): void {
  const methods = new Map<string, string[]>();
  for (const route of routes) {
    app.on(route.method, toPattern(route.path), (context) => {
      context.set("route", route.path);
      return route.handle(toRouteRequest(context, route));
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
function toRouteRequest(context: Context, route: Route): RouteRequest {
  const names = { path: new Set<string>(), query: new Set<string>() };
  for (const parameter of route.parameters) names[parameter.in].add(parameter.name);
  const query: Record<string, string> = {};
  for (const [name, value] of new URL(context.req.url).searchParams) {
    if (!names.query.has(name)) {
      throw new RefusedError(
        400,
        "UnknownParameter",
        `Read query: "${name.slice(0, 64)}" is no parameter of this path` +
          (didYouMean(name, names.query) || `, wanted ${[...names.query].join(", ") || "none"}`),
      );
    }
    if (Object.hasOwn(query, name)) {
      throw new RefusedError(400, "DuplicateParameter", `Read query: "${name}" is given twice`);
    }
    query[name] = value;
  }
  const path: Record<string, string> = {};
  for (const name of names.path) path[name] = context.req.param(name) ?? "";
  return {
    path,
    query,
    accept: context.req.header("accept") ?? "",
    readText: () => context.req.text(),
  };
}
