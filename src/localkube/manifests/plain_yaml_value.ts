/**
 * Values of one line for the fast reader of YAML: plain and quoted text, numbers, brackets.
 *
 * Text is taken for what the core schema of YAML 1.2 says; whatever might be a number in an unusual
 * form, or has a character with a meaning in front, is left to the library.
 */

/** The text is not of the usual kind: the library reads it. Never leaves the fast reader. */
export class Unusual extends Error {
  override name = "Unusual";
}

/** Nesting of brackets on one line; deeper is left to the library. */
const flowDepthMax = 20;

const plainKey = /^[A-Za-z_][A-Za-z0-9_./-]*$/;
const reservedWord = /^(?:~|null|true|false)$/i;
const usualInteger = /^(?:0|[1-9][0-9]{0,14})$/;
/** Begins like a number, or is one of the words that begin with a dot. */
const numberLike =
  /^[-+]?(?:0o[0-7]+|0x[0-9a-fA-F]+|(?:\.[0-9]+|[0-9]+\.?[0-9]*)(?:[eE][-+]?[0-9]+)?|\.inf|\.nan)$/i;
/** Characters that begin plain text without any meaning of their own. */
const plainStart = /^(?:[A-Za-z0-9_./^$(=;<\\~+]|-[A-Za-z0-9_.])/;

/** Whether `key` is a key in plain text that is a string. */
export function isPlainKey(key: string): boolean {
  return plainKey.test(key) && key.length <= 256 && !reservedWord.test(key) &&
    key !== "__proto__";
}

/** The value of a line's rest, trimmed, that does not begin with a bracket. */
export function readValue(text: string): unknown {
  const first = text[0];
  if (first === '"' || first === "'") return readQuoted(text);
  const comment = text.indexOf(" #");
  const plain = comment < 0 ? text : text.slice(0, comment).trimEnd();
  if (!plainStart.test(plain) || plain.includes(": ") || plain.endsWith(":")) throw new Unusual();
  return resolvePlain(plain);
}

function readQuoted(text: string): string {
  const double = /^"([^"\\]*)"(?: *| +#.*)$/.exec(text)?.[1];
  if (double !== undefined) return double;
  const single = /^'((?:[^']|'')*)'(?: *| +#.*)$/.exec(text)?.[1];
  if (single === undefined) throw new Unusual();
  return single.replaceAll("''", "'");
}

function resolvePlain(text: string): unknown {
  if (usualInteger.test(text)) return Number(text);
  if (text === "true") return true;
  if (text === "false") return false;
  if (text === "null") return null;
  if (reservedWord.test(text) || numberLike.test(text)) throw new Unusual();
  return text;
}

/** The value of a line's rest, trimmed, that begins with a bracket and ends on the line. */
export function readFlowValue(text: string): unknown {
  const reader = new FlowReader(text);
  const value = reader.value(flowDepthMax);
  reader.end();
  return value;
}

const flowPlain = /[A-Za-z0-9_./][A-Za-z0-9_./-]*/y;
const flowQuoted = /"[^"\\]*"|'[^']*'/y;

class FlowReader {
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depthLeft: number): unknown {
    if (depthLeft === 0) throw new Unusual();
    const first = this.#text[this.#offset];
    if (first === "[") return this.#list(depthLeft);
    if (first === "{") return this.#map(depthLeft);
    const quoted = this.#take(flowQuoted);
    if (quoted !== undefined) return quoted.slice(1, -1);
    return resolvePlain(this.#require(flowPlain));
  }

  /** Nothing but a comment may follow. */
  end(): void {
    if (!/^(?: *| +#.*)$/.test(this.#text.slice(this.#offset))) throw new Unusual();
  }

  #list(depthLeft: number): unknown {
    const list: unknown[] = [];
    this.#offset += 1;
    if (this.#accept("]")) return list;
    do {
      this.#skipSpaces();
      list.push(this.value(depthLeft - 1));
    } while (this.#accept(","));
    if (!this.#accept("]")) throw new Unusual();
    return list;
  }

  #map(depthLeft: number): unknown {
    const map: Record<string, unknown> = {};
    this.#offset += 1;
    if (this.#accept("}")) return map;
    do {
      this.#skipSpaces();
      const key = this.#require(flowPlain);
      if (!isPlainKey(key) || Object.hasOwn(map, key)) throw new Unusual();
      if (!this.#text.startsWith(": ", this.#offset)) throw new Unusual();
      this.#offset += 2;
      this.#skipSpaces();
      map[key] = this.value(depthLeft - 1);
    } while (this.#accept(","));
    if (!this.#accept("}")) throw new Unusual();
    return map;
  }

  #accept(character: string): boolean {
    this.#skipSpaces();
    if (this.#text[this.#offset] !== character) return false;
    this.#offset += 1;
    return true;
  }

  #skipSpaces(): void {
    while (this.#text[this.#offset] === " ") this.#offset += 1;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    const match = pattern.exec(this.#text)?.[0];
    if (match !== undefined) this.#offset = pattern.lastIndex;
    return match;
  }

  #require(pattern: RegExp): string {
    const match = this.#take(pattern);
    if (match === undefined) throw new Unusual();
    return match;
  }
}
