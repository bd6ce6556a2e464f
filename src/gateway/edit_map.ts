/** Changes of values by key, put into a copy of a map, with the keys that are different then. */

import { equal } from "../base/equal.ts";
import type { SortedMap } from "../base/sorted_map.ts";

/** A map and the keys in which it differs from the one before. */
export interface Edited<Key extends string, Value extends NonNullable<unknown>> {
  readonly map: SortedMap<Key, Value>;
  /** In the order of the map; what was removed comes last. */
  readonly keys: readonly Key[];
}

/** A map that is edited piece by piece; what it was made from stays as it is. */
export class MapDraft<Key extends string, Value extends NonNullable<unknown>> {
  #map: SortedMap<Key, Value>;
  /** Made when there is something to tell: most maps stay as they are. */
  #told: Set<Key> | undefined;

  constructor(map: SortedMap<Key, Value>) {
    this.#map = map;
  }

  /** Puts in these values, undefined for none. */
  put(changes: readonly { readonly key: Key; readonly after: Value | undefined }[]): void {
    const different = changes.filter(({ key, after }) => this.#map.get(key) !== after);
    if (different.length === 0) return;
    this.#map = this.#map.edit(different.map(({ key, after }) => [key, after]));
    this.#told ??= new Set();
    for (const { key } of different) this.#told.add(key);
  }

  /** What came of it; the very map that it was made from when nothing differs. */
  get edited(): Edited<Key, Value> {
    return { map: this.#map, keys: this.#told ? this.#sortedKeys(this.#told) : [] };
  }

  /** Many keys are picked in the order of the map, which is faster than to sort them. */
  #sortedKeys(told: ReadonlySet<Key>): readonly Key[] {
    const left = [...told].filter((key) => !this.#map.has(key));
    const isMany = told.size * 16 > this.#map.size;
    const there = isMany
      ? [...this.#map.keys()].filter((key) => told.has(key))
      : [...told].filter((key) => this.#map.has(key)).sort();
    return left.length === 0 ? there : [...there, ...left.sort()];
  }
}

/** `next` with the values of `previous` that are the same. */
export function keepEqual<Key extends string, Value extends NonNullable<unknown>>(
  previous: SortedMap<Key, Value>,
  next: SortedMap<Key, Value>,
  isSame: (a: Value, b: Value) => boolean = equal,
): SortedMap<Key, Value> {
  const kept: [Key, Value][] = [];
  for (const [key, value] of next) {
    const before = previous.get(key);
    if (before !== undefined && isSame(before, value)) kept.push([key, before]);
  }
  return kept.length === next.size && next.size === previous.size ? previous : next.edit(kept);
}
