/**
 * Which sockets a configuration needs, and which listener answers which hostname on each.
 *
 * One binding for each address and port. Gateways that share one are merged by hostname: the older
 * Gateway keeps a hostname that both want, and a younger one that needs another protocol there is
 * refused (Gateway API, listener compatibility). Pure: nothing is opened here.
 */

import { formatHostPort } from "../base/ip_address.ts";
import type { Refusal } from "./data_plane.ts";
import type { DataPlaneConfig, GatewayConfig, Listener, Protocol } from "./model.ts";
import { compareGatewayAge } from "./precedence.ts";

/** One listener of one Gateway on one binding. */
export interface PlacedListener {
  readonly gateway: GatewayConfig;
  readonly listener: Listener;
}

/** One address and port with all that answers there. */
export interface Binding {
  /** `address:port` of the specification, `/udp` behind it for datagrams; unique. */
  readonly key: string;
  readonly address: string;
  readonly port: number;
  /** Of the first listener. */
  readonly protocol: Protocol;
  /** Hostnames are distinct; the oldest Gateway first. */
  readonly listeners: readonly PlacedListener[];
}

/** A refusal and the Gateway that it is reported to. */
export interface GatewayRefusal {
  readonly gateway: GatewayConfig;
  readonly refusal: Refusal;
}

/** What {@linkcode computeBindings} returns. */
export interface Bindings {
  readonly bindings: ReadonlyMap<string, Binding>;
  readonly refusals: readonly GatewayRefusal[];
}

/** Whether a data plane can tell connections of the two protocols apart on one port. */
export type SharesPort = (a: Protocol, b: Protocol) => boolean;

/** Spreads the listeners of all Gateways over addresses and ports. */
export function computeBindings(
  config: DataPlaneConfig,
  sharesPort: SharesPort = isSame,
): Bindings {
  const bindings = new Map<string, Binding & { readonly listeners: PlacedListener[] }>();
  const refusals: GatewayRefusal[] = [];
  for (const gateway of [...config.gateways.values()].sort(compareGatewayAge)) {
    for (const address of gateway.addresses) {
      for (const listener of gateway.listeners) {
        const key = bindingKey(address, listener);
        const binding = bindings.get(key);
        if (binding === undefined) {
          const { port, protocol } = listener;
          bindings.set(key, { key, address, port, protocol, listeners: [{ gateway, listener }] });
          continue;
        }
        const message = clashMessage(binding, listener, sharesPort);
        if (message === undefined) binding.listeners.push({ gateway, listener });
        else refusals.push({ gateway, refusal: refuse(listener, "PortUnavailable", message) });
      }
    }
  }
  return { bindings, refusals };
}

/** A refusal of one listener. */
export function refuse(listener: Listener, reason: string, message: string): Refusal {
  return { origin: listener.origin, listener: listener.name, reason, message };
}

function isSame(a: Protocol, b: Protocol): boolean {
  return a === b;
}

/** Datagrams and connections have ports of their own. */
function bindingKey(address: string, { port, protocol }: Listener): string {
  const key = formatHostPort(address, port);
  return protocol === "UDP" ? `${key}/udp` : key;
}

function clashMessage(
  binding: Binding,
  listener: Listener,
  sharesPort: SharesPort,
): string | undefined {
  const [first] = binding.listeners;
  if (first !== undefined && !sharesPort(binding.protocol, listener.protocol)) {
    return `${binding.key} serves ${binding.protocol} for Gateway "${first.gateway.key}"` +
      `, and ${listener.protocol} cannot share it`;
  }
  const owner = binding.listeners.find((placed) => placed.listener.hostname === listener.hostname);
  if (owner === undefined) return undefined;
  const hostname = listener.hostname === undefined
    ? "every hostname"
    : `hostname "${listener.hostname}"`;
  return `${hostname} on ${binding.key} belongs to Gateway "${owner.gateway.key}", which comes first`;
}
