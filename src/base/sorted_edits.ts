/** Sorted lists of texts that are edited a little at a time; an edited list is a new list. */

/** From so many edits on it is faster to sort than to look for each place. */
const placedMax = 4;

/**
 * `list` with what came (true) and without what left (false). `list` is sorted by UTF-16 code unit
 * and holds each text once; what came is not in it, what left is.
 */
export function editSorted<Text extends string>(
  list: readonly Text[],
  edits: ReadonlyMap<Text, boolean>,
): readonly Text[] {
  if (edits.size > placedMax) {
    const kept = list.filter((text) => edits.get(text) !== false);
    for (const [text, enters] of edits) if (enters) kept.push(text);
    return kept.sort();
  }
  let edited = list;
  for (const [text, enters] of edits) {
    const place = placeOf(edited, text);
    edited = enters ? edited.toSpliced(place, 0, text) : edited.toSpliced(place, 1);
  }
  return edited;
}

/** Notes in `edits` that `text` came or left; what was undone is no edit. */
export function noteEdit<Text>(edits: Map<Text, boolean>, text: Text, enters: boolean): void {
  if (edits.get(text) === !enters) edits.delete(text);
  else edits.set(text, enters);
}

/** The place of `text` in a sorted list, or where it belongs. */
export function placeOf<Text extends string>(list: readonly Text[], text: Text): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = list[middle];
    if (found !== undefined && found < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
