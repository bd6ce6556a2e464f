/**
 * The rules of a GRPCRoute, compiled once for all of its parents.
 *
 * gRPC is HTTP/2 whose path is `/service/method`, so each rule becomes one for HTTP; precedence goes
 * by service and method (GRPCRouteSpec, `rules`).
 */

import type { GrpcMatch, HttpMatch, PathMatch } from "../../dataplane/model.ts";
import type { RegexCache } from "../../dataplane/regex.ts";
import type { GRPCRouteMatch, GRPCRouteRule } from "../../kube/decode/grpc_route.ts";
import type { ObjectKey } from "../../kube/object.ts";
import { grpcRouteSlices } from "../kinds/grpc_route.ts";
import type { ComputeView, RouteRules } from "./compute_view.ts";
import { describeRegexFault } from "./route_matches.ts";
import { compileRules } from "./route_rules.ts";
import type { RuleSpec } from "./rule_spec.ts";

/** Compiles the rules of the GRPCRoute `key`. */
export function computeGrpcRules(view: ComputeView, key: ObjectKey): RouteRules {
  const rules = view.read(grpcRouteSlices.rules, key) ?? [];
  return compileRules(
    view,
    "GRPCRoute",
    key,
    rules.map((rule) => ruleSpecOf(rule, view.regexes)),
  );
}

function ruleSpecOf(rule: GRPCRouteRule, regexes: RegexCache): RuleSpec {
  const spec = { ...rule, matches: rule.matches.map(httpMatchOf) };
  const fault = rule.matches.map((match) => findMethodFault(match, regexes))
    .find((found) => found !== undefined);
  return fault === undefined ? spec : { ...spec, unknownValue: fault };
}

/**
 * Each expression must stand on its own, also between the parentheses that it is put in: halves of
 * groups could make a whole with those of others, and a quotation without an end would go on there.
 */
function findMethodFault(
  { method }: GRPCRouteMatch,
  regexes: RegexCache,
): string | undefined {
  if (method?.type !== "RegularExpression") return undefined;
  for (const [field, pattern] of [["service", method.service], ["method", method.method]]) {
    if (pattern === undefined) continue;
    const fault = describeRegexFault(pattern, regexes) ??
      describeRegexFault(groupOf(pattern), regexes);
    if (fault !== undefined) return `${field}: ${fault}`;
  }
  return undefined;
}

function httpMatchOf({ method, headers }: GRPCRouteMatch): HttpMatch {
  const grpc: GrpcMatch = {
    ...(method?.service === undefined ? {} : { service: method.service }),
    ...(method?.method === undefined ? {} : { method: method.method }),
    ...(method?.type === "RegularExpression" && { isRegex: true }),
  };
  return { grpc, path: pathOf(method), method: "POST", headers, queryParams: [] };
}

/** One part of a path. */
const anyPart = "[^/]+";

/** The path of calls that `method` matches; RE2 matches the whole of it. */
function pathOf(method: GRPCRouteMatch["method"]): PathMatch {
  const { type, service, method: name } = method ?? {};
  if (service === undefined && name === undefined) return { type: "PathPrefix", value: "/" };
  if (type === "RegularExpression") {
    const part = (pattern: string | undefined) =>
      pattern === undefined ? anyPart : groupOf(pattern);
    return { type, value: `/${part(service)}/${part(name)}` };
  }
  if (service !== undefined && name !== undefined) {
    return { type: "Exact", value: `/${service}/${name}` };
  }
  if (service !== undefined) return { type: "PathPrefix", value: `/${service}` };
  return { type: "RegularExpression", value: `/${anyPart}/${literalOf(name ?? "")}` };
}

function groupOf(pattern: string): string {
  return `(?:${pattern})`;
}

/** The CRD allows letters, digits and underscores; an older one in the cluster may not. */
function literalOf(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
