/**
 * The known name that somebody probably meant, for "did you mean" in errors.
 *
 * Distance is optimal string alignment: insertions, deletions, substitutions and swaps of two
 * neighbours cost one each. Case does not count. A name that is too far away is not suggested,
 * because a wrong suggestion is worse than none.
 */

/** Longer input is not compared: it is no typing error, and the cost is quadratic. */
const comparedLengthMax = 64;

/**
 * The candidate with the smallest distance to `name`, the first one of equals; undefined when none
 * is within a third of the length (at least two edits are forgiven from five characters on).
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > comparedLengthMax) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = forgivenEdits(wanted.length) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** `, did you mean "X"?` when there is a near candidate, else the empty string. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? "" : `, did you mean "${nearest}"?`;
}

function forgivenEdits(length: number): number {
  if (length < 3) return 1;
  return Math.max(length < 5 ? 1 : 2, Math.floor(length / 3));
}

/** Optimal string alignment distance, three rows at a time. */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      );
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] &&
        a[row - 2] === b[column - 1];
      if (isSwap) cost = Math.min(cost, at(beforePrevious, column - 2) + 1);
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
