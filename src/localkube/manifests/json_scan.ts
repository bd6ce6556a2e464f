/**
 * Finds what is wrong with a JSON text, which the platform's parser does not tell well.
 *
 * `JSON.parse` quotes the text in its errors (it may be secret), gives no position for most of them,
 * and takes the last of two equal keys in silence. This scan reports the first fault by its offset and
 * finds repeated keys. It makes no values.
 */

import { type TextFault, textNestingMax } from "./text_fault.ts";

/** The first fault of `text`; undefined when it is one JSON value without repeated keys. */
export function findJsonFault(text: string): TextFault | undefined {
  const scan = new JsonScan(text);
  try {
    scan.value(textNestingMax);
    scan.end();
    return undefined;
  } catch (error) {
    if (error instanceof ScanError) return { offset: error.offset, message: error.message };
    throw error;
  }
}

/** Leaves the recursion; never leaves this file. */
class ScanError extends Error {
  override name = "ScanError";
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

const space = /[ \t\r\n]*/y;
/**
 * Some of the inside of a string. Bounded, because the matcher remembers each repetition of a group:
 * a string with millions of escapes would exhaust its stack.
 */
const stringPiece =
  // deno-lint-ignore no-control-regex -- JSON forbids control characters in strings
  /(?:[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,1000}/y;
const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

class JsonScan {
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depthLeft: number): void {
    if (depthLeft === 0) {
      throw new ScanError(this.#offset, `values are nested deeper than ${textNestingMax} levels`);
    }
    this.#take(space);
    const next = this.#text[this.#offset];
    if (next === "{") this.#object(depthLeft);
    else if (next === "[") this.#list(depthLeft);
    else if (next === '"') this.#string();
    else if (this.#take(literal) === undefined) {
      throw new ScanError(this.#offset, "a JSON value was expected");
    }
    this.#take(space);
  }

  end(): void {
    if (this.#offset < this.#text.length) {
      throw new ScanError(this.#offset, "the text goes on after the end of the JSON value");
    }
  }

  #object(depthLeft: number): void {
    const keys = new Set<string>();
    this.#offset += 1;
    this.#take(space);
    if (this.#accept("}")) return;
    do {
      this.#take(space);
      const start = this.#offset;
      if (this.#text[start] !== '"') {
        throw new ScanError(start, "a key in double quotes was expected");
      }
      this.#string();
      const name: unknown = JSON.parse(this.#text.slice(start, this.#offset));
      if (typeof name === "string" && keys.size === keys.add(name).size) {
        throw new ScanError(start, "a key appears twice in one map");
      }
      this.#take(space);
      this.#expect(":");
      this.value(depthLeft - 1);
    } while (this.#accept(","));
    this.#expect("}");
  }

  #list(depthLeft: number): void {
    this.#offset += 1;
    this.#take(space);
    if (this.#accept("]")) return;
    do this.value(depthLeft - 1); while (this.#accept(","));
    this.#expect("]");
  }

  #string(): void {
    const start = this.#offset;
    this.#offset += 1;
    while (this.#take(stringPiece) !== undefined);
    if (!this.#accept('"')) {
      throw new ScanError(start, "a string without an end, or with a sign that needs an escape");
    }
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    const match = pattern.exec(this.#text);
    if (!match) return undefined;
    this.#offset = pattern.lastIndex;
    return match[0];
  }

  #accept(character: string): boolean {
    if (this.#text[this.#offset] !== character) return false;
    this.#offset += 1;
    return true;
  }

  #expect(character: string): void {
    if (!this.#accept(character)) throw new ScanError(this.#offset, `"${character}" was expected`);
  }
}
