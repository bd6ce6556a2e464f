/** Gateways as others want to know them: addresses, ports and names that are served. */

import { type ObjectKey, parseObjectKey } from "../../kube/object.ts";
import { gatewaySlices } from "../kinds/gateway.ts";
import type { ResolvedGateway } from "../outputs.ts";
import type { ComputeView } from "./compute_view.ts";

/** The Gateway `key`, which is ours; without listeners when none is served. */
export function computeResolvedGateway(
  view: ComputeView,
  key: ObjectKey,
): ResolvedGateway | undefined {
  if (view.read(gatewaySlices.uid, key) === undefined) return undefined;
  const { namespace = "", name } = parseObjectKey(key);
  const { fault, listeners } = view.listeners(key);
  const attached = view.attachedRoutes(key);
  return {
    namespace,
    name,
    addresses: fault ? [] : view.addressesOf(key)?.addresses ?? [],
    listeners: fault ? [] : listeners.filter(({ isServable }) => isServable).map(({ spec }) => ({
      name: spec.name,
      port: spec.port,
      protocol: spec.protocol,
      ...(spec.hostname === undefined ? {} : { hostname: spec.hostname }),
      attachedRoutes: attached.get(spec.name) ?? 0,
    })),
  };
}
