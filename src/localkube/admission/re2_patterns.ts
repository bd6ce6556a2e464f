/**
 * Compiled RE2 patterns, kept because compiling costs a hundred times what a match does.
 *
 * RE2 is what the API server matches with: linear in the length of the text, no look-around, no
 * back-references, and a match anywhere unless the pattern is anchored. The patterns come from
 * schemas and rules, which are few; the limit is for the day when one is computed from an object.
 */

import { RE2JS } from "@bufbuild/re2";

/** Compiled patterns that are kept; beyond it the one that was compiled first is dropped. */
const patternsMax = 256;

/** A cache of compiled patterns. */
export class Re2Patterns {
  readonly #compiled = new Map<string, RE2JS>();

  /** The compiled `pattern`. Throws the syntax error of a pattern that RE2 refuses. */
  compile(pattern: string): RE2JS {
    const known = this.#compiled.get(pattern);
    if (known !== undefined) return known;
    const compiled = RE2JS.compile(pattern);
    if (this.#compiled.size >= patternsMax) {
      for (const oldest of this.#compiled.keys()) {
        this.#compiled.delete(oldest);
        break;
      }
    }
    this.#compiled.set(pattern, compiled);
    return compiled;
  }

  /** Whether `pattern` matches anywhere in `text`. */
  test(pattern: string, text: string): boolean {
    return this.compile(pattern).test(text);
  }
}
