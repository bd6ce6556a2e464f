/**
 * The line on which a field of a manifest stands.
 *
 * Asked only when there is a problem to tell: it parses the text of the piece again, this time to keep
 * positions. The last text is remembered, because the problems of one piece are asked for together.
 */

import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Node } from "yaml";
import { type Place, readDocuments } from "./parse_chunk.ts";
import { countLines, lineBreaksOf, type TextChunk } from "./text_chunks.ts";

/** See the file's header. */
export class PositionFinder {
  #text: string | undefined;
  #documents: readonly Document[] = [];
  #lineText: string | undefined;
  #lineBreaks: readonly number[] = [];

  /**
   * The line in the file of `field` (in the API server's form), from 1; of the nearest enclosing
   * field that exists when it is absent.
   */
  lineOf(chunk: TextChunk, place: Place, field = ""): number {
    const offset = field === "" && place.offset !== undefined
      ? place.offset
      : this.#find(chunk.text, place, field);
    return chunk.firstLine + this.#countLines(chunk.text, offset);
  }

  /** Like `countLines`, but the text is read once for all the problems in it. */
  #countLines(text: string, offset: number): number {
    if (this.#lineText !== text) {
      this.#lineText = text;
      this.#lineBreaks = lineBreaksOf(text);
    }
    let low = 0;
    let high = this.#lineBreaks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#lineBreaks[middle] ?? offset) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #find(text: string, place: Place, field: string): number {
    const document = this.#read(text)[place.documentIndex];
    if (!document || !isNode(document.contents)) return place.offset ?? 0;
    const cursor = new Cursor(document, document.contents);
    for (const step of place.path) cursor.enter([String(step)]);
    cursor.enter(parseFieldPath(field));
    return cursor.offset;
  }

  #read(text: string): readonly Document[] {
    if (this.#text === text) return this.#documents;
    this.#text = text;
    this.#documents = readDocuments(text);
    return this.#documents;
  }
}

/** The line in the file of an offset into the text of a piece. */
export function lineAt(chunk: TextChunk, offset: number): number {
  return chunk.firstLine + countLines(chunk.text, offset);
}

/** `spec.rules[0].path` in its steps: `spec`, `rules`, `0`, `path`. A key in brackets is one step. */
function parseFieldPath(field: string): readonly string[] {
  return [...field.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([step, inBrackets]) =>
    inBrackets ?? step
  );
}

/** Walks down a document as far as it goes. */
class Cursor {
  readonly #document: Document;
  #node: Node | undefined;
  #offset: number;

  constructor(document: Document, node: Node) {
    this.#document = document;
    this.#node = node;
    this.#offset = node.range?.[0] ?? 0;
  }

  /** Where the deepest node begins that was reached; of a map entry, its key. */
  get offset(): number {
    return this.#offset;
  }

  enter(steps: readonly string[]): void {
    let rest = steps;
    while (rest.length > 0) {
      const taken = this.#step(rest);
      if (taken === 0) return;
      rest = rest.slice(taken);
    }
  }

  /** How many of `steps` name the next node: several when a key has dots in it. */
  #step(steps: readonly string[]): number {
    const node = isAlias(this.#node) ? this.#node.resolve(this.#document) : this.#node;
    if (isSeq(node)) return this.#moveTo(node.items[Number(steps[0])]) ? 1 : 0;
    if (!isMap(node)) return 0;
    for (let taken = 1; taken <= steps.length; taken++) {
      const name = steps.slice(0, taken).join(".");
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
      if (!pair) continue;
      if (isNode(pair.key)) this.#offset = pair.key.range?.[0] ?? this.#offset;
      this.#node = isNode(pair.value) ? pair.value : undefined;
      return taken;
    }
    return 0;
  }

  #moveTo(node: unknown): boolean {
    if (!isNode(node)) return false;
    this.#node = node;
    this.#offset = node.range?.[0] ?? this.#offset;
    return true;
  }
}
