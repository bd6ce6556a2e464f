/** Entries of a listener with some taken out and others put in, by precedence. */

/** From so many changes on it is faster to sort than to look for each place. */
const placedMax = 16;

/**
 * A sorted list with the elements of `removed`, which are in `entries`, taken out and those of
 * `added` put in; `entries` itself without either. No two elements are of equal precedence.
 */
export function editEntries<Entry>(
  entries: readonly Entry[],
  removed: readonly Entry[],
  added: readonly Entry[],
  compare: (a: Entry, b: Entry) => number,
): readonly Entry[] {
  if (removed.length + added.length === 0) return entries;
  if (removed.length + added.length > placedMax) {
    return sortAgain(entries, removed, added, compare);
  }
  const edited = entries.slice();
  for (const entry of removed) {
    const place = placeOf(edited, entry, compare);
    if (edited[place] !== entry) return sortAgain(entries, removed, added, compare);
    edited.splice(place, 1);
  }
  for (const entry of added) edited.splice(placeOf(edited, entry, compare), 0, entry);
  return edited;
}

function sortAgain<Entry>(
  entries: readonly Entry[],
  removed: readonly Entry[],
  added: readonly Entry[],
  compare: (a: Entry, b: Entry) => number,
): readonly Entry[] {
  const gone = new Set(removed);
  const kept = gone.size === 0 ? entries : entries.filter((entry) => !gone.has(entry));
  return [...kept, ...added].sort(compare);
}

/** The place of `entry`, or where it belongs. */
function placeOf<Entry>(
  entries: readonly Entry[],
  entry: Entry,
  compare: (a: Entry, b: Entry) => number,
): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = entries[middle];
    if (found !== undefined && compare(found, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
