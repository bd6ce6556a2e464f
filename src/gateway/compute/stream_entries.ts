/** What a TLSRoute, TCPRoute or UDPRoute asks a listener to serve: an entry for each hostname. */

import type { StreamRouteEntry } from "../../dataplane/model.ts";
import { compareStreamRouteEntries } from "../../dataplane/precedence.ts";
import { type ObjectKey, parseObjectKey } from "../../kube/object.ts";
import type { Meeting, StreamRule } from "./compute_view.ts";

/** The entries of the route `key` at a listener that takes it, by precedence. The API allows one rule. */
export function computeStreamEntries(
  kind: string,
  key: ObjectKey,
  creationTimestamp: string,
  rules: readonly StreamRule[],
  { hostnames, endsTls }: Pick<Meeting, "hostnames" | "endsTls">,
): readonly StreamRouteEntry[] {
  const [rule] = rules;
  if (!rule) return [];
  const { namespace = "", name } = parseObjectKey(key);
  const origin = { kind, namespace, name };
  const backends = endsTls ? rule.backendsBehindTls ?? rule.backends : rule.backends;
  const entries = hostnames.map((hostname): StreamRouteEntry => ({
    origin,
    creationTimestamp,
    ...(rule.name === undefined ? {} : { ruleName: rule.name }),
    ...(hostname === undefined ? {} : { hostname }),
    backends,
  }));
  return entries.sort(compareStreamRouteEntries);
}
