/** Effective listeners of a Gateway: its own judgement, and what older Gateways left of the ports. */

import type { ObjectKey } from "../../kube/object.ts";
import type {
  ComputeView,
  EffectiveListener,
  GatewayListeners,
  OwnListener,
} from "./compute_view.ts";
import type { Finding } from "./finding.ts";

/** The listeners of `key` with everything but the routes. */
export function computeGatewayListeners(view: ComputeView, key: ObjectKey): GatewayListeners {
  const { fault, listeners } = view.ownListeners(key);
  const addresses = view.addressesOf(key)?.addresses ?? [];
  const losses = addresses.flatMap((address) => view.portLosers(address).get(key) ?? []);
  return {
    ...(fault && { fault }),
    listeners: listeners.map((listener) => finishListener(listener, losses)),
  };
}

function finishListener(
  listener: OwnListener,
  losses: readonly ReadonlyMap<string, Finding>[],
): EffectiveListener {
  let fault = listener.fault;
  for (const loss of losses) fault ??= loss.get(listener.spec.name);
  const hasCertificate = listener.spec.protocol !== "HTTPS" || listener.certificates.length > 0;
  return {
    ...listener,
    ...(fault && { fault }),
    isServable: !fault && !listener.conflict && hasCertificate,
  };
}
