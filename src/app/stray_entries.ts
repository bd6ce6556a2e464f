/**
 * Finds entries of ours on routes or policies that are none of ours: what an earlier process wrote
 * and could not take back, because the object left its Gateway while nobody watched.
 *
 * Objects, all of one kind, are suspects from when they are seen with such an entry until the next
 * commit, which tells whether the engine has a status for them. Bounded by the number of objects.
 */

import type { DesiredStatus } from "../kube/desired_status.ts";
import { entryListOf } from "../kube/entry_list.ts";
import { hasOwnEntry, type OwnsParent } from "../kube/entry_merge.ts";
import { isRecord } from "../kube/json_value.ts";
import { keyOf, type KubeObject, type ObjectKey } from "../kube/object.ts";

/** See the file's header. */
export class StrayEntries {
  readonly #controllerName: string;
  readonly #ownsParent: OwnsParent;
  readonly #suspects = new Set<ObjectKey>();

  constructor(controllerName: string, ownsParent: OwnsParent) {
    this.#controllerName = controllerName;
    this.#ownsParent = ownsParent;
  }

  /** Looks at an object as it is stored. */
  observe(object: KubeObject): void {
    if (this.#hasOwnEntry(object)) this.#suspects.add(keyOf(object));
    else this.#suspects.delete(keyOf(object));
  }

  /** The suspects that have no status among `statuses`, each once. */
  take(statuses: ReadonlyMap<ObjectKey, DesiredStatus>): readonly ObjectKey[] {
    const strays = [...this.#suspects].filter((key) => !statuses.has(key));
    this.#suspects.clear();
    return strays;
  }

  #hasOwnEntry({ kind, metadata, status }: KubeObject): boolean {
    const list = entryListOf(kind);
    if (list === undefined || !isRecord(status)) return false;
    const input = { namespace: metadata.namespace ?? "", ownsParent: this.#ownsParent };
    return hasOwnEntry(status[list.field], list, this.#controllerName, input);
  }
}
