/**
 * A Gateway's configuration without its routes: what is its own, and stays when a route changes.
 */

import { equal } from "../base/equal.ts";
import type { CertificateName, GatewayConfig, Listener } from "../dataplane/model.ts";

/** A listener without its routes. */
export type ListenerFrame = Omit<Listener, "routes" | "streams">;

/** Where a Gateway listens and for what, and what it shows to backends. */
export interface Frame {
  readonly clientCertificate?: CertificateName;
  readonly addresses: readonly string[];
  readonly listeners: readonly ListenerFrame[];
}

/** A configuration without routes. */
export type GatewayFrame = Omit<GatewayConfig, "listeners"> & Frame;

/** What of `config` is the Gateway's own. */
export function frameOf({ addresses, clientCertificate, listeners }: GatewayConfig): Frame {
  return {
    addresses,
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    listeners: listeners.map(({ routes: _, streams: __, ...own }) => own),
  };
}

/** Whether two Gateways listen at the same places for the same, and show the same to backends. */
export function isSameFrame(a: Frame, b: Frame): boolean {
  return a.clientCertificate === b.clientCertificate && equal(a.addresses, b.addresses) &&
    equal(a.listeners, b.listeners);
}
