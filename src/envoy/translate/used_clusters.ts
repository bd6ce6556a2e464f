/**
 * What a list of entries needs of clusters. Found once for each list, which keeps its identity as long
 * as it does not change.
 */

import { visitClustersOfAction } from "../../dataplane/action_clusters.ts";
import type { ClusterName, HttpRouteEntry, Listener } from "../../dataplane/model.ts";

/** The needs of HTTP entries. */
export interface UsedClusters {
  readonly names: ReadonlySet<ClusterName>;
  /** Entries with sessions; one of each rule. */
  readonly sessions: readonly HttpRouteEntry[];
}

/** See the file's header. */
export class UsedClusterIndex {
  readonly #found = new WeakMap<readonly HttpRouteEntry[], UsedClusters>();

  /** What the HTTP routes of `listener` need. */
  ofRoutes({ routes }: Listener): UsedClusters {
    let used = this.#found.get(routes);
    if (used === undefined) this.#found.set(routes, used = findUsed(routes));
    return used;
  }
}

function findUsed(routes: readonly HttpRouteEntry[]): UsedClusters {
  const names = new Set<ClusterName>();
  const actions = new Set<HttpRouteEntry["action"]>();
  const sessions: HttpRouteEntry[] = [];
  for (const entry of routes) {
    const { action } = entry;
    if (actions.has(action)) continue;
    actions.add(action);
    visitClustersOfAction(action, (name) => names.add(name));
    if (action.sessionPersistence !== undefined) sessions.push(entry);
  }
  return { names, sessions };
}
