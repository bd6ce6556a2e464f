/**
 * Entries of a listener with some taken out and others put in, by precedence.
 *
 * Comparing costs more than copying: of ten thousand entries each comparison meets ones that no cache
 * holds. So what is taken out is found by identity, and what is put in is looked for from its
 * neighbour on.
 */

/** From so many on it is faster to go through the whole list once. */
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
    const gone = new Set(removed);
    const kept = gone.size === 0 ? entries : entries.filter((entry) => !gone.has(entry));
    return added.length === 0 ? kept : merge(kept, added.toSorted(compare), compare);
  }
  const edited = entries.slice();
  for (const entry of removed) {
    const place = edited.indexOf(entry);
    if (place >= 0) edited.splice(place, 1);
  }
  for (const entry of added) edited.splice(placeOf(edited, entry, compare, 0), 0, entry);
  return edited;
}

/** Both sorted. */
function merge<Entry>(
  entries: readonly Entry[],
  added: readonly Entry[],
  compare: (a: Entry, b: Entry) => number,
): readonly Entry[] {
  const merged: Entry[] = [];
  let from = 0;
  for (const entry of added) {
    const place = findNear(entries, entry, compare, from);
    for (; from < place; from++) pushPresent(merged, entries[from]);
    merged.push(entry);
  }
  for (; from < entries.length; from++) pushPresent(merged, entries[from]);
  return merged;
}

function pushPresent<Entry>(list: Entry[], entry: Entry | undefined): void {
  if (entry !== undefined) list.push(entry);
}

/** Where `entry` belongs, which is at `from` or behind it, and often not far. */
function findNear<Entry>(
  entries: readonly Entry[],
  entry: Entry,
  compare: (a: Entry, b: Entry) => number,
  from: number,
): number {
  let low = from;
  let high = from;
  for (let step = 1; high < entries.length; step *= 2) {
    const found = entries[high];
    if (found === undefined || compare(found, entry) >= 0) break;
    low = high + 1;
    high += step;
  }
  return placeOf(entries, entry, compare, low, Math.min(high, entries.length));
}

/** Where `entry` belongs, which is between `low` and `high`. */
function placeOf<Entry>(
  entries: readonly Entry[],
  entry: Entry,
  compare: (a: Entry, b: Entry) => number,
  low: number,
  high = entries.length,
): number {
  let [from, end] = [low, high];
  while (from < end) {
    const middle = (from + end) >>> 1;
    const found = entries[middle];
    if (found !== undefined && compare(found, entry) < 0) from = middle + 1;
    else end = middle;
  }
  return from;
}
