/**
 * Tables for a terminal: aligned columns that fit a width.
 *
 * When the rows are too wide, elastic columns are cut, the widest first and never below their head;
 * only then does a row exceed the width. Cells are made printable, because they hold text of
 * manifests. Pure.
 */

import { toPrintable } from "../base/printable.ts";
import { cutText } from "./wrap.ts";

/** One column. */
export interface Column {
  readonly head: string;
  /** May be cut. A column that is not elastic is always shown whole. */
  readonly isElastic?: boolean;
}

const gap = "  ";
/** Elastic columns keep at least so much, so that what is cut can still be recognised. */
const elasticMin = 8;

/**
 * The table with its heads, a line break behind every line.
 *
 * @param columns the columns, in order
 * @param rows one text for each column
 * @param width characters that a line may have; undefined: as many as it takes
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): string {
  const heads = columns.map(({ head }) => head);
  const lines = [heads, ...rows.map((row) => row.map(toPrintable))];
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((line) => lengthOf(line[index] ?? "")))
  );
  if (width !== undefined) shrink(columns, widths, width);
  return lines.map((line) => `${renderLine(line, widths)}\n`).join("");
}

function renderLine(cells: readonly string[], widths: readonly number[]): string {
  return widths.map((width, index) => {
    const text = cutText(cells[index] ?? "", width);
    return text + " ".repeat(width - lengthOf(text));
  }).join(gap).trimEnd();
}

/** Takes from the widest elastic column until the line fits or nothing can give. */
function shrink(columns: readonly Column[], widths: number[], width: number): void {
  const floor = (index: number): number =>
    Math.max(elasticMin, lengthOf(columns[index]?.head ?? ""));
  let excess = widths.reduce((sum, each) => sum + each, gap.length * (widths.length - 1)) - width;
  for (; excess > 0; excess--) {
    let widest: number | undefined;
    for (const [index, column] of columns.entries()) {
      const current = widths[index] ?? 0;
      if (!column.isElastic || current <= floor(index)) continue;
      if (widest === undefined || current > (widths[widest] ?? 0)) widest = index;
    }
    if (widest === undefined) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

function lengthOf(text: string): number {
  return [...text].length;
}
