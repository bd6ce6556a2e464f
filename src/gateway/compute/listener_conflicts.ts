/**
 * Which listeners of one object cannot live together (Gateway API, GatewaySpec `listeners`).
 *
 * Within one object no winner is picked: all that cannot be told apart are conflicted. Listeners
 * that are refused for another reason take no part. HTTPS and TLS are told apart by hostname, as both
 * begin with the same handshake; UDP has ports of its own.
 */

import type { GatewayListener } from "../../kube/decode/gateway.ts";
import type { Finding } from "./finding.ts";

/** What of a listener decides with which others it can live. */
export type ListenerShape = Pick<GatewayListener, "port" | "protocol" | "hostname">;

/** Protocols that can share a port, told apart by hostname or not at all. */
export type PortClass = "HTTP" | "TLS" | "TCP" | "UDP";

/** The class of a listener's protocol; one that is not known is a class of its own. */
export function portClassOf(protocol: string): PortClass | string {
  return protocol === "HTTPS" ? "TLS" : protocol;
}

/** The port that a listener takes; UDP has its own. */
export function portNameOf({ port, protocol }: ListenerShape): string {
  return protocol === "UDP" ? `UDP ${port}` : String(port);
}

/** The conflicts among `listeners` by name. */
export function findListenerConflicts(
  listeners: readonly GatewayListener[],
): Map<string, Finding> {
  const conflicts = new Map<string, Finding>();
  if (listeners.length < 2) return conflicts;
  for (const sharers of Map.groupBy(listeners, portNameOf).values()) {
    if (sharers.length > 1) findPortConflicts(sharers, conflicts);
  }
  return conflicts;
}

function findPortConflicts(
  sharers: readonly GatewayListener[],
  conflicts: Map<string, Finding>,
): void {
  const port = sharers[0]?.port;
  const classes = new Set(sharers.map(({ protocol }) => portClassOf(protocol)));
  if (classes.size > 1) {
    const protocols = [...new Set(sharers.map(({ protocol }) => protocol))].sort();
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
