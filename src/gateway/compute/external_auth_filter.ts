/**
 * The ExternalAuth filter (GEP-1494), from the API's shape to the data plane's.
 *
 * It is there to keep requests out, so whatever is wrong with it keeps them out too.
 */

import type { ExternalAuth } from "../../dataplane/model.ts";
import type { HTTPRouteFilter } from "../../kube/decode/http_filter.ts";
import type { DataPlaneCapabilities } from "../capabilities.ts";
import { type ReferringRoute, resolveBackend } from "./backends.ts";
import type { CompiledFilter } from "./compiled_filter.ts";
import type { ComputeView } from "./compute_view.ts";
import type { Finding } from "./finding.ts";

type Auth = NonNullable<HTTPRouteFilter["externalAuth"]>;

/** What `auth` of `route` comes to. */
export function compileExternalAuth(
  view: ComputeView,
  route: ReferringRoute,
  auth: Auth,
): CompiledFilter {
  const resolved = resolveBackend(view, route, auth.backendRef);
  const fault = findFault(auth, view.dataPlane);
  if ("reason" in resolved) {
    return { unresolved: resolved, isBarrier: true, ...(fault && { fault }) };
  }
  if (fault) return { fault };
  if (resolved.isUnusable) return { isBarrier: true };
  const { cluster } = resolved;
  return { filter: { type: "ExternalAuth", auth: { cluster, ...settingsOf(auth) } } };
}

function settingsOf({ protocol, grpc, http, forwardBody }: Auth): Omit<ExternalAuth, "cluster"> {
  return {
    protocol: protocol === "GRPC" ? protocol : "HTTP",
    pathPrefix: (http?.path ?? "").replace(/\/+$/, ""),
    requestHeaders: headerNames(protocol === "GRPC" ? grpc?.allowedHeaders : http?.allowedHeaders),
    responseHeaders: headerNames(http?.allowedResponseHeaders),
    bodyBytesMax: forwardBody?.maxSize ?? 0,
  };
}

function headerNames(names: readonly string[] = []): readonly string[] {
  return [...new Set(names.map((name) => name.toLowerCase()))].sort();
}

function findFault(
  { protocol, http, forwardBody }: Auth,
  { name, features }: DataPlaneCapabilities,
): Finding | undefined {
  const reason = "UnsupportedValue";
  const isServed = protocol === "HTTP"
    ? features.has("HTTPRouteExternalAuthHTTP")
    : protocol === "GRPC" && features.has("HTTPRouteExternalAuthGRPC");
  if (!isServed) {
    const message =
      `filter "ExternalAuth" with protocol "${protocol}" is not served by data plane "${name}"`;
    return { reason, message };
  }
  if (forwardBody && forwardBody.maxSize > 0 && !features.has("HTTPRouteExternalAuthForwardBody")) {
    const message = `"forwardBody" of filter "ExternalAuth" is not served by data plane "${name}"`;
    return { reason, message };
  }
  const path = http?.path ?? "";
  if (path === "" || isPlainPath(path)) return undefined;
  const message = `filter "ExternalAuth": path "${path}" is no prefix for paths, wanted one ` +
    `such as "/check", without "//", "." and ".." in it`;
  return { reason, message };
}

/** The API wants paths sanitised beyond the pattern of the CRD: they go before those of clients. */
function isPlainPath(path: string): boolean {
  const names = path.replace(/\/$/, "").split("/").slice(1);
  return path.startsWith("/") && !/%(?:2e|2f|5c)/i.test(path) &&
    names.every((name) => name !== "." && name !== ".." && plainName.test(name));
}

const plainName = /^(?:[-\w.~!$&'()*+,;=:@]|%[0-9a-f]{2})+$/i;
