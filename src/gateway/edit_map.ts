/** Changes of values by key, put into a map, with the keys that are different then. */

import { equal } from "../base/equal.ts";
import type { SortedMap } from "../base/sorted_map.ts";

/** A map and the keys in which it differs from the one before. */
export interface Edited<Key extends string, Value extends NonNullable<unknown>> {
  readonly map: SortedMap<Key, Value>;
  /** In the order of the map; what was removed comes last. */
  readonly keys: readonly Key[];
}

/** `map` with these values, undefined for none; `map` itself when it has them. */
export function editMap<Key extends string, Value extends NonNullable<unknown>>(
  map: SortedMap<Key, Value>,
  changes: readonly { readonly key: Key; readonly after: Value | undefined }[],
): Edited<Key, Value> {
  const different = changes.filter(({ key, after }) => map.get(key) !== after);
  if (different.length === 0) return { map, keys: [] };
  const edited = map.edit(different.map(({ key, after }) => [key, after]));
  const keys = [...new Set(different.map(({ key }) => key))].sort();
  if (keys.every((key) => edited.has(key))) return { map: edited, keys };
  return {
    map: edited,
    keys: [...keys.filter((key) => edited.has(key)), ...keys.filter((key) => !edited.has(key))],
  };
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
