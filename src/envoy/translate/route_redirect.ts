/**
 * Redirects (Gateway API, HTTPRequestRedirectFilter).
 *
 * The location has the port of the filter, of the scheme, or of the listener, and none where that is
 * the well-known one. Envoy keeps the port of the request's Host line unless it is given a host or a
 * port, and cannot be told to drop it: for one known host it is given the host, for others requests
 * with a port in the Host line get a route of their own, which writes the port out.
 */

import { escapePath } from "../../dataplane/writable_text.ts";
import type { Redirect } from "../../dataplane/http_filters.ts";
import type { ProtoObject } from "../codec.ts";
import { pathRewriteFields } from "./path_rewrite.ts";
import { present } from "./proto_fields.ts";

/** Where the request that is redirected came in. */
export interface RedirectPlace {
  readonly scheme: "http" | "https";
  /** The port of the listener's specification. */
  readonly port: number;
  /** The one host of the requests; absent: they may have others. */
  readonly host?: string;
}

/** One redirect: for requests with a port in their Host line alone, or for all that are left. */
export interface RedirectAction {
  readonly isForHostWithPort: boolean;
  /** `config.route.v3.RedirectAction`. */
  readonly redirect: ProtoObject;
}

/** The redirects to try in this order; never empty. */
export function redirectActions(redirect: Redirect, place: RedirectPlace): RedirectAction[] {
  const scheme = redirect.scheme ?? place.scheme;
  const wellKnown = scheme === "https" ? 443 : 80;
  const port = redirect.port ?? (redirect.scheme === undefined ? place.port : wellKnown);
  const common = {
    ...present({
      schemeRedirect: redirect.scheme,
      hostRedirect: redirect.hostname,
    }),
    ...pathFields(redirect),
    responseCode: responseCodes.get(redirect.statusCode) ?? "FOUND",
  };
  if (port !== wellKnown) return [action({ ...common, portRedirect: port })];
  if (redirect.hostname !== undefined) return [action(common)];
  if (place.host !== undefined) return [action({ ...common, hostRedirect: place.host })];
  return [
    { isForHostWithPort: true, redirect: { ...common, portRedirect: port } },
    action(common),
  ];
}

function action(redirect: ProtoObject): RedirectAction {
  return { isForHostWithPort: false, redirect };
}

function pathFields({ path }: Redirect): ProtoObject {
  if (path?.type !== "ReplaceFullPath") return pathRewriteFields(path);
  const value = escapePath(path.value);
  return { pathRedirect: value.startsWith("/") ? value : `/${value}` };
}

const responseCodes: ReadonlyMap<number, string> = new Map([
  [301, "MOVED_PERMANENTLY"],
  [302, "FOUND"],
  [303, "SEE_OTHER"],
  [307, "TEMPORARY_REDIRECT"],
  [308, "PERMANENT_REDIRECT"],
]);
