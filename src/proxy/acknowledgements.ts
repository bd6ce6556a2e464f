/**
 * What was told about each Gateway, so that only what changed is told again. Pure but for its memory.
 */

import type { Acknowledgement, BoundListener, Refusal } from "../dataplane/data_plane.ts";
import type { DataPlaneConfig, GatewayConfig, GatewayKey, Listener } from "../dataplane/model.ts";
import type { GatewayRefusal } from "../dataplane/bindings.ts";

/** Where the sockets are. */
export interface BoundPorts {
  /** The port on `address` where `listener` is served; undefined: it is not. */
  listenerPort(address: string, listener: Listener): number | undefined;
}

/** See the file's header. */
export class Acknowledgements {
  readonly #told = new Map<GatewayKey, Acknowledgement>();

  /** The acknowledgements of the Gateways whose configuration, sockets or refusals changed. */
  update(
    config: DataPlaneConfig,
    ports: BoundPorts,
    refusals: readonly GatewayRefusal[],
  ): Acknowledgement[] {
    for (const key of this.#told.keys()) if (!config.gateways.has(key)) this.#told.delete(key);
    const byGateway = Map.groupBy(refusals, ({ gateway }) => gateway.key);
    const changed: Acknowledgement[] = [];
    for (const gateway of config.gateways.values()) {
      const own = (byGateway.get(gateway.key) ?? []).map(({ refusal }) => refusal);
      const listeners = boundListeners(gateway, ports);
      const told = this.#told.get(gateway.key);
      if (told?.config === gateway && isSame(told, listeners, own)) continue;
      const acknowledgement = { gateway: gateway.key, config: gateway, listeners, refusals: own };
      this.#told.set(gateway.key, acknowledgement);
      changed.push(acknowledgement);
    }
    return changed;
  }
}

function boundListeners(gateway: GatewayConfig, ports: BoundPorts): BoundListener[] {
  const bound: BoundListener[] = [];
  for (const listener of gateway.listeners) {
    const { name, origin, port } = listener;
    for (const address of gateway.addresses) {
      const boundPort = ports.listenerPort(address, listener);
      if (boundPort !== undefined) bound.push({ name, origin, address, port, boundPort });
    }
  }
  return bound;
}

function isSame(
  told: Acknowledgement,
  listeners: readonly BoundListener[],
  refusals: readonly Refusal[],
): boolean {
  return told.listeners.length === listeners.length &&
    told.refusals.length === refusals.length &&
    listeners.every((listener, index) => {
      const before = told.listeners[index];
      return before?.name === listener.name && before.address === listener.address &&
        before.boundPort === listener.boundPort;
    }) &&
    refusals.every((refusal, index) => {
      const before = told.refusals[index];
      return before?.listener === refusal.listener && before?.reason === refusal.reason &&
        before?.message === refusal.message;
    });
}
