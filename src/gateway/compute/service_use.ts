/** How routes make use of a Service, as far as it matters to who may. */

import type { Brand } from "../../base/brand.ts";
import { type ObjectKey, parseObjectKey } from "../../kube/object.ts";
import { parseRouteId, type RouteId } from "../route_kinds.ts";

/**
 * `KIND NAMESPACE GATEWAY`: routes of this kind in this namespace name the Service, and the Gateway took
 * one of them. Grants are given to a kind in a namespace, so whoever asks for them need not look at
 * each route.
 */
export type ServiceUse = Brand<"ServiceUse">;

/** The uses that `route`, which these Gateways took, makes of a Service that it names. */
export function usesOf(route: RouteId, gateways: readonly ObjectKey[]): readonly ServiceUse[] {
  const { kind, key } = parseRouteId(route);
  const { namespace = "" } = parseObjectKey(key);
  // deno-lint-ignore weir/no-cast -- The one place that makes them.
  return gateways.map((gateway) => `${kind} ${namespace} ${gateway}` as ServiceUse);
}
