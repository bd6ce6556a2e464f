/**
 * The objects of one kind, with a sorted list that is made at most once per change of membership.
 *
 * The order is the one in which the API server lists: by namespace, then by name, by code unit.
 */

import { compareStrings } from "./json_value.ts";
import { keyOf, type KubeObject, type ObjectKey } from "./object.ts";

/** See the file's header for the promises. */
export class KindTable {
  readonly #objects = new Map<ObjectKey, KubeObject>();
  #sortedKeys: readonly ObjectKey[] | undefined;

  get size(): number {
    return this.#objects.size;
  }

  get(key: ObjectKey): KubeObject | undefined {
    return this.#objects.get(key);
  }

  set(object: KubeObject): void {
    const key = keyOf(object);
    // Taken out first, so that the map's own order is that of the last writes.
    if (!this.#objects.delete(key)) this.#sortedKeys = undefined;
    this.#objects.set(key, object);
  }

  /** The object that was written the longest time ago. */
  longestUnwritten(): KubeObject | undefined {
    const [oldest] = this.#objects.values();
    return oldest;
  }

  delete(key: ObjectKey): void {
    if (this.#objects.delete(key)) this.#sortedKeys = undefined;
  }

  /** Removes the objects of `namespace`, or all. */
  clear(namespace?: string): void {
    this.#sortedKeys = undefined;
    if (namespace === undefined) return this.#objects.clear();
    for (const [key, { metadata }] of this.#objects) {
      if (metadata.namespace === namespace) this.#objects.delete(key);
    }
  }

  /** The objects, in no order. */
  values(): readonly KubeObject[] {
    return [...this.#objects.values()];
  }

  /** The objects of `namespace`, or all, in the order of the API's lists. */
  list(namespace?: string): readonly KubeObject[] {
    this.#sortedKeys ??= [...this.#objects.values()].sort(compareObjects).map(keyOf);
    const items: KubeObject[] = [];
    for (const key of this.#sortedKeys) {
      const object = this.#objects.get(key);
      if (!object) continue;
      if (namespace === undefined || object.metadata.namespace === namespace) items.push(object);
    }
    return items;
  }
}

function compareObjects(a: KubeObject, b: KubeObject): number {
  return compareStrings(a.metadata.namespace ?? "", b.metadata.namespace ?? "") ||
    compareStrings(a.metadata.name, b.metadata.name);
}
