/**
 * Listeners that take requests from others, because their hostname is more specific (Gateway API,
 * listener isolation).
 */

import { compareHostnames } from "../../dataplane/precedence.ts";
import type { GatewayFrame, ListenerFrame } from "../gateway_frame.ts";
import { hostnameCovers, hostnamesOverlap } from "./hostnames.ts";

/** For each listener, by its id: those that take some of its requests. None: no entry. */
export type Isolators = ReadonlyMap<string, readonly ListenerFrame[]>;

const none: Isolators = new Map();

/** The isolators of the listeners of `frame`. */
export function computeIsolators(frame: GatewayFrame | undefined): Isolators {
  if (!frame || frame.listeners.length < 2) return none;
  const isolators = new Map<string, readonly ListenerFrame[]>();
  for (const sharers of Map.groupBy(frame.listeners, ({ port }) => port).values()) {
    if (sharers.length < 2) continue;
    for (const own of sharers) {
      const found = sharers.filter((other) => isolates(other, own));
      if (found.length > 0) isolators.set(own.name, found);
    }
  }
  return isolators.size === 0 ? none : isolators;
}

function isolates(other: ListenerFrame, own: ListenerFrame): boolean {
  return other !== own && other.hostname !== undefined &&
    hostnamesOverlap(other.hostname, own.hostname) &&
    compareHostnames(other.hostname, own.hostname) < 0;
}

/** The listener that takes every request for `hostname` from the listener with these isolators. */
export function isolatorOf(
  isolators: readonly ListenerFrame[],
  hostname: string | undefined,
): ListenerFrame | undefined {
  if (hostname === undefined) return undefined;
  return isolators.find((other) => hostnameCovers(other.hostname, hostname));
}
