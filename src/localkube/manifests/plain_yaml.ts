/**
 * A fast reader for the YAML that most manifests are written in.
 *
 * The library takes a quarter of a millisecond for a document, which is most of the time that a
 * folder of a thousand routes needs to be served. This reader takes a hundredth of it, because it only
 * knows block maps and lists, values and brackets on one line, quotes without escapes, and comments,
 * all in ASCII. Of everything else it says so, and the library reads the text. It never reports a
 * fault: what is wrong is left to the library as well. A property test holds the two to the same
 * result.
 */

import { isPlainKey, readFlowValue, readValue, Unusual } from "./plain_yaml_value.ts";

/** The value of a document and where its content begins. */
export interface PlainDocument {
  readonly value: unknown;
  readonly offset: number;
}

/** Deeper texts are left to the library. */
const depthMax = 50;

/** The value of `text`, one document; undefined when it holds anything unusual. */
export function readPlainYaml(text: string): PlainDocument | undefined {
  // Tabs, carriage returns and everything that is not ASCII have rules of their own.
  if (/[^\n\x20-\x7e]/.test(text)) return undefined;
  try {
    return new PlainReader(text).read();
  } catch (error) {
    if (error instanceof Unusual) return undefined;
    throw error;
  }
}

interface Line {
  readonly indent: number;
  /** Without indentation; never empty, never only a comment. */
  readonly text: string;
}

class PlainReader {
  readonly #lines: Line[] = [];
  readonly #offset: number;
  #next = 0;

  constructor(text: string) {
    let offset: number | undefined;
    let hasMarker = false;
    for (let start = 0; start < text.length;) {
      const newline = text.indexOf("\n", start);
      const end = newline < 0 ? text.length : newline;
      let from = start;
      while (from < end && text.charCodeAt(from) === 0x20) from++;
      const first = text[from];
      if (from < end && first !== "#") {
        const line = { indent: from - start, text: text.slice(from, end) };
        if (isMarker(line)) {
          if (hasMarker || offset !== undefined) throw new Unusual();
          hasMarker = true;
        } else {
          offset ??= from;
          this.#lines.push(line);
        }
      }
      start = end + 1;
    }
    this.#offset = offset ?? 0;
  }

  read(): PlainDocument {
    const [first] = this.#lines;
    if (first?.indent !== 0 || isItem(first)) throw new Unusual();
    const value = this.#readMap(0, depthMax);
    if (this.#next < this.#lines.length) throw new Unusual();
    return { value, offset: this.#offset };
  }

  #readMap(indent: number, depthLeft: number): unknown {
    const map: Record<string, unknown> = {};
    for (let line = this.#peek(); line?.indent === indent; line = this.#peek()) {
      const colon = line.text.indexOf(":");
      const key = line.text.slice(0, colon);
      if (colon < 1 || !isPlainKey(key) || Object.hasOwn(map, key)) throw new Unusual();
      const rest = line.text.slice(colon + 1);
      this.#next += 1;
      map[key] = isEmpty(rest)
        ? this.#readNested(indent, true, depthLeft)
        : this.#readRest(rest, indent);
    }
    return map;
  }

  #readList(indent: number, depthLeft: number): unknown {
    const list: unknown[] = [];
    for (let line = this.#peek(); line?.indent === indent && isItem(line); line = this.#peek()) {
      const rest = line.text.slice(1);
      if (isEmpty(rest)) {
        this.#next += 1;
        list.push(this.#readNested(indent, false, depthLeft));
        continue;
      }
      const text = rest.trimStart();
      const inner = { indent: indent + 1 + rest.length - text.length, text };
      if (isItem(inner) || startsMap(inner)) {
        // The first line of the inner map or list begins behind the mark of the item.
        this.#lines[this.#next] = inner;
        list.push(this.#readBlock(inner, depthLeft));
        this.#requireEnd(indent);
      } else {
        this.#next += 1;
        list.push(this.#readRest(rest, indent));
      }
    }
    return list;
  }

  /** What stands on the lines after a key or an item mark with nothing behind it. */
  #readNested(indent: number, isInMap: boolean, depthLeft: number): unknown {
    const line = this.#peek();
    if (!line) return null;
    // A list under a key may have the indentation of the key.
    const isNested = line.indent > indent || (isInMap && line.indent === indent && isItem(line));
    if (!isNested) return null;
    const value = this.#readBlock(line, depthLeft);
    this.#requireEnd(indent);
    return value;
  }

  #readBlock(first: Line, depthLeft: number): unknown {
    if (depthLeft === 0) throw new Unusual();
    if (isItem(first)) return this.#readList(first.indent, depthLeft - 1);
    if (startsMap(first)) return this.#readMap(first.indent, depthLeft - 1);
    throw new Unusual();
  }

  /** A value on the line of its key or mark; nothing of it may be on the next line. */
  #readRest(rest: string, indent: number): unknown {
    if (!rest.startsWith(" ")) throw new Unusual();
    this.#requireEnd(indent);
    const text = rest.trim();
    return text.startsWith("[") || text.startsWith("{") ? readFlowValue(text) : readValue(text);
  }

  #requireEnd(indent: number): void {
    const line = this.#peek();
    if (line && line.indent > indent) throw new Unusual();
  }

  #peek(): Line | undefined {
    return this.#lines[this.#next];
  }
}

function isMarker({ indent, text }: Line): boolean {
  if (indent > 0) return false;
  if (text.startsWith("...") || text.startsWith("%")) throw new Unusual();
  if (!text.startsWith("---")) return false;
  if (!isEmpty(text.slice(3))) throw new Unusual();
  return true;
}

/** Whether a line is an item of a list: a dash, then a space or nothing. */
function isItem({ text }: Line): boolean {
  return text.startsWith("-") && (text.length === 1 || text[1] === " ");
}

/** Whether a line begins with a key and its colon. */
function startsMap({ text }: Line): boolean {
  const colon = text.indexOf(":");
  return colon > 0 && (colon === text.length - 1 || text[colon + 1] === " ") &&
    isPlainKey(text.slice(0, colon));
}

/** Nothing or a comment. */
function isEmpty(rest: string): boolean {
  return /^ *$|^ +#/.test(rest);
}
