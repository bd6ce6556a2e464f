/** Which routes of a parent have entries that never serve, of all kinds and at all listeners. */

import type { ObjectKey } from "../../kube/object.ts";
import type { RouteKind } from "../route_kinds.ts";
import { type EntryShadows, type RouteShadows, shadowGroupOf } from "./shadow_index.ts";

/** By {@linkcode shadowPlace}; a place without any has none. */
export type ParentShadows = ReadonlyMap<ShadowPlace, RouteShadows>;
/** The kind of the routes, then the listener's id. */
export type ShadowPlace = `${RouteKind} ${string}`;
/** Of one route: its entries that never serve, by the listener's id. */
export type ListenerShadows = ReadonlyMap<string, EntryShadows>;

/** Nothing of a route is shadowed. */
export const noListenerShadows: ListenerShadows = new Map();
/** Nothing of a parent is. */
export const noParentShadows: ParentShadows = new Map();

/** The place of routes of `kind` at `listener`. */
export function shadowPlace(kind: RouteKind, listener: string): ShadowPlace {
  return `${kind} ${listener}`;
}

/** What is said of one route among all that is said of its parent. */
export function shadowsOfRoute(
  parent: ParentShadows,
  kind: RouteKind,
  route: ObjectKey,
): ListenerShadows {
  if (parent.size === 0) return noListenerShadows;
  const found = new Map<string, EntryShadows>();
  const prefix = shadowPlace(kind, "");
  for (const [place, groups] of parent) {
    const entries = place.startsWith(prefix)
      ? groups.get(shadowGroupOf(route))?.get(route)
      : undefined;
    if (entries) found.set(place.slice(prefix.length), entries);
  }
  return found.size === 0 ? noListenerShadows : found;
}

/** The routes of which `before` and `after` may say different things. */
export function* changedShadows(
  before: RouteShadows | undefined,
  after: RouteShadows | undefined,
): Generator<ObjectKey> {
  for (const number of new Set([...before?.keys() ?? [], ...after?.keys() ?? []])) {
    const old = before?.get(number);
    const now = after?.get(number);
    if (old === now) continue;
    for (const [route, entries] of old ?? []) if (now?.get(route) !== entries) yield route;
    for (const route of now?.keys() ?? []) if (!old?.has(route)) yield route;
  }
}

/** `next`, or `previous` when it has the very same parts. */
export function keepSameParts<Key, Part>(
  previous: ReadonlyMap<Key, Part>,
  next: ReadonlyMap<Key, Part>,
): ReadonlyMap<Key, Part> {
  if (previous.size !== next.size) return next;
  for (const [id, part] of next) if (previous.get(id) !== part) return next;
  return previous;
}
