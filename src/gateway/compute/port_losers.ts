/**
 * Gateways that share an address share its ports: what cannot be merged goes to the older Gateway.
 *
 * Listeners of different Gateways on one port are merged by hostname. Two that need the port with
 * different protocols, or with the same hostname, cannot be; the younger one's listener loses. A
 * listener that lost takes nothing from those that are younger still, at none of its addresses: so
 * Gateways that are connected by addresses, directly or through others, are judged together.
 */

import type { ObjectKey } from "../../kube/object.ts";
import { gatewaySlices } from "../kinds/gateway.ts";
import type {
  ComputeView,
  JoinedListeners,
  OwnListener,
  PortLosers,
  PortLosses,
} from "./compute_view.ts";
import type { Finding } from "./finding.ts";
import { isFree, isSetValid, joinListeners } from "./joined_listeners.ts";
import { ListenerClaims } from "./listener_claims.ts";

const noLosers: PortLosers = new Map();
const noLosses: PortLosses = new Map();

/** The listeners that came too late, of the Gateways at `address` and those connected with them. */
export function computePortLosers(view: ComputeView, address: string): PortLosers {
  if (view.gatewaysAtAddress(address).length < 2) return noLosers;
  const claims: Claims = new Map();
  const losers = new Map<ObjectKey, Map<string, Finding>>();
  for (const gateway of sortByAge(view, findConnected(view, address))) {
    const joined = view.joinedListeners(gateway);
    if (joined.fault) continue;
    const addresses = view.addressesOf(gateway)?.addresses ?? [];
    const lost = claimAll(view, claims, gateway, joined, addresses);
    if (lost.size > 0) losers.set(gateway, lost);
  }
  return losers;
}

/**
 * What of it concerns one Gateway: little, so that its neighbours' listeners do not wake what follows
 * from its own. The addresses that it shares say the same, as connected Gateways are judged together.
 */
export function computePortLosses(view: ComputeView, gateway: ObjectKey): PortLosses {
  for (const address of view.addressesOf(gateway)?.addresses ?? []) {
    const losses = view.portLosers(address).get(gateway);
    if (losses) return losses;
  }
  return noLosses;
}

/**
 * Takes what the Gateway can have, and returns what came too late. One without a listener of its own
 * is not accepted and nothing of its sets is served, so that these take nothing.
 */
function claimAll(
  view: ComputeView,
  claims: Claims,
  gateway: ObjectKey,
  joined: JoinedListeners,
  addresses: readonly string[],
): Map<string, Finding> {
  const lost = new Map<string, Finding>();
  const lossOf = (listener: OwnListener): Finding | undefined => {
    const loss = findLoss(claims, gateway, listener, addresses);
    if (loss) lost.set(listener.id, loss);
    return loss;
  };
  const holds = (listener: OwnListener): boolean => isFree(listener) && !lossOf(listener);
  const own = joined.listeners.filter(holds);
  if (own.length === 0) return lost;
  let sets = joined.sets.map(({ fault, listeners }) => fault ? [] : listeners.filter(holds));
  if (lost.size > 0 && sets.length > 0) {
    // What is lost stands in no sibling's way, so that others may come into its place.
    const rejoined = joinListeners(view, gateway, lossOf);
    sets = rejoined.sets.map(({ fault, listeners }) => fault ? [] : listeners.filter(holds));
  }
  const held = [own, ...sets.filter(isSetValid)].flat();
  for (const listener of held) claim(claims, gateway, listener, addresses);
  return lost;
}

/** The Gateways at `address`, those at one of their addresses, and so on; sorted by key. */
function findConnected(view: ComputeView, address: string): readonly ObjectKey[] {
  const addresses = new Set([address]);
  const gateways = new Set<ObjectKey>();
  // A set that grows while it is walked is walked to its end.
  for (const next of addresses) {
    for (const gateway of view.gatewaysAtAddress(next)) {
      if (gateways.has(gateway)) continue;
      gateways.add(gateway);
      for (const other of view.addressesOf(gateway)?.addresses ?? []) addresses.add(other);
    }
  }
  return addresses.size === 1 ? [...gateways] : [...gateways].sort();
}

/** The list is sorted by key and the sort is stable: equal ages stay in the order of their keys. */
function sortByAge(view: ComputeView, gateways: readonly ObjectKey[]): readonly ObjectKey[] {
  const aged = gateways.map((key) => ({
    key,
    age: view.read(gatewaySlices.creationTimestamp, key) ?? "",
  }));
  aged.sort((a, b) => a.age < b.age ? -1 : a.age > b.age ? 1 : 0);
  return aged.map(({ key }) => key);
}

type Claims = Map<string, ListenerClaims<ObjectKey>>;

/** Why one of `addresses` cannot serve the listener beside what is claimed already. */
function findLoss(
  claims: Claims,
  gateway: ObjectKey,
  { spec }: OwnListener,
  addresses: readonly string[],
): Finding | undefined {
  for (const address of addresses) {
    const clash = claims.get(address)?.clashOf(spec, gateway);
    if (!clash) continue;
    const what = clash.by === "protocol"
      ? clash.protocol
      : spec.hostname === undefined
      ? "every hostname"
      : `hostname "${spec.hostname}"`;
    return {
      reason: "PortUnavailable",
      message: `Port ${spec.port} of address ${address} serves ${what} for Gateway ` +
        `"${clash.owner}", which comes first`,
    };
  }
  return undefined;
}

function claim(
  claims: Claims,
  gateway: ObjectKey,
  { spec }: OwnListener,
  addresses: readonly string[],
): void {
  for (const address of addresses) {
    let claimed = claims.get(address);
    if (!claimed) claims.set(address, claimed = new ListenerClaims());
    claimed.claim(spec, gateway);
  }
}
