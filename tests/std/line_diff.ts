/**
 * A line diff for assertion messages: lines only in `actual` start with `-`, only in `expected`
 * with `+`.
 *
 * Long unchanged stretches are folded. Bounded: beyond {@linkcode comparedLinesMax} differing lines
 * on a side both sides are listed one after the other, because the comparison is quadratic.
 */

/** Unchanged lines that are shown around a change. */
const contextLines = 3;
/** Largest number of lines on one side that are compared line by line. */
export const comparedLinesMax = 1500;

interface DiffLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** The differences of two texts, ready to print. */
export function diffLines(actual: string, expected: string): string {
  const left = actual.split("\n");
  const right = expected.split("\n");
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  while (
    end < left.length - start && end < right.length - start &&
    left[left.length - 1 - end] === right[right.length - 1 - end]
  ) end++;
  const same = (text: string): DiffLine => ({ sign: " ", text });
  return fold([
    ...left.slice(0, start).map(same),
    ...diffMiddle(left.slice(start, left.length - end), right.slice(start, right.length - end)),
    ...left.slice(left.length - end).map(same),
  ]);
}

/** The longest common subsequence decides which lines are unchanged. */
function diffMiddle(left: readonly string[], right: readonly string[]): DiffLine[] {
  const removed = left.map((text): DiffLine => ({ sign: "-", text }));
  const added = right.map((text): DiffLine => ({ sign: "+", text }));
  if (left.length > comparedLinesMax || right.length > comparedLinesMax) {
    return [...removed, ...added];
  }
  const width = right.length + 1;
  // lengths[i * width + j]: common lines of left[i..] and right[j..].
  const lengths = new Uint16Array((left.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      lengths[i * width + j] = left[i] === right[j]
        ? at(i + 1, j + 1) + 1
        : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const result: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    if (left[i] === right[j]) {
      result.push({ sign: " ", text: left[i] ?? "" });
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      result.push({ sign: "-", text: left[i++] ?? "" });
    } else {
      result.push({ sign: "+", text: right[j++] ?? "" });
    }
  }
  return [...result, ...removed.slice(i), ...added.slice(j)];
}

function fold(lines: readonly DiffLine[]): string {
  const isShown = lines.map(() => false);
  lines.forEach((line, index) => {
    if (line.sign === " ") return;
    for (let near = index - contextLines; near <= index + contextLines; near++) {
      if (near >= 0 && near < lines.length) isShown[near] = true;
    }
  });
  const out: string[] = [];
  let folded = 0;
  const flush = (): void => {
    if (folded > 0) out.push(`    … ${folded} equal lines`);
    folded = 0;
  };
  lines.forEach((line, index) => {
    if (!isShown[index]) {
      folded++;
      return;
    }
    flush();
    out.push(`${line.sign}   ${line.text}`);
  });
  flush();
  return out.join("\n");
}
