/**
 * Filters of rules and backend references, from the API's shape to the data plane's.
 *
 * A filter that is not served is a fault, never skipped: skipping one could let a request through
 * that the filter was there to stop or change.
 */

import type { HeaderModifier, HttpFilter, PathModifier } from "../../dataplane/model.ts";
import type { HTTPRouteFilter, HTTPRouteRule } from "../../kube/decode/http_route.ts";
import type { Finding } from "./finding.ts";

/** Filters that are served, or the first fault. */
export type CompiledFilters = { readonly filters: readonly HttpFilter[] } | Finding;

const none: CompiledFilters = { filters: [] };

/** Filters of a rule. */
export function compileRuleFilters(rule: HTTPRouteRule, dataPlane: string): CompiledFilters {
  if (rule.filters.length === 0) return none;
  const types = new Set(rule.filters.map(({ type }) => type));
  if (types.has("RequestRedirect") && types.has("URLRewrite")) {
    return {
      reason: "IncompatibleFilters",
      message: `filters "RequestRedirect" and "URLRewrite" cannot be combined`,
    };
  }
  return compileAll(rule.filters, (filter) => compileFilter(filter, rule, dataPlane));
}

/** Filters of a backend reference: headers only. */
export function compileBackendFilters(
  filters: readonly HTTPRouteFilter[],
  dataPlane: string,
): CompiledFilters {
  if (filters.length === 0) return none;
  return compileAll(
    filters,
    (filter) => compileHeaderFilter(filter) ?? unserved(filter, dataPlane),
  );
}

function compileAll(
  filters: readonly HTTPRouteFilter[],
  compile: (filter: HTTPRouteFilter) => HttpFilter | Finding,
): CompiledFilters {
  const compiled: HttpFilter[] = [];
  for (const filter of filters) {
    const result = compile(filter);
    if ("reason" in result) return result;
    compiled.push(result);
  }
  return { filters: compiled };
}

function compileFilter(
  filter: HTTPRouteFilter,
  rule: HTTPRouteRule,
  dataPlane: string,
): HttpFilter | Finding {
  const { type, requestRedirect, urlRewrite } = filter;
  if (type === "RequestRedirect" && requestRedirect) {
    const { path, ...redirect } = requestRedirect;
    const modifier = path && compilePath(path, rule);
    if (modifier && "reason" in modifier) return modifier;
    return { type, redirect: { ...redirect, ...(modifier && { path: modifier }) } };
  }
  if (type === "URLRewrite" && urlRewrite) {
    const { path, ...rewrite } = urlRewrite;
    const modifier = path && compilePath(path, rule);
    if (modifier && "reason" in modifier) return modifier;
    return { type, rewrite: { ...rewrite, ...(modifier && { path: modifier }) } };
  }
  return compileHeaderFilter(filter) ?? unserved(filter, dataPlane);
}

function compileHeaderFilter(filter: HTTPRouteFilter): HttpFilter | undefined {
  const { type, requestHeaderModifier, responseHeaderModifier } = filter;
  if (type === "RequestHeaderModifier" && requestHeaderModifier) {
    return { type, headers: requestHeaderModifier satisfies HeaderModifier };
  }
  if (type === "ResponseHeaderModifier" && responseHeaderModifier) {
    return { type, headers: responseHeaderModifier };
  }
  return undefined;
}

function unserved({ type }: HTTPRouteFilter, dataPlane: string): Finding {
  return {
    reason: "UnsupportedValue",
    message: `filter "${type}" is not served by data plane "${dataPlane}"`,
  };
}

type PathSpec = NonNullable<NonNullable<HTTPRouteFilter["urlRewrite"]>["path"]>;

/** `ReplacePrefixMatch` is defined only beside exactly one match, of type `PathPrefix`. */
function compilePath(path: PathSpec, rule: HTTPRouteRule): PathModifier | Finding {
  if (path.type === "ReplaceFullPath") return { type: path.type, value: path.replaceFullPath };
  const [match] = rule.matches;
  if (!match || rule.matches.length > 1 || match.path.type !== "PathPrefix") {
    return {
      reason: "UnsupportedValue",
      message: `"ReplacePrefixMatch" needs exactly one match, of type "PathPrefix"`,
    };
  }
  return { type: path.type, value: path.replacePrefixMatch, prefix: match.path.value };
}
