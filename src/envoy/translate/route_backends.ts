/**
 * The backends of a rule as Envoy's clusters with their weights, and what is changed of a request on
 * its way to them and of the answer.
 *
 * Where backends have filters of their own, all changes stand at each share (see
 * header_mutations.ts). A share without a valid reference goes to a cluster that is never defined.
 */

import { withoutControls } from "../../dataplane/writable_text.ts";
import type { HttpFilter, HttpRouteEntry, WeightedBackend } from "../../dataplane/model.ts";
import type { UrlRewrite } from "../../dataplane/http_filters.ts";
import type { ProtoObject } from "../codec.ts";
import { invalidCluster } from "./cluster_names.ts";
import { composeModifiers, hostOf, modifiersOf, mutationFields } from "./header_mutations.ts";
import { pathRewriteFields } from "./path_rewrite.ts";
import type { RouteContext } from "./route_context.ts";

/** The fields of a Route and of its RouteAction that say where requests go, and how. */
export interface RoutedBackends {
  readonly route: ProtoObject;
  readonly action: ProtoObject;
}

/** The backends of `entry`, of which at least one has a weight and a cluster. */
export function routedBackends(
  { action: { filters, backends }, match }: HttpRouteEntry,
  context: RouteContext,
): RoutedBackends {
  const shares = backends.filter(({ weight }) => weight > 0);
  const [only] = shares;
  const notFound = {
    clusterNotFoundResponseCode: match.grpc ? "SERVICE_UNAVAILABLE" : "INTERNAL_SERVER_ERROR",
  };
  if (context.mergedCluster !== undefined) {
    return withChanges(filters, { cluster: context.mergedCluster, ...notFound });
  }
  if (shares.length === 1 && only !== undefined) {
    const cluster = context.clusterNameOf(only.cluster);
    return withChanges(filters, { cluster, ...notFound }, only.filters);
  }
  const hasOwn = shares.some((share) => share.filters.length > 0);
  const clusters = shares.map((share) => weightedCluster(share, filters, hasOwn, context));
  const target = { weightedClusters: { clusters }, ...notFound };
  if (!hasOwn) return withChanges(filters, target);
  return { route: {}, action: { ...target, ...pathRewriteFields(rewriteOf(filters)?.path) } };
}

/** Changes that stand at the route, for all that it sends. */
function withChanges(
  rule: readonly HttpFilter[],
  target: ProtoObject,
  backend: readonly HttpFilter[] = [],
): RoutedBackends {
  const path = rewriteOf(backend)?.path ?? rewriteOf(rule)?.path;
  return {
    route: headerFields(rule, backend),
    action: { ...target, ...pathRewriteFields(path), ...hostFields(rule, backend) },
  };
}

/** `config.route.v3.WeightedCluster.ClusterWeight`. */
function weightedCluster(
  { weight, cluster, filters }: WeightedBackend,
  rule: readonly HttpFilter[],
  hasOwn: boolean,
  { clusterNameOf }: RouteContext,
): ProtoObject {
  // A share's own path cannot be rewritten here: it is answered rather than sent on as it is.
  const isServed = rewriteOf(filters)?.path === undefined;
  return {
    name: isServed ? clusterNameOf(cluster) : invalidCluster,
    weight,
    ...(hasOwn ? { ...headerFields(rule, filters), ...hostFields(rule, filters) } : {}),
  };
}

/** The rule's changes come before the backend's on the way there, and after them on the way back. */
function headerFields(rule: readonly HttpFilter[], backend: readonly HttpFilter[]): ProtoObject {
  const request = composeModifiers([
    ...modifiersOf(rule, "RequestHeaderModifier"),
    ...modifiersOf(backend, "RequestHeaderModifier"),
  ]);
  const response = composeModifiers([
    ...modifiersOf(backend, "ResponseHeaderModifier"),
    ...modifiersOf(rule, "ResponseHeaderModifier"),
  ]);
  return mutationFields(request, response);
}

function hostFields(rule: readonly HttpFilter[], backend: readonly HttpFilter[]): ProtoObject {
  const host = hostOf(modifiersOf(backend, "RequestHeaderModifier")) ??
    hostOf(modifiersOf(rule, "RequestHeaderModifier")) ??
    rewriteOf(backend)?.hostname ?? rewriteOf(rule)?.hostname;
  return host === undefined ? {} : { hostRewriteLiteral: withoutControls(host) };
}

function rewriteOf(filters: readonly HttpFilter[]): UrlRewrite | undefined {
  for (const filter of filters) if (filter.type === "URLRewrite") return filter.rewrite;
  return undefined;
}
