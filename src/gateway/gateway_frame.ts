/**
 * A Gateway's configuration without its routes: what is its own, and stays when a route changes.
 */

import type { GatewayConfig, Listener } from "../dataplane/model.ts";

/** A listener without its routes. */
export type ListenerFrame = Omit<Listener, "routes" | "streams">;

/** Where a Gateway listens and for what. */
export interface Frame {
  readonly addresses: readonly string[];
  readonly listeners: readonly ListenerFrame[];
}

/** A configuration without routes. */
export type GatewayFrame = Omit<GatewayConfig, "listeners"> & Frame;

/** What of `config` is the Gateway's own. */
export function frameOf({ addresses, listeners }: GatewayConfig): Frame {
  return { addresses, listeners: listeners.map(({ routes: _, streams: __, ...own }) => own) };
}
