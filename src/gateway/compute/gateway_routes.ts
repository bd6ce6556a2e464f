/**
 * The routes of a Gateway by listener, brought up to date route by route.
 *
 * What a listener serves is sorted by precedence. A route that changes is taken out of the list and
 * put in again at its place, so that the cost is that of a copy, not of sorting ten thousand entries.
 * A listener that no changed route touches keeps its very object.
 */

import { clustersOfAction } from "../../dataplane/action_clusters.ts";
import type { ClusterName, HttpRouteEntry } from "../../dataplane/model.ts";
import type { ObjectKey } from "../../kube/object.ts";
import type { FoldChange } from "../../query/fold_node.ts";
import type { ParentBinding } from "./compute_view.ts";
import { CountedNames } from "./counted_names.ts";
import { editEntries } from "./edit_entries.ts";

/** What became of one listener. Immutable; other routes, another object. */
export interface ListenerRoutes {
  /** How many routes the listener took. */
  readonly attachedRoutes: number;
  /** By precedence. */
  readonly entries: readonly HttpRouteEntry[];
  /** What the entries lead to, each once, sorted. */
  readonly clusters: readonly ClusterName[];
}

/** By the name of the listener; one without routes has no entry. */
export type GatewayRoutes = ReadonlyMap<string, ListenerRoutes>;

/** The bindings of one route, as they come and go. */
export type BindingChange = FoldChange<ObjectKey, readonly ParentBinding[]>;

const noRoutes: ListenerRoutes = { attachedRoutes: 0, entries: [], clusters: [] };

interface ListenerChange {
  attachedBy: number;
  readonly removed: HttpRouteEntry[];
  readonly added: HttpRouteEntry[];
}

/** The state of the fold for one Gateway. */
export class GatewayRoutesState {
  readonly #gateway: ObjectKey;
  #routes = new Map<string, ListenerRoutes>();
  readonly #clusters = new Map<string, CountedNames<ClusterName>>();

  constructor(gateway: ObjectKey) {
    this.#gateway = gateway;
  }

  /** Takes changes over; the result is not changed by later calls. */
  update(changes: readonly BindingChange[]): GatewayRoutes {
    const byListener = this.#gather(changes);
    if (byListener.size === 0) return this.#routes;
    const routes = new Map(this.#routes);
    for (const [name, change] of byListener) {
      const next = this.#edit(name, routes.get(name) ?? noRoutes, change);
      if (next.attachedRoutes > 0) routes.set(name, next);
      else {
        routes.delete(name);
        this.#clusters.delete(name);
      }
    }
    return this.#routes = routes;
  }

  #gather(changes: readonly BindingChange[]): ReadonlyMap<string, ListenerChange> {
    const byListener = new Map<string, ListenerChange>();
    const at = (name: string): ListenerChange => {
      let change = byListener.get(name);
      if (!change) byListener.set(name, change = { attachedBy: 0, removed: [], added: [] });
      return change;
    };
    for (const { before, after } of changes) {
      const old = entriesByListener(this.#gateway, before);
      const now = entriesByListener(this.#gateway, after);
      for (const [name, entries] of old) {
        if (now.get(name) === entries) continue;
        const change = at(name);
        change.attachedBy--;
        change.removed.push(...entries);
      }
      for (const [name, entries] of now) {
        if (old.get(name) === entries) continue;
        const change = at(name);
        change.attachedBy++;
        change.added.push(...entries);
      }
    }
    return byListener;
  }

  #edit(name: string, before: ListenerRoutes, change: ListenerChange): ListenerRoutes {
    const { removed, added, attachedBy } = change;
    let clusters = this.#clusters.get(name);
    if (!clusters) this.#clusters.set(name, clusters = new CountedNames());
    for (const { action } of added) {
      for (const cluster of clustersOfAction(action)) clusters.add(cluster);
    }
    for (const { action } of removed) {
      for (const cluster of clustersOfAction(action)) clusters.remove(cluster);
    }
    return {
      attachedRoutes: before.attachedRoutes + attachedBy,
      entries: editEntries(before.entries, removed, added),
      clusters: clusters.sorted(),
    };
  }
}

/**
 * The entries of a route with these bindings at each listener of `gateway` that took it. A route that
 * reaches a listener through several references is attached once.
 */
export function entriesByListener(
  gateway: ObjectKey,
  bindings: readonly ParentBinding[] = [],
): ReadonlyMap<string, readonly HttpRouteEntry[]> {
  const byListener = new Map<string, readonly HttpRouteEntry[]>();
  for (const binding of bindings) {
    if (binding.gateway !== gateway) continue;
    for (const { listener, entries } of binding.bound) {
      if (!byListener.has(listener)) byListener.set(listener, entries);
    }
  }
  return byListener;
}

/** `next`, or `previous` when no listener has other routes. */
export function keepGatewayRoutes(previous: GatewayRoutes, next: GatewayRoutes): GatewayRoutes {
  if (previous.size !== next.size) return next;
  for (const [name, routes] of next) if (previous.get(name) !== routes) return next;
  return previous;
}
