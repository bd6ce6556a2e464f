/**
 * What became of each parent reference of a route: a fault, or the listeners that took it and what it
 * asks them to serve.
 */

import { equal, share } from "../../base/equal.ts";
import type { ObjectKey } from "../../kube/object.ts";
import { routeId, type RouteKind } from "../route_kinds.ts";
import type {
  BoundRoute,
  ComputeView,
  EntryOf,
  Meeting,
  ParentBinding,
  ParentMeetings,
} from "./compute_view.ts";
import type { Finding } from "./finding.ts";
import { routeComputations } from "./route_computations.ts";
import { computeRouteMeetings } from "./route_meetings.ts";
import { routeSlices } from "./route_slices.ts";

/** Binds the route `key` of `kind` to its parents. */
export function computeRouteBindings<K extends RouteKind>(
  view: ComputeView,
  kind: K,
  key: ObjectKey,
): readonly ParentBinding<EntryOf[K]>[] {
  return computeRouteMeetings(view, kind, key).map((found) => bindToParent(view, kind, key, found));
}

function bindToParent<K extends RouteKind>(
  view: ComputeView,
  kind: K,
  key: ObjectKey,
  { reference, parent, gateway, fault, meetings }: ParentMeetings,
): ParentBinding<EntryOf[K]> {
  const free = meetings.length === 0 ? meetings : withoutRivals(view, kind, key, parent, meetings);
  if ("reason" in free) return { reference, parent, gateway, fault: fault ?? free, bound: [] };
  const bound = free.length === 0 ? [] : bindToListeners(view, kind, key, free);
  return { reference, parent, gateway, ...(fault && { fault }), bound };
}

/** The meetings at which no older route of the other kind has the hostname. */
function withoutRivals(
  view: ComputeView,
  kind: RouteKind,
  key: ObjectKey,
  parent: ParentMeetings["parent"],
  meetings: readonly Meeting[],
): readonly Meeting[] | Finding {
  const isMixed = kind === "GRPCRoute" ||
    (kind === "HTTPRoute" && view.dataPlane.routeKinds.includes("GRPCRoute"));
  const lost = isMixed ? view.hostRivals(parent).get(routeId(kind, key)) : undefined;
  if (!lost) return meetings;
  const free = meetings.filter(({ listener }) => !lost.has(listener));
  if (free.length > 0) return free;
  const [winner = ""] = lost.values();
  const [winnerKind, winnerKey] = winner.split(" ");
  return {
    reason: "NotAllowedByListeners",
    message: `The hostnames are taken by ${winnerKind} "${winnerKey}", which comes first`,
  };
}

/** Listeners at which the route has the same hostnames share its entries. */
function bindToListeners<K extends RouteKind>(
  view: ComputeView,
  kind: K,
  key: ObjectKey,
  meetings: readonly Meeting[],
): readonly BoundRoute<EntryOf[K]>[] {
  const created = view.read(routeSlices[kind].creationTimestamp, key) ?? "";
  const { rules } = view.routeRules(kind, key);
  const { makeEntries } = routeComputations[kind];
  const entriesOf = (meeting: Meeting): readonly EntryOf[K][] =>
    makeEntries(key, created, rules, meeting);
  const [only] = meetings;
  if (only && meetings.length === 1) {
    return [{ listener: only.listener, entries: entriesOf(only) }];
  }
  const byHostnames = new Map<string, readonly EntryOf[K][]>();
  return meetings.map((meeting) => {
    const name = `${meeting.endsTls} ${meeting.hostnames.join()}`;
    const entries = byHostnames.get(name) ?? entriesOf(meeting);
    byHostnames.set(name, entries);
    return { listener: meeting.listener, entries };
  });
}

/**
 * `next` with what of `previous` is equal in its place. Entries are held against those that the same
 * listener had, by whichever reference: the lists of listeners are edited by the identity of entries,
 * and neither a reference that goes nor one that is written otherwise is a change of a listener.
 */
export function keepBindings<Entry>(
  previous: readonly ParentBinding<Entry>[],
  next: readonly ParentBinding<Entry>[],
): readonly ParentBinding<Entry>[] {
  if (equal(previous, next)) return previous;
  return next.map((binding) => {
    const { parent } = binding;
    const known = previous.filter((before) => before.parent === parent);
    if (known.length === 0) return binding;
    const bound = binding.bound.map((found) =>
      share(known.flatMap((before) => before.bound).find(isAt(found.listener)), found)
    );
    const kept = { ...binding, bound };
    return known.find((before) => equal(before, kept)) ?? kept;
  });
}

function isAt(name: string): (bound: BoundRoute<unknown>) => boolean {
  return ({ listener }) => listener === name;
}
