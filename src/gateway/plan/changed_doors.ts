/**
 * The places where traffic comes in, and whose listeners are others than before. Pure.
 *
 * Listeners of all Gateways at one address and port answer together: the most specific hostname
 * takes the request, whoever's it is. So what one Gateway changes can move the traffic of another.
 */

import type { PlacedListener } from "../../dataplane/explain_request.ts";
import type { DataPlaneConfig, Listener, Protocol } from "../../dataplane/model.ts";
import { compareGatewayAge } from "../../dataplane/precedence.ts";

/** An address and port, with the listeners there before and after; those of older Gateways first. */
export interface Door {
  readonly port: number;
  readonly before: readonly PlacedListener[];
  readonly after: readonly PlacedListener[];
}

/** Doors whose listeners differ. Addresses with the same listeners before and after are one door. */
export function changedDoors(before: DataPlaneConfig, after: DataPlaneConfig): readonly Door[] {
  const sides = [listenersByDoor(before), listenersByDoor(after)] as const;
  const ids = new Map<Listener, number>();
  const idOf = ({ gateway, listener }: PlacedListener): string => {
    const id = ids.get(listener) ?? ids.size;
    ids.set(listener, id);
    return `${gateway.key}#${id}`;
  };
  const doors = new Map<string, Door>();
  for (const key of new Set([...sides[0].keys(), ...sides[1].keys()])) {
    const [was = [], is = []] = sides.map((side) => side.get(key));
    const [wasText, isText] = [was.map(idOf).join(), is.map(idOf).join()];
    const port = (is[0] ?? was[0])?.listener.port;
    if (wasText === isText || port === undefined) continue;
    doors.set(`${port} ${wasText} ${isText}`, { port, before: was, after: is });
  }
  return [...doors.values()].sort((a, b) => a.port - b.port);
}

function listenersByDoor(
  { gateways }: DataPlaneConfig,
): ReadonlyMap<string, readonly PlacedListener[]> {
  const doors = new Map<string, PlacedListener[]>();
  for (const gateway of [...gateways.values()].sort(compareGatewayAge)) {
    for (const address of gateway.addresses) {
      for (const listener of gateway.listeners) {
        const key = `${address} ${listener.port} ${transportOf(listener.protocol)}`;
        const placed = doors.get(key);
        if (placed) placed.push({ gateway, listener });
        else doors.set(key, [{ gateway, listener }]);
      }
    }
  }
  return doors;
}

function transportOf(protocol: Protocol): "TCP" | "UDP" {
  return protocol === "UDP" ? "UDP" : "TCP";
}
