/** What a data plane is given of one Gateway, and the names of what else it needs for it. */

import { equal } from "../../base/equal.ts";
import type {
  CertificateName,
  ClusterName,
  GatewayConfig,
  Listener,
} from "../../dataplane/model.ts";
import type { GatewayFrame } from "../gateway_frame.ts";
import { withRoutes } from "./gateway_config.ts";
import type { GatewayRoutes } from "./gateway_routes.ts";

/** See the file's header. */
export interface GatewayPart {
  readonly config: GatewayConfig;
  /** For each listener, in order: the clusters that its routes lead to. */
  readonly clusters: readonly (readonly ClusterName[])[];
  /** For each listener, in order. */
  readonly certificates: readonly (readonly CertificateName[])[];
}

/** The part of a Gateway with this frame and these routes. */
export function computeGatewayPart(frame: GatewayFrame, routes: GatewayRoutes): GatewayPart {
  return {
    config: withRoutes(frame, (listener) => routes.get(listener)?.entries ?? []),
    clusters: frame.listeners.map(({ name }) => routes.get(name)?.clusters ?? []),
    certificates: frame.listeners.map(({ certificates }) => certificates ?? []),
  };
}

/**
 * `next` with the listeners of `previous` that are equal, or `previous` when all is. Lists of routes,
 * which may be long, are compared by reference.
 */
export function keepGatewayPart(
  previous: GatewayPart | undefined,
  next: GatewayPart | undefined,
): GatewayPart | undefined {
  if (!previous || !next) return next;
  let isSame = previous.config.listeners.length === next.config.listeners.length;
  const listeners = next.config.listeners.map((listener, index): Listener => {
    const before = previous.config.listeners[index];
    // Lists of routes are the same object while they are equal.
    if (before && before.routes === listener.routes && equal(before, listener)) return before;
    isSame = false;
    return listener;
  });
  // Equal routes lead to equal clusters.
  if (isSame && equal({ ...previous.config, listeners }, { ...next.config, listeners })) {
    return previous;
  }
  return { ...next, config: { ...next.config, listeners } };
}
