/** Gateways as others want to know them: addresses, ports and names that are served. */

import { type ObjectKey, parseObjectKey } from "../../kube/object.ts";
import { gatewaySlices } from "../kinds/gateway.ts";
import type { ResolvedGateway } from "../outputs.ts";
import { gatewayParent, setParent } from "../parent_keys.ts";
import type { ComputeView, EffectiveListener, GatewayListeners } from "./compute_view.ts";
import { allListeners } from "./gateway_listeners.ts";

/** The Gateway `key`, which is ours; without listeners when none is served. */
export function computeResolvedGateway(
  view: ComputeView,
  key: ObjectKey,
): ResolvedGateway | undefined {
  if (view.read(gatewaySlices.uid, key) === undefined) return undefined;
  const { namespace = "", name } = parseObjectKey(key);
  const joined = view.listeners(key);
  const { fault, listeners, sets } = joined;
  const isRefused = fault !== undefined ||
    listeners.every((listener) => listener.fault || listener.conflict);
  const attached = new Map(view.attachedRoutes(gatewayParent(key)));
  for (const set of sets) {
    for (const [id, count] of view.attachedRoutes(setParent(set.key))) attached.set(id, count);
  }
  return {
    namespace,
    name,
    addresses: isRefused ? [] : view.addressesOf(key)?.addresses ?? [],
    listeners: (isRefused ? [] : servable(joined)).map(({ id, spec }) => ({
      name: id,
      port: spec.port,
      protocol: spec.protocol,
      ...(spec.hostname === undefined ? {} : { hostname: spec.hostname }),
      attachedRoutes: attached.get(id) ?? 0,
    })),
  };
}

function servable(listeners: GatewayListeners): readonly EffectiveListener[] {
  return [...allListeners(listeners)].filter(({ isServable }) => isServable);
}
