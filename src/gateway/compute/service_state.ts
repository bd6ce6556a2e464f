/**
 * What a data plane has confirmed of what we want: the ground of every `Programmed` condition.
 *
 * A Gateway's own part (addresses and listeners) and the part of each route are compared on their
 * own, so that a change of one route says nothing about the others. What was not confirmed yet is
 * unknown, never false.
 */

import { equal } from "../../base/equal.ts";
import type { Acknowledgement, BoundListener, Refusal } from "../../dataplane/data_plane.ts";
import {
  type DataPlaneConfig,
  type GatewayConfig,
  gatewayKey,
  type Listener,
} from "../../dataplane/model.ts";
import { type ObjectKey, objectKey, parseObjectKey } from "../../kube/object.ts";
import type { PlacedEntry } from "../input_reader.ts";
import { isRouteKind, routeId, type RouteKind } from "../route_kinds.ts";
import type { ScratchView } from "./scratch_view.ts";

/** How far a Gateway and its routes are in service. */
export interface ServiceState {
  /** Whether anything of the Gateway shall be served. */
  readonly isServed: boolean;
  /** What the data plane refuses of the Gateway itself. Empty before it has answered. */
  readonly gatewayRefusals: readonly Refusal[];
  /** Whether the Gateway's addresses and listeners are those that the data plane answered to. */
  readonly isGatewayAcknowledged: boolean;
  /** Whether the listener `name` shall be served. */
  serves(name: string): boolean;
  /** Whether the data plane answered to the listener `name` as it shall be, at the addresses. */
  isListenerAcknowledged(name: string): boolean;
  /** Where the listener `name` really listens. */
  boundListeners(name: string): readonly BoundListener[];
  /** Whether the rules of this route are those that the data plane answered to. */
  isRouteAcknowledged(kind: RouteKind, route: ObjectKey): boolean;
  /** What the data plane refuses of this route. */
  routeRefusals(kind: RouteKind, route: ObjectKey): readonly Refusal[];
}

/** The same, found in whole configurations. */
class ConfigServiceState implements ServiceState {
  readonly #config: GatewayConfig | undefined;
  readonly gatewayRefusals: readonly Refusal[];
  readonly #acknowledgement: Acknowledgement | undefined;
  #wantedByRoute: ReadonlyMap<string, readonly PlacedEntry[]> | undefined;
  #heldByRoute: ReadonlyMap<string, readonly PlacedEntry[]> | undefined;
  readonly #isListenerAcknowledged = new Map<string, boolean>();

  constructor(config: GatewayConfig | undefined, acknowledgement: Acknowledgement | undefined) {
    this.#config = config;
    this.#acknowledgement = acknowledgement;
    this.gatewayRefusals = this.#refusals.filter(({ origin }) => !isRouteKind(origin.kind));
  }

  get isServed(): boolean {
    return this.#config !== undefined;
  }

  serves(name: string): boolean {
    return this.#config?.listeners.some((listener) => listener.name === name) ?? false;
  }

  get isGatewayAcknowledged(): boolean {
    const held = this.#acknowledgement?.config;
    if (!this.#config || !held) return false;
    return held === this.#config || hasSameOwnPart(held, this.#config);
  }

  isListenerAcknowledged(name: string): boolean {
    const held = this.#acknowledgement?.config;
    if (!this.#config || !held) return false;
    if (held === this.#config) return true;
    let known = this.#isListenerAcknowledged.get(name);
    if (known === undefined) {
      known = hasSameListener(held, this.#config, name);
      this.#isListenerAcknowledged.set(name, known);
    }
    return known;
  }

  boundListeners(name: string): readonly BoundListener[] {
    if (!this.isGatewayAcknowledged) return [];
    return this.#acknowledgement?.listeners.filter((bound) => bound.name === name) ?? [];
  }

  isRouteAcknowledged(kind: RouteKind, route: ObjectKey): boolean {
    const held = this.#acknowledgement?.config;
    if (!this.#config || !held) return false;
    if (held === this.#config) return true;
    this.#wantedByRoute ??= entriesByRoute(this.#config);
    this.#heldByRoute ??= entriesByRoute(held);
    const id = routeId(kind, route);
    return equal(this.#wantedByRoute.get(id), this.#heldByRoute.get(id));
  }

  routeRefusals(kind: RouteKind, route: ObjectKey): readonly Refusal[] {
    if (this.#refusals.length === 0) return this.#refusals;
    return this.#refusals.filter(({ origin }) =>
      origin.kind === kind && objectKey(origin.namespace, origin.name) === route
    );
  }

  get #refusals(): readonly Refusal[] {
    return this.#acknowledgement?.refusals ?? [];
  }
}

/** The state of the Gateway `key` under the configuration `dataPlane`. */
export function computeServiceState(
  view: Pick<ScratchView, "acknowledgementOf">,
  dataPlane: DataPlaneConfig,
  key: ObjectKey,
): ServiceState {
  const { namespace, name } = parseObjectKey(key);
  const config = dataPlane.gateways.get(gatewayKey(namespace ?? "", name));
  // What is not wanted has no answer that counts, and none is read.
  return new ConfigServiceState(config, config && view.acknowledgementOf(key));
}

function hasSameOwnPart(a: GatewayConfig, b: GatewayConfig): boolean {
  return a.listeners.length === b.listeners.length && equal(a.addresses, b.addresses) &&
    a.clientCertificate === b.clientCertificate &&
    a.listeners.every((listener, index) => isSameListener(listener, b.listeners[index]));
}

function hasSameListener(a: GatewayConfig, b: GatewayConfig, name: string): boolean {
  const find = ({ listeners }: GatewayConfig): Listener | undefined =>
    listeners.find((listener) => listener.name === name);
  const listener = find(a);
  return listener !== undefined && equal(a.addresses, b.addresses) &&
    isSameListener(listener, find(b));
}

/** Whether two listeners are the same but for their routes. */
function isSameListener(listener: Listener, other: Listener | undefined): boolean {
  if (listener === other) return true;
  if (!other) return false;
  const { routes: _, streams: __, ...own } = listener;
  const { routes: ___, streams: ____, ...others } = other;
  return equal(own, others);
}

function entriesByRoute(config: GatewayConfig): ReadonlyMap<string, readonly PlacedEntry[]> {
  const byRoute = new Map<string, PlacedEntry[]>();
  for (const { name: listener, routes, streams } of config.listeners) {
    for (const entry of [...routes, ...streams]) {
      const { kind, namespace, name } = entry.origin;
      const route = `${kind} ${namespace}/${name}`;
      const placed = byRoute.get(route);
      if (placed) placed.push({ listener, entry });
      else byRoute.set(route, [{ listener, entry }]);
    }
  }
  return byRoute;
}
