/** Hostnames of routes that no listener serves. Pure. */

import { objectKey } from "../../kube/object.ts";
import { hostnameCovers } from "../compute/hostnames.ts";
import type { InputReader } from "../input_reader.ts";
import type { Diagnostic } from "./diagnostic_codes.ts";
import { routeId, type ServedRule } from "./served_rules.ts";

/**
 * HostnameNotServed, for routes that are served under another of their hostnames. Where none is
 * served the route's own status says so.
 */
export function findHostnameDiagnostics(
  rules: readonly ServedRule[],
  inputs: InputReader,
): readonly Diagnostic[] {
  const served = new Map<string, Set<string | undefined>>();
  const found: Diagnostic[] = [];
  for (const { route, entries } of rules) {
    const id = routeId(route);
    let hostnames = served.get(id);
    if (!hostnames) served.set(id, hostnames = new Set());
    for (const { entry, listener } of entries) hostnames.add(entry.hostname ?? listener.hostname);
  }
  const seen = new Set<string>();
  for (const { route: { kind, namespace, name } } of rules) {
    const id = routeId({ kind, namespace, name });
    if (kind !== "HTTPRoute" || seen.has(id)) continue;
    seen.add(id);
    const effective = [...served.get(id) ?? []];
    for (
      const hostname of inputs.get("HTTPRoute", objectKey(namespace, name))?.spec.hostnames ?? []
    ) {
      // What is served is the hostname itself, or a listener's that it covers.
      if (effective.some((one) => hostnameCovers(hostname, one))) continue;
      found.push({
        code: "HostnameNotServed",
        kind,
        namespace,
        name,
        part: `hostname ${hostname}`,
        message: "No listener of its parents takes this hostname",
      });
    }
  }
  return found;
}
