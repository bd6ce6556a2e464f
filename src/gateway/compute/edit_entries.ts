/** Entries of a listener with some taken out and others put in, by precedence. */

import type { HttpRouteEntry } from "../../dataplane/model.ts";
import { compareHttpRouteEntries } from "../../dataplane/precedence.ts";

/** From so many changes on it is faster to sort than to look for each place. */
const placedMax = 16;

/**
 * A sorted list with the elements of `removed`, which are in `entries`, taken out and those of
 * `added` put in. No two elements are of equal precedence. `entries` stays as it is.
 */
export function editEntries(
  entries: readonly HttpRouteEntry[],
  removed: readonly HttpRouteEntry[],
  added: readonly HttpRouteEntry[],
): readonly HttpRouteEntry[] {
  if (removed.length + added.length > placedMax) return sortAgain(entries, removed, added);
  const edited = entries.slice();
  for (const entry of removed) {
    const place = placeOf(edited, entry);
    if (edited[place] !== entry) return sortAgain(entries, removed, added);
    edited.splice(place, 1);
  }
  for (const entry of added) edited.splice(placeOf(edited, entry), 0, entry);
  return edited;
}

function sortAgain(
  entries: readonly HttpRouteEntry[],
  removed: readonly HttpRouteEntry[],
  added: readonly HttpRouteEntry[],
): readonly HttpRouteEntry[] {
  const gone = new Set(removed);
  const kept = gone.size === 0 ? entries : entries.filter((entry) => !gone.has(entry));
  return [...kept, ...added].sort(compareHttpRouteEntries);
}

/** The place of `entry`, or where it belongs. */
function placeOf(entries: readonly HttpRouteEntry[], entry: HttpRouteEntry): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = entries[middle];
    if (found && compareHttpRouteEntries(found, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
