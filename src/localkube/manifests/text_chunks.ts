/**
 * Cuts the text of a YAML stream into pieces that can be parsed one by one.
 *
 * YAML forbids a line that begins with `---` or `...` inside any content, so the cut needs no parser
 * (YAML 1.2.2, 9.1.2). Pieces whose text did not change need no parsing again, and a fault in one
 * leaves the others readable. A piece usually is one document; a stray document after `...` may share
 * one with its neighbour.
 */

/** A piece of a file. */
export interface TextChunk {
  readonly text: string;
  /** The number of its first line in the file, from 1. */
  readonly firstLine: number;
}

/** A marker line: at the beginning of a line and followed by space or the end of the line. */
const marker = /(?<=^|\n)(---|\.\.\.)(?=[ \t\r\n]|$)/g;

/** The pieces of `text` in order; together they are `text`. */
export function splitDocuments(text: string): readonly TextChunk[] {
  const cuts: number[] = [];
  let start = 0;
  for (const match of text.matchAll(marker)) {
    const isEnd = match[0] === "...";
    const lineEnd = text.indexOf("\n", match.index) + 1;
    const cut = isEnd ? (lineEnd === 0 ? text.length : lineEnd) : match.index;
    // Comments and directives belong to the document whose marker follows them.
    if (cut === start || (!isEnd && isPreamble(text.slice(start, cut)))) continue;
    cuts.push(cut);
    start = cut;
  }
  return cutAt(text, cuts);
}

function cutAt(text: string, cuts: readonly number[]): readonly TextChunk[] {
  const chunks: TextChunk[] = [];
  let start = 0;
  let firstLine = 1;
  for (const end of [...cuts, text.length]) {
    if (end === start) continue;
    const chunk = text.slice(start, end);
    chunks.push({ text: chunk, firstLine });
    firstLine += countLines(chunk, chunk.length);
    start = end;
  }
  return chunks;
}

function isPreamble(text: string): boolean {
  return text.split("\n").every((line) => /^\s*(#|$)|^%/.test(line));
}

/** The line breaks in `text` before `offset`. */
export function countLines(text: string, offset: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) {
    count += 1;
  }
  return count;
}

/** The offset of every line break in `text`. */
export function lineBreaksOf(text: string): readonly number[] {
  const offsets: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) offsets.push(at);
  return offsets;
}
