/**
 * The Hono app: routes of the groups that exist, and what holds for every route.
 *
 * Errors are problems (RFC 9457) and are logged here, once, and only when they are our fault: a
 * client that goes away is not logged as an error. Sockets, limits and the host guard are the server's
 * business.
 */

import { Hono } from "hono";
import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { HttpApp } from "./http_app.ts";
import { createIndexGroup } from "./index_routes.ts";
import { createOpenApiGroup } from "./openapi_routes.ts";
import { problemResponse, RefusedError } from "./problem.ts";
import { registerRoutes } from "./register_routes.ts";
import type { RouteGroup } from "./route_group.ts";
import { securityHeaders } from "./security_headers.ts";

/** How the app is made. */
export interface HttpAppOptions {
  /** Groups of the features that are on. */
  readonly groups: readonly RouteGroup[];
  readonly log: Logger;
  /** Version of the program, for the OpenAPI document. */
  readonly version: string;
  /** Bytes of a body; a larger one is answered 413. */
  readonly bodyMaxBytes: number;
  /** Measures how long answers take. */
  readonly clock: Pick<Clock, "monotonicMs">;
  /** Told about every answer. */
  readonly onAnswer?: (answer: Answer) => void;
}

/** One answered request. */
export interface Answer {
  readonly method: string;
  /** The path pattern; undefined when none matched. */
  readonly route: string | undefined;
  readonly status: number;
  /** From the request's headers to the answer's; a stream goes on after that. */
  readonly seconds: number;
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
    const startMs = options.clock.monotonicMs();
    await next();
    for (const [name, value] of Object.entries(securityHeaders)) context.header(name, value);
    options.onAnswer?.({
      method: context.req.method,
      route: context.get("route"),
      status: context.res.status,
      seconds: (options.clock.monotonicMs() - startMs) / 1000,
    });
  });
  registerRoutes(app, routes, options.bodyMaxBytes);
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
      const { status, reason, message: detail, headers } = error;
      return problemResponse({ status, reason, detail, instance: context.req.path }, headers);
    }
    const fields = { method: context.req.method, path: context.req.path, error };
    // A client that went away while it was sending, or while we worked, is no fault of ours.
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
