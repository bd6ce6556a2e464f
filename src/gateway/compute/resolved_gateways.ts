/** Gateways as others want to know them: addresses, ports and names that are served. */

import type { ObjectKey } from "../../kube/object.ts";
import type { ResolvedGateway } from "../outputs.ts";
import type { ComputeView } from "./compute_view.ts";

/** The Gateway `key`, which is ours; without listeners when none is served. */
export function computeResolvedGateway(
  view: ComputeView,
  key: ObjectKey,
): ResolvedGateway | undefined {
  const gateway = view.get("Gateway", key);
  if (!gateway) return undefined;
  const { fault, listeners } = view.listeners(key);
  const attachments = view.attachments(key);
  return {
    namespace: gateway.metadata.namespace,
    name: gateway.metadata.name,
    addresses: fault ? [] : view.addressesOf(key)?.addresses ?? [],
    listeners: fault ? [] : listeners.filter(({ isServable }) => isServable).map(({ spec }) => ({
      name: spec.name,
      port: spec.port,
      protocol: spec.protocol,
      ...(spec.hostname === undefined ? {} : { hostname: spec.hostname }),
      attachedRoutes: attachments.get(spec.name)?.length ?? 0,
    })),
  };
}
