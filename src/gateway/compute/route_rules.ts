/**
 * The rules of an HTTPRoute or GRPCRoute, compiled once for all of its parents.
 *
 * A rule with something that is not served is dropped whole and told in the status; nothing of it is
 * skipped silently. If one of its filters could be a guard, the rule stays and answers 500.
 * References are resolved for dropped rules too, because their faults are told.
 */

import { append } from "../../base/append.ts";
import type { HttpRouteAction, WeightedBackend } from "../../dataplane/model.ts";
import { type ObjectKey, parseObjectKey } from "../../kube/object.ts";
import { httpRouteSlices } from "../kinds/http_route.ts";
import { type ReferringRoute, resolveBackend } from "./backends.ts";
import type { CompiledRule, ComputeView, DroppedRule, RouteRules } from "./compute_view.ts";
import { type Finding, joinFindings, uniqueFindings } from "./finding.ts";
import { compileBackendFilters, compileRuleFilters } from "./route_filters.ts";
import type { RuleSpec } from "./rule_spec.ts";
import { findMatchFault } from "./route_matches.ts";
import { compileRetry, compileSessionPersistence, findPolicyFault } from "./rule_policies.ts";

/** Compiles the rules of the HTTPRoute `key`. */
export function computeRouteRules(view: ComputeView, key: ObjectKey): RouteRules {
  return compileRules(view, "HTTPRoute", key, view.read(httpRouteSlices.rules, key) ?? []);
}

/** Compiles `specs`, the rules of the route `key` of `kind`. */
export function compileRules(
  view: ComputeView,
  kind: "HTTPRoute" | "GRPCRoute",
  key: ObjectKey,
  specs: readonly RuleSpec[],
): RouteRules {
  const { namespace = "" } = parseObjectKey(key);
  const use = kind === "GRPCRoute" ? "GRPC" : "HTTP";
  const route: ReferringRoute = { kind, namespace, use };
  let rules: CompiledRule[] | undefined;
  const dropped: DroppedRule[] = [];
  const unresolved: Finding[] = [];
  let ruleIndex = 0;
  for (const rule of specs) {
    const owner = rule.sessionPersistence ? `${key}/${rule.name ?? ruleIndex}` : "";
    const result = compileRule(view, route, rule, owner, unresolved);
    if ("reason" in result) {
      const isBarred = isGuarded(rule) && !findMatchFault(rule, view.regexes);
      const answer = kind === "GRPCRoute" ? "503" : "500";
      const note = isBarred ? `; its requests are answered ${answer}` : "";
      const message = `spec.rules[${ruleIndex}]: ${result.message}${note}`;
      dropped.push({ ruleIndex, reason: result.reason, message });
      if (isBarred) rules = append(rules, makeRule(ruleIndex, rule, barred));
    } else {
      rules = append(rules, makeRule(ruleIndex, rule, result));
    }
    ruleIndex++;
  }
  const joined = unresolved.length === 0 ? undefined : joinFindings(uniqueFindings(unresolved));
  const compiled = { rules: rules ?? [], dropped };
  return joined ? { ...compiled, unresolved: joined } : compiled;
}

/** A rule without backends: every request is answered 500. */
const barred: HttpRouteAction = { filters: [], backends: [] };

function makeRule(
  ruleIndex: number,
  { name, matches }: RuleSpec,
  action: HttpRouteAction,
): CompiledRule {
  return name === undefined ? { ruleIndex, matches, action } : { ruleIndex, name, matches, action };
}

/** The filters of the API that let every request through. */
const openFilterTypes: ReadonlySet<string> = new Set([
  "RequestHeaderModifier",
  "ResponseHeaderModifier",
  "RequestRedirect",
  "URLRewrite",
  "RequestMirror",
  "CORS",
]);

/**
 * Whether a filter may be there to keep requests out; one of a later version of the API may. A
 * dropped rule leaves its requests to less specific ones, which would let in whom the filter was to
 * stop; the API wants an error for them.
 */
function isGuarded({ filters, backendRefs }: RuleSpec): boolean {
  const guards = ({ type }: { readonly type: string }): boolean => !openFilterTypes.has(type);
  return filters.some(guards) || backendRefs.some((reference) => reference.filters.some(guards));
}

function compileRule(
  view: ComputeView,
  route: ReferringRoute,
  rule: RuleSpec,
  owner: string,
  unresolved: Finding[],
): HttpRouteAction | Finding {
  const backends = compileBackends(view, route, rule, unresolved);
  const filters = compileRuleFilters(view, route, rule);
  unresolved.push(...filters.unresolved);
  const fault = findUnknownValue(rule) ?? findPolicyFault(rule, view.dataPlane) ?? filters.fault ??
    findMatchFault(rule, view.regexes) ?? backends.fault;
  if (fault) return fault;
  if (filters.isBarrier) return barred;
  const { timeouts, retry, sessionPersistence } = rule;
  if (!timeouts && !retry && !sessionPersistence) {
    return { filters: filters.filters, backends: backends.backends };
  }
  const { request, backendRequest } = timeouts ?? {};
  return {
    filters: filters.filters,
    backends: backends.backends,
    ...(request === undefined ? {} : { requestTimeoutMs: request }),
    ...(backendRequest === undefined ? {} : { backendRequestTimeoutMs: backendRequest }),
    ...(retry && { retry: compileRetry(retry) }),
    ...(sessionPersistence && {
      sessionPersistence: compileSessionPersistence(sessionPersistence, owner),
    }),
  };
}

function findUnknownValue({ unknownValue }: RuleSpec): Finding | undefined {
  return unknownValue === undefined
    ? undefined
    : { reason: "UnsupportedValue", message: unknownValue };
}

interface CompiledBackends {
  readonly backends: readonly WeightedBackend[];
  readonly fault?: Finding;
}

function compileBackends(
  view: ComputeView,
  route: ReferringRoute,
  rule: RuleSpec,
  unresolved: Finding[],
): CompiledBackends {
  let backends: WeightedBackend[] | undefined;
  let fault: Finding | undefined;
  for (const reference of rule.backendRefs) {
    const resolved = resolveBackend(view, route, reference);
    if ("reason" in resolved) unresolved.push(resolved);
    const compiled = compileBackendFilters(view, route, reference.filters);
    unresolved.push(...compiled.unresolved);
    fault ??= compiled.fault;
    // A share of nothing is no share; a rule whose shares are all nothing answers 500.
    if (reference.weight === 0) continue;
    const { filters } = compiled;
    const { weight } = reference;
    backends = append(
      backends,
      "reason" in resolved || resolved.isUnusable
        ? { weight, filters }
        : { weight, cluster: resolved.cluster, filters },
    );
  }
  const all = backends ?? [];
  return fault ? { backends: all, fault } : { backends: all };
}
