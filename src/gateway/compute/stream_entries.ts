/** What a TLSRoute, TCPRoute or UDPRoute asks a listener to serve: an entry for each hostname. */

import type { StreamRouteEntry } from "../../dataplane/model.ts";
import { compareStreamRouteEntries } from "../../dataplane/precedence.ts";
import { type ObjectKey, parseObjectKey } from "../../kube/object.ts";
import type { StreamRule } from "./compute_view.ts";

/**
 * The entries of the route `key` at a listener, by precedence. The API allows one rule.
 *
 * @param hostnames the ones that route and listener have in common; undefined stands for every host
 */
export function computeStreamEntries(
  kind: string,
  key: ObjectKey,
  creationTimestamp: string,
  rules: readonly StreamRule[],
  hostnames: readonly (string | undefined)[],
): readonly StreamRouteEntry[] {
  const [rule] = rules;
  if (!rule) return [];
  const { namespace = "", name } = parseObjectKey(key);
  const origin = { kind, namespace, name };
  const entries = hostnames.map((hostname): StreamRouteEntry => ({
    origin,
    creationTimestamp,
    ...(rule.name === undefined ? {} : { ruleName: rule.name }),
    ...(hostname === undefined ? {} : { hostname }),
    backends: rule.backends,
  }));
  return entries.sort(compareStreamRouteEntries);
}
