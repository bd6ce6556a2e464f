/** Moves of traffic as plans show them. Pure. */

import type { TrafficChange as ShownChange, TrafficTarget as ShownTarget } from "../api/plan.ts";
import type { Origin, Protocol } from "../dataplane/model.ts";
import type { TrafficTarget } from "../gateway/plan/door_side.ts";
import type { TrafficChange } from "../gateway/plan/traffic_changes.ts";
import { isTrafficWorse } from "../gateway/plan/worse.ts";

/** @param isProposed whether a route is itself changed or deleted on purpose */
export function showTraffic(
  change: TrafficChange,
  isProposed: (route: Origin) => boolean,
): ShownChange {
  const { port, request, before, after } = change;
  const protocol = (after ?? before)?.protocol ?? "HTTP";
  return {
    port,
    protocol,
    request: showRequest(protocol, request),
    before: before ? showTarget(before) : null,
    after: after ? showTarget(after) : null,
    isWorse: isTrafficWorse(change, isProposed),
  };
}

function showRequest(
  protocol: Protocol,
  { method, host, path, headers, queryParams }: TrafficChange["request"],
): ShownChange["request"] {
  switch (protocol) {
    case "HTTP":
    case "HTTPS":
      return { method, host, path, headers, queryParams };
    case "TLS":
      return { host, headers: [], queryParams: [] };
    case "TCP":
    case "UDP":
      return { headers: [], queryParams: [] };
  }
}

function showTarget(target: TrafficTarget): ShownTarget {
  const { decision, gateway, listener, route, ruleIndex, backends, redirect } = target;
  return {
    decision,
    gateway,
    listener,
    ...(route ? { route: `${route.kind} ${route.namespace}/${route.name}` } : {}),
    ...(ruleIndex === undefined ? {} : { rule: ruleIndex }),
    backends,
    ...(redirect ? { redirect: { ...redirect } } : {}),
  };
}
