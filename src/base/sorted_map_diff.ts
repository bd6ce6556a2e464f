/** What differs between two sorted maps of which one was made from the other. */

import type { SortedMap } from "./sorted_map.ts";

/**
 * The keys whose values are not the same in both, in order, each once.
 *
 * Runs that both share are passed over, so the cost follows from what was changed. Values are
 * compared by identity.
 */
export function diffSortedMaps<Key extends string, Value extends NonNullable<unknown>>(
  before: SortedMap<Key, Value>,
  after: SortedMap<Key, Value>,
): Key[] {
  if (before === after) return [];
  const shared = new Set<unknown>(before.runs);
  const sharedByBoth = new Set<unknown>(after.runs.filter((run) => shared.has(run)));
  const old = new Map<Key, Value>();
  for (const run of before.runs) {
    if (sharedByBoth.has(run)) continue;
    run.keys.forEach((key, index) => {
      const value = run.values[index];
      if (value !== undefined) old.set(key, value);
    });
  }
  const changed: Key[] = [];
  for (const run of after.runs) {
    if (sharedByBoth.has(run)) continue;
    run.keys.forEach((key, index) => {
      if (old.get(key) !== run.values[index]) changed.push(key);
      old.delete(key);
    });
  }
  changed.push(...old.keys());
  return changed.sort();
}
