/**
 * Gateways that share an address share its ports: what cannot be merged goes to the older Gateway.
 *
 * Listeners of different Gateways on one port are merged by hostname. Two that need the port with
 * different protocols, or with the same hostname, cannot be; the younger one's listener loses. A
 * listener that lost takes nothing from those that are younger still.
 */

import type { ObjectKey } from "../../kube/object.ts";
import type { ComputeView, OwnListener, PortLosers } from "./compute_view.ts";
import type { Finding } from "./finding.ts";

interface PortClaim {
  readonly protocol: string;
  readonly owner: ObjectKey;
  readonly ownerByHostname: Map<string | undefined, ObjectKey>;
}

const noLosers: PortLosers = new Map();

/** The listeners at `address` that came too late. */
export function computePortLosers(view: ComputeView, address: string): PortLosers {
  const sharers = view.gatewaysAtAddress(address);
  if (sharers.length < 2) return noLosers;
  const claims = new Map<number, PortClaim>();
  const losers = new Map<ObjectKey, Map<string, Finding>>();
  for (const gateway of sortByAge(view, sharers)) {
    const { fault, listeners } = view.ownListeners(gateway);
    if (fault) continue;
    for (const listener of listeners) {
      if (listener.fault || listener.conflict) continue;
      const loss = claim(claims, gateway, listener, address);
      if (!loss) continue;
      let own = losers.get(gateway);
      if (!own) losers.set(gateway, own = new Map());
      own.set(listener.spec.name, loss);
    }
  }
  return losers;
}

function sortByAge(view: ComputeView, gateways: readonly ObjectKey[]): readonly ObjectKey[] {
  const age = (key: ObjectKey) => view.get("Gateway", key)?.metadata.creationTimestamp ?? "";
  // The list is sorted by key and the sort is stable: equal ages stay in the order of their keys.
  return [...gateways].sort((a, b) => age(a) < age(b) ? -1 : age(a) > age(b) ? 1 : 0);
}

function claim(
  claims: Map<number, PortClaim>,
  gateway: ObjectKey,
  { spec: { port, protocol, hostname } }: OwnListener,
  address: string,
): Finding | undefined {
  let taken = claims.get(port);
  if (!taken) claims.set(port, taken = { protocol, owner: gateway, ownerByHostname: new Map() });
  const where = `Port ${port} of address ${address}`;
  if (taken.protocol !== protocol) {
    return {
      reason: "PortUnavailable",
      message: `${where} serves ${taken.protocol} for the older Gateway "${taken.owner}"`,
    };
  }
  const owner = taken.ownerByHostname.get(hostname);
  if (owner === undefined || owner === gateway) {
    taken.ownerByHostname.set(hostname, gateway);
    return undefined;
  }
  const what = hostname === undefined ? "every hostname" : `hostname "${hostname}"`;
  return {
    reason: "PortUnavailable",
    message: `${where} serves ${what} for the older Gateway "${owner}"`,
  };
}
