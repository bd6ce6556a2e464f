/**
 * Regular expressions of users: RE2 syntax and semantics, linear time, whole value.
 *
 * The one place that knows the RE2 library. Compiled programs are cached by pattern, because a
 * recompiled route table holds mostly the patterns that it held before. The cache is bounded: at the
 * limit the pattern that was asked for longest ago is forgotten, which costs time and nothing else.
 */

import { RE2JS } from "@bufbuild/re2";

/** A compiled expression. */
export interface Regex {
  /** Whether the whole of `value` matches. Linear in the length of `value`. */
  matches(value: string): boolean;
}

/** The longest pattern that is compiled; the API allows 4096 for header and query values. */
export const REGEX_LENGTH_MAX = 4096;

/** Why a pattern cannot be used: one sentence in the words of the RE2 library. */
export class RegexError extends Error {
  override name = "RegexError";
}

/**
 * Compiles `pattern`.
 *
 * @throws {RegexError} when it is not RE2 syntax or longer than {@linkcode REGEX_LENGTH_MAX}
 */
export function compileRegex(pattern: string): Regex {
  if (pattern.length > REGEX_LENGTH_MAX) {
    throw new RegexError(
      `Cannot compile regular expression: ${pattern.length} characters, at most ${REGEX_LENGTH_MAX}`,
    );
  }
  try {
    const program = RE2JS.compile(pattern);
    return { matches: (value) => program.testExact(value) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new RegexError(`Cannot compile regular expression "${pattern}": ${why}`, {
      cause: error,
    });
  }
}

/** Compiled expressions by pattern, least recently used out. Invalid patterns are kept as such. */
export class RegexCache {
  readonly #sizeMax: number;
  readonly #compiled = new Map<string, Regex | RegexError>();

  /** @param sizeMax the number of patterns that are kept, valid or not */
  constructor(sizeMax = 4096) {
    this.#sizeMax = sizeMax;
  }

  /** The number of patterns that are kept. */
  get size(): number {
    return this.#compiled.size;
  }

  /** The compiled `pattern`, or the error that compiling it gives. Never throws. */
  get(pattern: string): Regex | RegexError {
    const known = this.#compiled.get(pattern);
    if (known) {
      this.#compiled.delete(pattern);
      this.#compiled.set(pattern, known);
      return known;
    }
    const compiled = compileOrError(pattern);
    this.#compiled.set(pattern, compiled);
    if (this.#compiled.size > this.#sizeMax) this.#evictOldest();
    return compiled;
  }

  #evictOldest(): void {
    for (const pattern of this.#compiled.keys()) {
      this.#compiled.delete(pattern);
      return;
    }
  }
}

function compileOrError(pattern: string): Regex | RegexError {
  try {
    return compileRegex(pattern);
  } catch (error) {
    if (error instanceof RegexError) return error;
    throw error;
  }
}
