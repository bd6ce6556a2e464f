/**
 * How hostnames of listeners and routes meet (Gateway API, HTTPRouteSpec `hostnames`).
 *
 * All are lower case. A wildcard stands for one or more labels, never for the bare domain.
 */

import { parseIp } from "../../base/ip_address.ts";

/** Whether every host that `inner` matches is matched by `outer` too. Undefined matches all. */
export function hostnameCovers(outer: string | undefined, inner: string | undefined): boolean {
  if (outer === undefined || outer === inner) return true;
  if (inner === undefined || !outer.startsWith("*.")) return false;
  return inner.length > outer.length - 1 && inner.endsWith(outer.slice(1));
}

/** Whether a host exists that both match. */
export function hostnamesOverlap(a: string | undefined, b: string | undefined): boolean {
  return hostnameCovers(a, b) || hostnameCovers(b, a);
}

/**
 * The hostnames under which a route is served at a listener, each once, in the order of the route;
 * undefined stands for every host. Empty: the two do not meet.
 */
export function intersectHostnames(
  listener: string | undefined,
  route: readonly string[],
): readonly (string | undefined)[] {
  if (route.length === 0) return [listener];
  const result = new Set<string>();
  for (const hostname of route) {
    // An IP address is no hostname: the API wants it ignored.
    if (parseIp(hostname)) continue;
    if (hostnameCovers(listener, hostname)) result.add(hostname);
    else if (listener !== undefined && hostnameCovers(hostname, listener)) result.add(listener);
  }
  return [...result];
}
