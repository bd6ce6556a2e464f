/**
 * One entry of the model as Envoy's routes: mostly one, for some redirects two. Pure.
 *
 * What the model answers itself (a redirect, a rule without backends) is answered by Envoy in the same
 * way. What would keep requests out and is not known here keeps them out: answered 500.
 */

import type {
  HttpFilter,
  HttpRouteAction,
  HttpRouteEntry,
  RequestMirror,
} from "../../dataplane/model.ts";
import type { Redirect } from "../../dataplane/http_filters.ts";
import type { ProtoJson, ProtoObject } from "../codec.ts";
import { corsConfig } from "./cors_policy.ts";
import { duration, listed } from "./proto_fields.ts";
import { retryPolicy } from "./retry_policy.ts";
import { routedBackends } from "./route_backends.ts";
import { routeMatch } from "./route_match.ts";
import type { RouteContext } from "./route_context.ts";
import { redirectActions } from "./route_redirect.ts";
import { sessionConfig } from "./session_persistence.ts";

/** Longer requests than this would run into Envoy's limit for idle streams. */
const streamIdleTimeoutMs = 300_000;

/** The `config.route.v3.Route`s of `entry`, to be tried in this order; none if it never matches. */
export function httpRoutes(entry: HttpRouteEntry, context: RouteContext): ProtoObject[] {
  const { action } = entry;
  const match = routeMatch(entry.match, context.regexes);
  if (match === undefined) return [];
  const common = { name: routeName(entry), match, ...filterConfigs(action) };
  if (isBarred(action)) return [{ ...common, directResponse: { status: 500 } }];
  const redirect = redirectOf(action.filters);
  if (redirect !== undefined) {
    return redirectActions(redirect, context.place).map((found) => ({
      ...common,
      match: found.isForHostWithPort ? withHostPort(match) : match,
      redirect: found.redirect,
    }));
  }
  if (!action.backends.some(({ weight, cluster }) => weight > 0 && cluster !== undefined)) {
    return [{ ...common, directResponse: { status: entry.match.grpc ? 503 : 500 } }];
  }
  const { route, action: target } = routedBackends(entry, context);
  return [{
    ...common,
    route: {
      ...target,
      ...timeouts(action),
      retryPolicy: retryPolicy(action),
      ...listed("requestMirrorPolicies", mirrorPolicies(action, context)),
    },
    ...route,
  }];
}

/** `KIND/NAMESPACE/NAME/RULE/MATCH`, for logs and for whoever looks at Envoy; not unique. */
export function routeName({ origin, ruleIndex, matchIndex }: HttpRouteEntry): string {
  return `${origin.kind}/${origin.namespace}/${origin.name}/${ruleIndex}/${matchIndex}`;
}

/** Requests whose Host line has a port. */
function withHostPort(match: ProtoObject): ProtoObject {
  const headers = Array.isArray(match.headers) ? match.headers : [];
  const hasPort = { name: ":authority", stringMatch: { safeRegex: { regex: ".*:[0-9]+" } } };
  return { ...match, headers: [...headers, hasPort] };
}

function isBarred({ filters, backends }: HttpRouteAction): boolean {
  return [filters, ...backends.map((backend) => backend.filters)]
    .some((list) => list.some(({ type }) => type === "ExternalAuth"));
}

function redirectOf(filters: readonly HttpFilter[]): Redirect | undefined {
  for (const filter of filters) if (filter.type === "RequestRedirect") return filter.redirect;
  return undefined;
}

/** What the filters of the connection manager do for this route; by default they do nothing. */
function filterConfigs({ filters, sessionPersistence }: HttpRouteAction): ProtoObject {
  const cors = filters.find((filter) => filter.type === "CORS");
  const configs: Record<string, ProtoJson> = {};
  if (cors?.type === "CORS") configs["envoy.filters.http.cors"] = corsConfig(cors.cors);
  if (sessionPersistence !== undefined) {
    configs["envoy.filters.http.stateful_session"] = sessionConfig(sessionPersistence);
  }
  return Object.keys(configs).length === 0 ? {} : { typedPerFilterConfig: configs };
}

/** Without one there is no limit: Envoy's own default would cut what streams. */
function timeouts({ requestTimeoutMs = 0 }: HttpRouteAction): ProtoObject {
  const timeout = duration(requestTimeoutMs);
  return requestTimeoutMs > streamIdleTimeoutMs ? { timeout, idleTimeout: timeout } : { timeout };
}

function mirrorPolicies({ filters }: HttpRouteAction, context: RouteContext): ProtoObject[] {
  return filters.flatMap((filter) =>
    filter.type === "RequestMirror" ? [mirrorPolicy(filter.mirror, context)] : []
  );
}

function mirrorPolicy(mirror: RequestMirror, { clusterNameOf }: RouteContext): ProtoObject {
  const { cluster, numerator, denominator } = mirror;
  const fraction = numerator === denominator
    ? {}
    : { runtimeFraction: { defaultValue: fractionalPercent(numerator, denominator) } };
  return { cluster: clusterNameOf(cluster), ...fraction, disableShadowHostSuffixAppend: true };
}

const percentDenominators = [[100, "HUNDRED"], [10_000, "TEN_THOUSAND"]] as const;

/** The nearest of what Envoy can say; exact where it can be. */
function fractionalPercent(numerator: number, denominator: number): ProtoObject {
  for (const [size, name] of percentDenominators) {
    const parts = numerator * size / denominator;
    if (Number.isInteger(parts)) return { numerator: parts, denominator: name };
  }
  const parts = Math.round(numerator * 1_000_000 / denominator);
  return { numerator: parts, denominator: "MILLION" };
}
