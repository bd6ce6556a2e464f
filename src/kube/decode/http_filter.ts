/**
 * Filters of HTTPRoutes with the defaults of their CRD.
 *
 * Of a filter only the part that belongs to its type is read by others. A type that is not known here
 * is kept by its name, so that a status can name it and requests behind it are not let through.
 */

import * as v from "valibot";
import { backendObjectReferenceSchema } from "./backend_reference.ts";
import type { Immutable } from "./decoded.ts";
import { headerModifierSchema, requestMirrorSchema } from "./route_filter.ts";

const namesSchema = v.optional(v.array(v.string()), []);

const pathModifierSchema = v.variant("type", [
  v.object({ type: v.literal("ReplaceFullPath"), replaceFullPath: v.string() }),
  v.object({ type: v.literal("ReplacePrefixMatch"), replacePrefixMatch: v.string() }),
]);

const corsSchema = v.object({
  allowOrigins: namesSchema,
  allowMethods: namesSchema,
  allowHeaders: namesSchema,
  exposeHeaders: namesSchema,
  allowCredentials: v.optional(v.boolean(), false),
  maxAge: v.optional(v.number(), 5),
});

const externalAuthSchema = v.object({
  protocol: v.string(),
  backendRef: backendObjectReferenceSchema,
  grpc: v.exactOptional(v.object({ allowedHeaders: namesSchema })),
  http: v.exactOptional(v.object({
    path: v.optional(v.string(), ""),
    allowedHeaders: namesSchema,
    allowedResponseHeaders: namesSchema,
  })),
  forwardBody: v.exactOptional(v.object({ maxSize: v.optional(v.number(), 0) })),
});

/** A filter of an HTTPRoute. */
export const httpFilterSchema = v.object({
  type: v.string(),
  requestHeaderModifier: v.exactOptional(headerModifierSchema),
  responseHeaderModifier: v.exactOptional(headerModifierSchema),
  requestMirror: v.exactOptional(requestMirrorSchema),
  requestRedirect: v.exactOptional(v.object({
    scheme: v.exactOptional(v.picklist(["http", "https"])),
    hostname: v.exactOptional(v.string()),
    path: v.exactOptional(pathModifierSchema),
    port: v.exactOptional(v.number()),
    statusCode: v.optional(v.picklist([301, 302, 303, 307, 308]), 302),
  })),
  urlRewrite: v.exactOptional(v.object({
    hostname: v.exactOptional(v.string()),
    path: v.exactOptional(pathModifierSchema),
  })),
  cors: v.exactOptional(corsSchema),
  externalAuth: v.exactOptional(externalAuthSchema),
});

/** One filter of a rule or of a backend reference. */
export type HTTPRouteFilter = Immutable<v.InferOutput<typeof httpFilterSchema>>;
