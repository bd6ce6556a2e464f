/**
 * The routes of one kind at a parent by listener, brought up to date route by route.
 *
 * What a listener serves is sorted by precedence. A route that changes is taken out of the list and
 * put in again at its place, so that the cost is that of a copy, not of sorting ten thousand entries.
 * A listener that no changed route touches keeps its very object.
 */

import type { ClusterName, HttpRouteEntry, RouteEntry } from "../../dataplane/model.ts";
import type { ObjectKey } from "../../kube/object.ts";
import type { FoldChange } from "../../query/fold_node.ts";
import type { ParentKey } from "../parent_keys.ts";
import type { ParentBinding } from "./compute_view.ts";
import { CountedNames } from "./counted_names.ts";
import { editEntries } from "./edit_entries.ts";
import { noShadows, type RouteShadows, ShadowIndex } from "./shadow_index.ts";
import type { EntryOrder } from "./route_computations.ts";

/** What became of one listener. Immutable; other routes, another object. */
export interface ListenerRoutes<Entry extends RouteEntry = HttpRouteEntry> {
  /** How many routes the listener took. */
  readonly attachedRoutes: number;
  /** By precedence. */
  readonly entries: readonly Entry[];
  /** What the entries lead to, each once, sorted. */
  readonly clusters: readonly ClusterName[];
  /** The routes with entries that never serve. */
  readonly shadows: RouteShadows;
}

/** By the id of the listener; one without routes has no entry. */
export type ParentRoutes<Entry extends RouteEntry = HttpRouteEntry> = ReadonlyMap<
  string,
  ListenerRoutes<Entry>
>;

/** The bindings of one route, as they come and go. */
export type BindingChange<Entry> = FoldChange<ObjectKey, readonly ParentBinding<Entry>[]>;

const noRoutes: ListenerRoutes<never> = {
  attachedRoutes: 0,
  entries: [],
  clusters: [],
  shadows: noShadows,
};

/** What is known of a listener besides its routes. */
interface ListenerState<Entry extends RouteEntry> {
  readonly clusters: CountedNames<ClusterName>;
  readonly shadows: ShadowIndex<Entry>;
}

interface ListenerChange<Entry> {
  attachedBy: number;
  readonly removed: Entry[];
  readonly added: Entry[];
}

/** The state of the fold for one parent. */
export class ParentRoutesState<Entry extends RouteEntry> {
  readonly #parent: ParentKey;
  readonly #order: EntryOrder<Entry>;
  #routes = new Map<string, ListenerRoutes<Entry>>();
  readonly #states = new Map<string, ListenerState<Entry>>();

  constructor(parent: ParentKey, order: EntryOrder<Entry>) {
    this.#parent = parent;
    this.#order = order;
  }

  /** Takes changes over; the result is not changed by later calls. */
  update(changes: readonly BindingChange<Entry>[]): ParentRoutes<Entry> {
    const byListener = this.#gather(changes);
    if (byListener.size === 0) return this.#routes;
    const routes = new Map(this.#routes);
    for (const [name, change] of byListener) {
      const next = this.#edit(name, routes.get(name) ?? noRoutes, change);
      if (next.attachedRoutes > 0 || next.entries.length > 0) routes.set(name, next);
      else {
        routes.delete(name);
        this.#states.delete(name);
      }
    }
    return this.#routes = routes;
  }

  #gather(
    changes: readonly BindingChange<Entry>[],
  ): ReadonlyMap<string, ListenerChange<Entry>> {
    const byListener = new Map<string, ListenerChange<Entry>>();
    const at = (name: string): ListenerChange<Entry> => {
      let change = byListener.get(name);
      if (!change) byListener.set(name, change = { attachedBy: 0, removed: [], added: [] });
      return change;
    };
    for (const { before, after } of changes) {
      const [ownBefore, ownAfter] = [this.#own(before), this.#own(after)];
      const old = entriesByListener(ownBefore);
      const now = entriesByListener(ownAfter);
      const [wasAttached, isAttached] = [attaches(ownBefore), attaches(ownAfter)];
      const isSame = wasAttached === isAttached;
      for (const [name, entries] of old) {
        if (isSame && now.get(name) === entries) continue;
        const change = at(name);
        if (wasAttached) change.attachedBy--;
        change.removed.push(...entries);
      }
      for (const [name, entries] of now) {
        if (isSame && old.get(name) === entries) continue;
        const change = at(name);
        if (isAttached) change.attachedBy++;
        change.added.push(...entries);
      }
    }
    return byListener;
  }

  #own(bindings: readonly ParentBinding<Entry>[] = []): readonly ParentBinding<Entry>[] {
    return bindings.filter(({ parent }) => parent === this.#parent);
  }

  #edit(
    name: string,
    before: ListenerRoutes<Entry>,
    { removed, added, attachedBy }: ListenerChange<Entry>,
  ): ListenerRoutes<Entry> {
    const { visitClusters, compare } = this.#order;
    let state = this.#states.get(name);
    if (!state) {
      state = { clusters: new CountedNames(), shadows: new ShadowIndex(compare) };
      this.#states.set(name, state);
    }
    const { clusters, shadows } = state;
    const add = (cluster: ClusterName): void => void clusters.add(cluster);
    const remove = (cluster: ClusterName): void => void clusters.remove(cluster);
    for (const entry of added) visitClusters(entry, add);
    for (const entry of removed) visitClusters(entry, remove);
    return {
      attachedRoutes: before.attachedRoutes + attachedBy,
      entries: editEntries(before.entries, removed, added, compare),
      clusters: clusters.sorted(),
      shadows: shadows.update(removed, added),
    };
  }
}

/** Whether the bound entries are of a route that is attached, not of one that only bars requests. */
function attaches(bindings: readonly ParentBinding<unknown>[]): boolean {
  return bindings.some(({ fault, bound }) => !fault && bound.length > 0);
}

/**
 * The entries of a route with these bindings, which belong together, at each listener that took it. A
 * route that reaches a listener through several references is attached once.
 */
export function entriesByListener<Entry>(
  bindings: readonly ParentBinding<Entry>[],
): ReadonlyMap<string, readonly Entry[]> {
  const byListener = new Map<string, readonly Entry[]>();
  for (const { bound } of bindings) {
    for (const { listener, entries } of bound) {
      if (!byListener.has(listener)) byListener.set(listener, entries);
    }
  }
  return byListener;
}
