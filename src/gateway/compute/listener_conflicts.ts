/**
 * Which listeners of one object cannot live together (Gateway API, GatewaySpec `listeners`).
 *
 * Within one object no winner is picked: all that cannot be told apart are conflicted. Listeners
 * that are refused for another reason take no part.
 */

import type { GatewayListener } from "../../kube/decode/gateway.ts";
import type { Finding } from "./finding.ts";

/** The conflicts among `listeners` by name. */
export function findListenerConflicts(
  listeners: readonly GatewayListener[],
): ReadonlyMap<string, Finding> {
  const conflicts = new Map<string, Finding>();
  if (listeners.length < 2) return conflicts;
  for (const [port, sharers] of Map.groupBy(listeners, ({ port }) => port)) {
    if (sharers.length > 1) findPortConflicts(port, sharers, conflicts);
  }
  return conflicts;
}

function findPortConflicts(
  port: number,
  sharers: readonly GatewayListener[],
  conflicts: Map<string, Finding>,
): void {
  const protocols = [...new Set(sharers.map(({ protocol }) => protocol))].sort();
  if (protocols.length > 1) {
    const message = `Port ${port} is used with protocols ${protocols.join(" and ")} at once`;
    for (const { name } of sharers) conflicts.set(name, { reason: "ProtocolConflict", message });
    return;
  }
  for (const [hostname, equals] of Map.groupBy(sharers, ({ hostname }) => hostname)) {
    if (equals.length < 2) continue;
    const what = hostname === undefined ? "no hostname" : `hostname "${hostname}"`;
    const message = `Port ${port} with ${what} is used by more than one listener`;
    for (const { name } of equals) conflicts.set(name, { reason: "HostnameConflict", message });
  }
}
