/**
 * Which Gateways send to a Service: those that took a route that names it.
 *
 * Brought up to date route by route, because many routes may lead to one Service.
 */

import type { ObjectKey } from "../../kube/object.ts";
import type { FoldChange } from "../../query/fold_node.ts";
import { parseRouteId, type RouteId } from "../route_kinds.ts";
import type { ComputeView, ParentBinding } from "./compute_view.ts";
import { computeRouteMeetings } from "./route_meetings.ts";
import { CountedNames } from "./counted_names.ts";

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

/** The state of the fold for one Service. */
export class ServiceGatewaysState {
  readonly #gateways = new CountedNames<ObjectKey>();

  /** Takes changes over; the result, sorted, is not changed by later calls. */
  update(changes: readonly FoldChange<RouteId, readonly ObjectKey[]>[]): readonly ObjectKey[] {
    for (const { after } of changes) for (const key of after ?? []) this.#gateways.add(key);
    for (const { before } of changes) for (const key of before ?? []) this.#gateways.remove(key);
    return this.#gateways.sorted();
  }
}
