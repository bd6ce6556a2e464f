/**
 * How far a Gateway and its routes are in service, by what data planes hold: one route at a time.
 *
 * Every question is a recorded read of just what it is about, so that an answer of a data plane wakes
 * the routes that it says something new about.
 */

import { equal } from "../../base/equal.ts";
import type { BoundListener, Refusal } from "../../dataplane/data_plane.ts";
import type { RouteEntry } from "../../dataplane/model.ts";
import type { ObjectKey } from "../../kube/object.ts";
import { type GatewayFrame, isSameFrame } from "../gateway_frame.ts";
import type { HeldGateway, HeldReader, PlacedEntry } from "../input_reader.ts";
import { routeId, type RouteKind } from "../route_kinds.ts";
import type { ComputeView, ParentBinding } from "./compute_view.ts";
import { entriesByListener } from "./parent_routes.ts";
import type { ServiceState } from "./service_state.ts";

/** What is read. */
export interface HeldServiceView extends HeldReader, Pick<ComputeView, "routeBindings"> {
  frame(gateway: ObjectKey): GatewayFrame | undefined;
}

/** See the file's header. */
export class HeldServiceState implements ServiceState {
  readonly #view: HeldServiceView;
  readonly #gateway: ObjectKey;

  constructor(view: HeldServiceView, gateway: ObjectKey) {
    this.#view = view;
    this.#gateway = gateway;
  }

  get isServed(): boolean {
    return this.#frame !== undefined;
  }

  get gatewayRefusals(): readonly Refusal[] {
    // What is not wanted has no answer that counts, and none is read.
    return this.#frame ? this.#view.heldRefusals(this.#gateway) : [];
  }

  get isGatewayAcknowledged(): boolean {
    return this.#acknowledged !== undefined;
  }

  serves(name: string): boolean {
    return this.#frame?.listeners.some((listener) => listener.name === name) ?? false;
  }

  isListenerAcknowledged(name: string): boolean {
    const frame = this.#frame;
    const held = frame && this.#view.heldFrame(this.#gateway);
    if (!held || !equal(held.addresses, frame.addresses)) return false;
    const heldListener = held.listeners.find((listener) => listener.name === name);
    return heldListener !== undefined &&
      equal(heldListener, frame.listeners.find((listener) => listener.name === name));
  }

  boundListeners(name: string): readonly BoundListener[] {
    return this.#acknowledged?.bound.filter((bound) => bound.name === name) ?? [];
  }

  isRouteAcknowledged(kind: RouteKind, route: ObjectKey): boolean {
    const frame = this.#frame;
    const held = frame && this.#view.heldRoute(this.#gateway, routeId(kind, route));
    if (!held) return false;
    const bindings: readonly ParentBinding<RouteEntry>[] = this.#view.routeBindings(kind, route);
    return equal(wantedEntries(frame, this.#gateway, bindings), held.placed);
  }

  routeRefusals(kind: RouteKind, route: ObjectKey): readonly Refusal[] {
    if (!this.#frame) return [];
    return this.#view.heldRoute(this.#gateway, routeId(kind, route))?.refusals ?? [];
  }

  get #frame(): GatewayFrame | undefined {
    return this.#view.frame(this.#gateway);
  }

  /** What is held, if it is what is wanted. */
  get #acknowledged(): HeldGateway | undefined {
    const frame = this.#frame;
    const held = frame && this.#view.held(this.#gateway);
    return held && isSameFrame(held.frame, frame) ? held : undefined;
  }
}

/** What the route with these bindings has at the listeners that are served. */
function wantedEntries(
  { listeners }: GatewayFrame,
  gateway: ObjectKey,
  bindings: readonly ParentBinding<RouteEntry>[],
): readonly PlacedEntry[] {
  const byListener = entriesByListener(bindings.filter((bound) => bound.gateway === gateway));
  return listeners.flatMap(({ name: listener }) =>
    (byListener.get(listener) ?? []).map((entry) => ({ listener, entry }))
  );
}
