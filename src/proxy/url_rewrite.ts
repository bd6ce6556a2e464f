/**
 * Targets and locations as redirects and rewrites make them (Gateway API, HTTPPathModifier and
 * HTTPRequestRedirectFilter). The query is always kept.
 */

import { significantPrefix } from "../dataplane/match.ts";
import type { PathModifier, Redirect } from "../dataplane/http_filters.ts";

/** The request as a redirect sees it. */
export interface RedirectRequest {
  readonly scheme: "http" | "https";
  /** Without port; an IPv6 literal in brackets. */
  readonly host: string;
  /** The port of the listener's specification. */
  readonly listenerPort: number;
  /** Normalised, with query. */
  readonly target: string;
}

/** The target after `modifier`. */
export function rewriteTarget(target: string, modifier: PathModifier): string {
  const queryAt = target.indexOf("?");
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  const query = queryAt < 0 ? "" : target.slice(queryAt);
  return rewritePath(path, modifier) + query;
}

/**
 * The value of the Location header. The port is left out where it is the well-known one.
 *
 * @param reachablePort the port on which a listener port is really open
 */
export function redirectLocation(
  redirect: Redirect,
  request: RedirectRequest,
  reachablePort: (listenerPort: number) => number,
): string {
  const scheme = redirect.scheme ?? request.scheme;
  const host = redirect.hostname ?? request.host;
  const wellKnown = scheme === "https" ? 443 : 80;
  const port = reachablePort(
    redirect.port ?? (redirect.scheme === undefined ? request.listenerPort : wellKnown),
  );
  const target = redirect.path === undefined
    ? request.target
    : rewriteTarget(request.target, redirect.path);
  return `${scheme}://${host}${port === wellKnown ? "" : `:${port}`}${target}`;
}

function rewritePath(path: string, modifier: PathModifier): string {
  if (modifier.type === "ReplaceFullPath") {
    return modifier.value.startsWith("/") ? modifier.value : `/${modifier.value}`;
  }
  const rest = path.slice(significantPrefix(modifier.prefix).length);
  const rewritten = significantPrefix(modifier.value) + rest;
  return rewritten.startsWith("/") ? rewritten : `/${rewritten}`;
}
