/**
 * Which Gateways send to a Service: those that took a route that names it.
 *
 * Brought up to date route by route, because many routes may lead to one Service.
 */

import { type ObjectKey, objectKey, parseObjectKey } from "../../kube/object.ts";
import type { FoldChange } from "../../query/fold_node.ts";
import { parseRouteId, type RouteId } from "../route_kinds.ts";
import type { ComputeView, ParentBinding } from "./compute_view.ts";
import { computeRouteMeetings } from "./route_meetings.ts";
import { gatewayGroup } from "../parent_keys.ts";
import { CountedNames } from "./counted_names.ts";
import { isReferenceAllowed } from "./reference_grants.ts";
import { type ServiceUse, usesOf } from "./service_use.ts";

/** The Gateways that took the route and whose connections policies secure, each once, sorted. */
export function computeRouteGateways(view: ComputeView, route: RouteId): readonly ObjectKey[] {
  const { kind, key } = parseRouteId(route);
  if (kind === "TLSRoute") return terminatingGateways(view, key);
  const bindings: readonly Pick<ParentBinding<unknown>, "gateway" | "fault" | "bound">[] = view
    .routeBindings(
      kind,
      key,
    );
  const taken = bindings.filter(({ fault, bound }) => !fault && bound.length > 0).map((
    { gateway },
  ) => gateway);
  return [...new Set(taken)].sort();
}

/** What is passed through stays as it is: no policy about the backend has a part in that. */
function terminatingGateways(view: ComputeView, key: ObjectKey): readonly ObjectKey[] {
  const taken = computeRouteMeetings(view, "TLSRoute", key)
    .filter(({ meetings }) => meetings.some(({ endsTls }) => endsTls));
  return [...new Set(taken.map(({ gateway }) => gateway))].sort();
}

/** The Gateways that may send to `service`: their routes are beside it, or a grant lets them. */
export function gatewaysThatMaySend(
  view: ComputeView,
  service: ObjectKey,
): readonly ObjectKey[] {
  const { namespace = "", name } = parseObjectKey(service);
  const to = { group: "", kind: "Service", namespace, name };
  const gateways = new Set<ObjectKey>();
  for (const use of view.usesOfService(service)) {
    const [kind = "", from = "", gateway = ""] = use.split(" ");
    if (!isReferenceAllowed(view, { group: gatewayGroup, kind, namespace: from }, to)) continue;
    const [gatewayNamespace = "", gatewayName = ""] = gateway.split("/");
    gateways.add(objectKey(gatewayNamespace, gatewayName));
  }
  return [...gateways].sort();
}

/** The state of the fold for one Service. */
export class ServiceUsesState {
  readonly #uses = new CountedNames<ServiceUse>();

  /** Takes changes over; the result, sorted, is not changed by later calls. */
  update(changes: readonly FoldChange<RouteId, readonly ObjectKey[]>[]): readonly ServiceUse[] {
    for (const { member, after } of changes) {
      for (const use of usesOf(member, after ?? [])) this.#uses.add(use);
    }
    for (const { member, before } of changes) {
      for (const use of usesOf(member, before ?? [])) this.#uses.remove(use);
    }
    return this.#uses.sorted();
  }
}
