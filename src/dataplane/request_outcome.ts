/**
 * What becomes of a request that found its entry, as far as the configuration says: an answer to a
 * preflight, a redirect, or shares of backends that answer or do not. Pure; what happens on the wire is not known here.
 */

import { readPreflight } from "./cors.ts";
import type { Redirect } from "./http_filters.ts";
import type { Cluster, ClusterName, HttpRouteEntry, WeightedBackend } from "./model.ts";

/** One share of the traffic of an entry. */
export interface BackendShare {
  readonly backend: WeightedBackend;
  /** Of all requests that reach the entry, between 0 and 1. */
  readonly share: number;
  /** Absent when the reference is invalid. */
  readonly cluster?: Cluster;
  /** What requests of the share get: an endpoint's answer, or this status. */
  readonly outcome: ShareOutcome;
}

/**
 * `backend`: an endpoint is asked. `500`: the reference is invalid. `503`: nobody is ready, or the
 * reference of a GRPCRoute is invalid, whose callers shall see Unavailable (GRPCRouteRule, `backendRefs`).
 */
export type ShareOutcome = "backend" | "500" | "503";

/** What an entry does with a request. `preflight`: the gateway answers it by the rule's CORS policy. */
export type RequestOutcome =
  | { readonly decision: "preflight"; readonly shares: readonly [] }
  | { readonly decision: "redirect"; readonly redirect: Redirect; readonly shares: readonly [] }
  | { readonly decision: ShareOutcome; readonly shares: readonly BackendShare[] };

/** What of a request decides about the outcome; `rawHeaders`: name, value, name, value … */
export interface OutcomeRequest {
  readonly method: string;
  readonly rawHeaders: readonly string[];
}

/**
 * The outcome of `entry` for `request`. Where shares differ it is `backend` if any share is served, else the one
 * with the larger part of the traffic.
 */
export function outcomeOf(
  { action, match }: HttpRouteEntry,
  clusters: ReadonlyMap<ClusterName, Cluster>,
  { method, rawHeaders }: OutcomeRequest,
): RequestOutcome {
  const hasCors = action.filters.some(({ type }) => type === "CORS");
  if (hasCors && readPreflight(method, rawHeaders)) return { decision: "preflight", shares: [] };
  for (const filter of action.filters) {
    if (filter.type === "RequestRedirect") {
      return { decision: "redirect", redirect: filter.redirect, shares: [] };
    }
  }
  const total = action.backends.reduce((sum, { weight }) => sum + weight, 0);
  const invalid = match.grpc ? "503" : "500";
  const shares = action.backends.map((backend) => shareOf(backend, total, clusters, invalid));
  return { decision: decide(shares, invalid), shares };
}

function shareOf(
  backend: WeightedBackend,
  total: number,
  clusters: ReadonlyMap<ClusterName, Cluster>,
  invalid: "500" | "503",
): BackendShare {
  const share = total === 0 ? 0 : backend.weight / total;
  if (backend.cluster === undefined) return { backend, share, outcome: invalid };
  const cluster = clusters.get(backend.cluster);
  if (cluster === undefined) return { backend, share, outcome: invalid };
  const outcome = cluster.endpoints.length === 0 ? "503" : "backend";
  return { backend, share, cluster, outcome };
}

function decide(shares: readonly BackendShare[], invalid: "500" | "503"): ShareOutcome {
  const sums = { "backend": 0, "500": 0, "503": 0 };
  for (const { outcome, share } of shares) sums[outcome] += share;
  if (sums.backend > 0) return "backend";
  return sums["503"] > sums["500"] ? "503" : invalid;
}
