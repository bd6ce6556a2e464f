/**
 * What data planes have answered, as inputs: per Gateway what is its own, and per route.
 *
 * An answer names a whole configuration. It is taken apart here, so that a query reads of it what it
 * asks about: a new answer that differs in one route wakes that route's status and no other. Costs
 * are those of a walk over the routes of the Gateway, comparing references.
 */

import type { Acknowledgement, Refusal } from "../dataplane/data_plane.ts";
import type { GatewayConfig, Listener, Origin, RouteEntry } from "../dataplane/model.ts";
import { type ObjectKey, objectKey } from "../kube/object.ts";
import type { Database } from "../query/database.ts";
import { InputTable, type Slice } from "../query/input_table.ts";
import { type Frame, frameOf } from "./gateway_frame.ts";
import type { HeldGateway, HeldRoute } from "./input_reader.ts";
import { isRouteKind, type RouteId, routeId } from "./route_kinds.ts";

const isThere: Slice<HeldGateway, true> = { name: "presence", index: 0, read: () => true };
const frame: Slice<HeldGateway, HeldGateway["frame"]> = {
  name: "frame",
  index: 1,
  read: (held) => held.frame,
};
const bound: Slice<HeldGateway, HeldGateway["bound"]> = {
  name: "listeners",
  index: 2,
  read: (held) => held.bound,
};
const refusals: Slice<HeldGateway, readonly Refusal[]> = {
  name: "refusals",
  index: 3,
  read: (held) => held.refusals,
};

const routeSlices: readonly Slice<HeldRoute, unknown>[] = [
  { name: "entries", index: 0, read: (held) => held.placed },
  { name: "refusals", index: 1, read: (held) => held.refusals },
];

/** What an answer says of a route that it does not name. */
const nothingHeld: HeldRoute = { placed: [], refusals: [] };

/** See the file's header. */
export class HeldConfigs {
  readonly #database: Database;
  readonly #acknowledgements = new Map<ObjectKey, Acknowledgement>();
  readonly #gateways: InputTable<ObjectKey, HeldGateway>;
  /** By {@linkcode pairOf}. */
  readonly #routes: InputTable<string, HeldRoute>;

  constructor(database: Database) {
    this.#database = database;
    this.#gateways = new InputTable(database, "acknowledgements", [
      isThere,
      frame,
      bound,
      refusals,
    ]);
    this.#routes = new InputTable(database, "acknowledged routes", routeSlices);
  }

  /** How many entries there are, absences that something has read included. */
  get entryCount(): number {
    return this.#acknowledgements.size + this.#gateways.entryCount + this.#routes.entryCount;
  }

  /** Takes an answer over. False when it says nothing new. */
  set(gateway: ObjectKey, acknowledgement: Acknowledgement): boolean {
    const before = this.#acknowledgements.get(gateway);
    this.#acknowledgements.set(gateway, acknowledgement);
    const revision = this.#database.revision;
    this.#database.transaction(0, () => {
      this.#gateways.set(gateway, heldGateway(acknowledgement));
      const routes = changedRoutes(before, acknowledgement);
      for (const [route, held] of heldRoutes(acknowledgement, routes)) {
        const pair = pairOf(gateway, route);
        if (held === nothingHeld) this.#routes.delete(pair);
        else this.#routes.set(pair, held);
      }
    });
    return this.#database.revision !== revision;
  }

  /** Forgets the answers for `gateway`, which nothing reads: it is not asked for any more. */
  drop(gateway: ObjectKey): void {
    const acknowledgement = this.#acknowledgements.get(gateway);
    if (!acknowledgement) return;
    this.#acknowledgements.delete(gateway);
    if (!this.#gateways.dropUnread(gateway)) this.#gateways.delete(gateway);
    for (const route of changedRoutes(undefined, acknowledgement)) {
      const pair = pairOf(gateway, route);
      if (!this.#routes.dropUnread(pair)) this.#routes.delete(pair);
    }
  }

  /** The answer as it was given, for who is no query. */
  acknowledgementOf(gateway: ObjectKey): Acknowledgement | undefined {
    return this.#acknowledgements.get(gateway);
  }

  /** A tracked read of all but the routes. */
  held(gateway: ObjectKey): HeldGateway | undefined {
    return this.#gateways.get(gateway);
  }

  /** A tracked read of what the answer was for. */
  heldFrame(gateway: ObjectKey): Frame | undefined {
    return this.#gateways.read(frame, gateway);
  }

  /** A tracked read of what was refused of the Gateway itself. */
  refusals(gateway: ObjectKey): readonly Refusal[] {
    return this.#gateways.read(refusals, gateway) ?? [];
  }

  /** A tracked read of one route; undefined when there is no answer for the Gateway. */
  heldRoute(gateway: ObjectKey, route: RouteId): HeldRoute | undefined {
    if (this.#gateways.read(isThere, gateway) === undefined) return undefined;
    return this.#routes.get(pairOf(gateway, route)) ?? nothingHeld;
  }
}

/** Keys of Gateways hold no space. */
function pairOf(gateway: ObjectKey, route: RouteId): string {
  return `${gateway} ${route}`;
}

/** The parts of an answer that are the Gateway's own. */
function heldGateway(acknowledgement: Acknowledgement): HeldGateway {
  const { config, listeners, refusals } = acknowledgement;
  return {
    frame: frameOf(config),
    bound: listeners,
    refusals: refusals.filter(({ origin }) => !isRouteKind(origin.kind)),
  };
}

/** What an answer says of each of `routes`, in one walk. */
function heldRoutes(
  { config, refusals }: Acknowledgement,
  routes: ReadonlySet<RouteId>,
): ReadonlyMap<RouteId, HeldRoute> {
  const held = new Map<RouteId, HeldRoute>();
  for (const route of routes) held.set(route, nothingHeld);
  if (routes.size === 0) return held;
  for (const listener of config.listeners) {
    for (const entry of entriesOf(listener)) {
      const route = routeOf(entry.origin);
      const found = route && held.get(route);
      if (!found) continue;
      held.set(route, { ...found, placed: [...found.placed, { listener: listener.name, entry }] });
    }
  }
  for (const refusal of refusals) {
    const route = routeOf(refusal.origin);
    const found = route && held.get(route);
    if (found) held.set(route, { ...found, refusals: [...found.refusals, refusal] });
  }
  return held;
}

/** The routes of which two answers may say different things; all of `after` without a `before`. */
function changedRoutes(
  before: Acknowledgement | undefined,
  after: Acknowledgement,
): ReadonlySet<RouteId> {
  const routes = new Set<RouteId>();
  for (const { refusals } of before ? [before, after] : [after]) {
    for (const { origin } of refusals) addRoute(origin, routes);
  }
  if (before?.config === after.config) return routes;
  const isSameOrder = before !== undefined && hasSameListenerNames(before.config, after.config);
  after.config.listeners.forEach((listener, index) => {
    const old = isSameOrder ? before.config.listeners[index] : undefined;
    addChanged(old?.routes ?? [], listener.routes, routes);
    addChanged(old?.streams ?? [], listener.streams, routes);
  });
  if (before && !isSameOrder) {
    for (const listener of before.config.listeners) {
      addChanged([], listener.routes, routes);
      addChanged([], listener.streams, routes);
    }
  }
  return routes;
}

function hasSameListenerNames(a: GatewayConfig, b: GatewayConfig): boolean {
  return a.listeners.length === b.listeners.length &&
    a.listeners.every(({ name }, index) => name === b.listeners[index]?.name);
}

/** Entries keep their identity while they are equal, and most stay where they are. */
function addChanged(
  before: readonly RouteEntry[],
  after: readonly RouteEntry[],
  routes: Set<RouteId>,
): void {
  if (before === after) return;
  const shorter = Math.min(before.length, after.length);
  let front = 0;
  while (front < shorter && before[front] === after[front]) front++;
  let back = 0;
  while (back < shorter - front && before.at(-1 - back) === after.at(-1 - back)) back++;
  for (const entries of [before, after]) {
    for (let index = front; index < entries.length - back; index++) {
      const entry = entries[index];
      if (entry) addRoute(entry.origin, routes);
    }
  }
}

/** What a listener serves, of whatever kind. */
function* entriesOf({ routes, streams }: Listener): Generator<RouteEntry> {
  yield* routes;
  yield* streams;
}

function addRoute(origin: Origin, routes: Set<RouteId>): void {
  const route = routeOf(origin);
  if (route !== undefined) routes.add(route);
}

/** The route that `origin` names; undefined when it names something else. */
function routeOf({ kind, namespace, name }: Origin): RouteId | undefined {
  return isRouteKind(kind) ? routeId(kind, objectKey(namespace, name)) : undefined;
}
