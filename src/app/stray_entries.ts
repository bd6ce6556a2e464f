/**
 * Finds entries of ours on routes that are none of ours: what an earlier process wrote and could not
 * take back, because the route left its Gateway while nobody watched.
 *
 * Routes are suspects from when they are seen with such an entry until the next commit, which tells
 * whether the engine has a status for them. Bounded by the number of routes.
 */

import type { DesiredStatus } from "../kube/desired_status.ts";
import { isRecord } from "../kube/json_value.ts";
import { keyOf, type KubeObject, type ObjectKey } from "../kube/object.ts";
import { hasOwnParent, type OwnsParent } from "../kube/parent_merge.ts";

/** See the file's header. */
export class StrayEntries {
  readonly #controllerName: string;
  readonly #ownsParent: OwnsParent;
  readonly #suspects = new Set<ObjectKey>();

  constructor(controllerName: string, ownsParent: OwnsParent) {
    this.#controllerName = controllerName;
    this.#ownsParent = ownsParent;
  }

  /** Looks at a route as it is stored. */
  observe(route: KubeObject): void {
    const parents = isRecord(route.status) ? route.status.parents : undefined;
    const input = { namespace: route.metadata.namespace ?? "", ownsParent: this.#ownsParent };
    const isSuspect = hasOwnParent(parents, this.#controllerName, input);
    if (isSuspect) this.#suspects.add(keyOf(route));
    else this.#suspects.delete(keyOf(route));
  }

  /** The suspects that have no status among `statuses`, each once. */
  take(statuses: ReadonlyMap<ObjectKey, DesiredStatus>): readonly ObjectKey[] {
    const strays = [...this.#suspects].filter((key) => !statuses.has(key));
    this.#suspects.clear();
    return strays;
  }
}
