/**
 * Filters of rules and backend references, from the API's shape to the data plane's.
 *
 * A filter that is not served is a fault, never skipped: skipping one could let a request through
 * that the filter was there to stop or change. References of all filters are resolved, also beside a
 * fault, because their faults are told.
 */

import type { PathModifier } from "../../dataplane/http_filters.ts";
import type { HttpFilter } from "../../dataplane/model.ts";
import type { HTTPRouteFilter } from "../../kube/decode/http_filter.ts";
import type { DataPlaneCapabilities } from "../capabilities.ts";
import type { ReferringRoute } from "./backends.ts";
import type { ComputeView } from "./compute_view.ts";
import type { CompiledFilter } from "./compiled_filter.ts";
import { compileCors } from "./cors_filter.ts";
import { compileExternalAuth } from "./external_auth_filter.ts";
import type { Finding } from "./finding.ts";
import type { RuleSpec } from "./rule_spec.ts";
import { compileMirror, findMirrorFault } from "./mirror_filter.ts";

/** What the filters of one rule or backend reference come to. */
export interface CompiledFilters {
  readonly filters: readonly HttpFilter[];
  /** The first of them. */
  readonly fault?: Finding;
  readonly unresolved: readonly Finding[];
  /** Whether one of them answers every request 500. */
  readonly isBarrier: boolean;
}

const none: CompiledFilters = { filters: [], unresolved: [], isBarrier: false };

/** Filters of `rule`, which is one of `route`. */
export function compileRuleFilters(
  view: ComputeView,
  route: ReferringRoute,
  rule: RuleSpec,
): CompiledFilters {
  const { filters } = rule;
  if (filters.length === 0) return none;
  const { dataPlane } = view;
  return compileAll(
    filters.map((filter) => compileFilter(view, route, filter, rule)),
    findCombinationFault(filters) ?? findMirrorFault(filters, dataPlane),
  );
}

/** Filters of a backend reference of `route`: headers, and mirrors where the data plane has them. */
export function compileBackendFilters(
  view: ComputeView,
  route: ReferringRoute,
  filters: readonly HTTPRouteFilter[],
): CompiledFilters {
  if (filters.length === 0) return none;
  const { dataPlane } = view;
  const mirrors = dataPlane.features.has("HTTPRouteBackendRequestMirror");
  return compileAll(
    filters.map((filter) => {
      if (filter.requestMirror && mirrors) return compileMirror(view, route, filter.requestMirror);
      return compileHeaderFilter(filter) ??
        { ...referenceFaultOf(view, route, filter), fault: unserved(filter, dataPlane, "backend") };
    }),
    findMirrorFault(filters, dataPlane),
  );
}

/** A filter that is not served may have a reference, whose fault is told all the same. */
function referenceFaultOf(
  view: ComputeView,
  route: ReferringRoute,
  { requestMirror, externalAuth }: HTTPRouteFilter,
): Pick<CompiledFilter, "unresolved"> {
  const { unresolved } = requestMirror
    ? compileMirror(view, route, requestMirror)
    : externalAuth
    ? compileExternalAuth(view, route, externalAuth)
    : {};
  return unresolved ? { unresolved } : {};
}

function compileAll(compiled: readonly CompiledFilter[], fault?: Finding): CompiledFilters {
  const firstFault = fault ?? compiled.find((one) => one.fault)?.fault;
  return {
    filters: compiled.flatMap(({ filter }) => filter ?? []),
    ...(firstFault && { fault: firstFault }),
    unresolved: compiled.flatMap(({ unresolved }) => unresolved ?? []),
    isBarrier: compiled.some(({ isBarrier }) => isBarrier),
  };
}

/** The CRD refuses this; an older one in the cluster may not. */
function findCombinationFault(filters: readonly HTTPRouteFilter[]): Finding | undefined {
  const types = new Set(filters.map(({ type }) => type));
  if (!types.has("RequestRedirect") || !types.has("URLRewrite")) return undefined;
  return {
    reason: "IncompatibleFilters",
    message: `filters "RequestRedirect" and "URLRewrite" cannot be combined`,
  };
}

function compileFilter(
  view: ComputeView,
  route: ReferringRoute,
  filter: HTTPRouteFilter,
  rule: RuleSpec,
): CompiledFilter {
  const { type, requestRedirect, urlRewrite, cors, requestMirror, externalAuth } = filter;
  const { features } = view.dataPlane;
  if (type === "RequestRedirect" && requestRedirect) {
    const { path, ...redirect } = requestRedirect;
    const modifier = path && compilePath(path, rule);
    if (modifier && "reason" in modifier) return { fault: modifier };
    return { filter: { type, redirect: { ...redirect, ...(modifier && { path: modifier }) } } };
  }
  if (type === "URLRewrite" && urlRewrite) {
    const { path, ...rewrite } = urlRewrite;
    const modifier = path && compilePath(path, rule);
    if (modifier && "reason" in modifier) return { fault: modifier };
    return { filter: { type, rewrite: { ...rewrite, ...(modifier && { path: modifier }) } } };
  }
  if (type === "CORS" && cors && features.has("HTTPRouteCORS")) {
    return { filter: { type, cors: compileCors(cors) } };
  }
  if (type === "RequestMirror" && requestMirror && features.has("HTTPRouteRequestMirror")) {
    return compileMirror(view, route, requestMirror);
  }
  if (type === "ExternalAuth" && externalAuth) {
    return compileExternalAuth(view, route, externalAuth);
  }
  return compileHeaderFilter(filter) ??
    { ...referenceFaultOf(view, route, filter), fault: unserved(filter, view.dataPlane, "rule") };
}

function compileHeaderFilter(filter: HTTPRouteFilter): CompiledFilter | undefined {
  const { type, requestHeaderModifier, responseHeaderModifier } = filter;
  if (type === "RequestHeaderModifier" && requestHeaderModifier) {
    return { filter: { type, headers: requestHeaderModifier } };
  }
  if (type === "ResponseHeaderModifier" && responseHeaderModifier) {
    return { filter: { type, headers: responseHeaderModifier } };
  }
  return undefined;
}

function unserved(
  { type }: HTTPRouteFilter,
  { name }: DataPlaneCapabilities,
  place: "rule" | "backend",
): Finding {
  const where = place === "rule" ? "" : " of a backend reference";
  return {
    reason: "UnsupportedValue",
    message: `filter "${type}"${where} is not served by data plane "${name}"`,
  };
}

type PathSpec = NonNullable<NonNullable<HTTPRouteFilter["urlRewrite"]>["path"]>;

/** `ReplacePrefixMatch` is defined only beside exactly one match, of type `PathPrefix`. */
function compilePath(path: PathSpec, rule: RuleSpec): PathModifier | Finding {
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
