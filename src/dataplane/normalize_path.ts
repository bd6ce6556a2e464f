/**
 * The request target as routing and backends see it: dot segments resolved, slashes merged, escapes
 * of unreserved characters undone, by the rules of Envoy's connection manager (`normalize_path`,
 * `merge_slashes`, `path_with_escaped_slashes_action`), so that no spelling of a path gets around a
 * route. The query is never touched.
 *
 * Kept from Envoy on purpose, surprising as they are: `//` alone stays `//`; an escape that is not
 * hexadecimal passes as it is; parameters of a dot segment (`..;x`) are dropped before escapes are
 * undone. The table of cases in the tests was taken from Envoy 1.40 itself.
 */

/** What is done about `%2F` and `%5C` in a path. */
export type EscapedSlashes = "UnescapeAndRedirect" | "KeepUnchanged";

/** What to do with a request, given its target. */
export interface NormalizedTarget {
  /**
   * `continue`: serve `target`. `redirect`: answer 307 with `target` as location, because it holds
   * separators that were escaped. `reject`: answer 400.
   */
  readonly action: "continue" | "redirect" | "reject";
  /** The normalised target, or the one that was rejected. */
  readonly target: string;
}

/** Normalises a target in origin form. Linear in its length; a normal target is not copied. */
export function normalizeTarget(target: string, escapedSlashes: EscapedSlashes): NormalizedTarget {
  if (target.charCodeAt(0) !== SLASH) return { action: "reject", target };
  const queryAt = target.indexOf("?");
  if (isNormal(target, queryAt < 0 ? target.length : queryAt)) {
    return { action: target.includes("#", queryAt + 1) ? "reject" : "continue", target };
  }
  if (target.includes("#")) return { action: "reject", target };
  const original = queryAt < 0 ? target : target.slice(0, queryAt);
  const query = queryAt < 0 ? "" : target.slice(queryAt);
  const unescaped = escapedSlashes === "KeepUnchanged" ? original : unescapeSlashes(original);
  const canonical = canonicalize(stripDotSegmentParameters(unescaped));
  if (canonical === undefined) return { action: "reject", target };
  return {
    action: unescaped === original ? "continue" : "redirect",
    target: mergeSlashes(canonical) + query,
  };
}

const SLASH = 0x2f;
const DOT = 0x2e;
const PERCENT = 0x25;
const BACKSLASH = 0x5c;

/** Classes of characters in a path. */
const PLAIN = 0;
const SPECIAL = 1;
const ESCAPE = 2;
const INVALID = 3;

/** By character code below 128; what is above is never valid in a target. */
const CHARACTER_CLASS: Uint8Array = new Uint8Array(128).map((_, code) => {
  if (code < 0x20 || code === 0x7f) return INVALID;
  const character = String.fromCharCode(code);
  if (' "#<>?^`{|}'.includes(character)) return ESCAPE;
  return "/.%\\".includes(character) ? SPECIAL : PLAIN;
});

/** What an escape is turned into: RFC 3986 unreserved, without the dot, which is handled apart. */
const UNRESERVED = /[A-Za-z0-9\-_~]/;

const HEX_PAIR = /^[0-9a-fA-F]{2}$/;

/** Whether the path needs no work. Characters that are not printable ASCII are left to the rest. */
function isNormal(target: string, end: number): boolean {
  let previous = 0;
  for (let index = 0; index < end; index++) {
    const code = target.charCodeAt(index);
    if (code >= 128) return false;
    const kind = CHARACTER_CLASS[code];
    if (kind !== PLAIN) {
      if (kind !== SPECIAL || code === PERCENT || code === BACKSLASH) return false;
      // A dot or a slash: harmless unless it follows a slash.
      if (previous === SLASH) return false;
    }
    previous = code;
  }
  return true;
}

function unescapeSlashes(path: string): string {
  if (!path.includes("%")) return path;
  return path.replace(/%(2f|5c)/gi, (escape) => escape.charAt(1) === "2" ? "/" : "\\");
}

function stripDotSegmentParameters(path: string): string {
  if (!path.includes(";")) return path;
  return path.replace(/(\/\.{1,2});[^/]*/g, "$1");
}

/** Resolves dot segments and normalises escapes; undefined: not a path. */
function canonicalize(path: string): string | undefined {
  const output: string[] = [];
  let index = 0;
  while (index < path.length) {
    const dot = dotLength(path, index);
    if (dot > 0) {
      const segmentEnd = output.at(-1) === "/" ? dotSegmentEnd(path, index + dot, output) : 0;
      if (segmentEnd === 0) output.push(".");
      index = segmentEnd || index + dot;
      continue;
    }
    const code = path.charCodeAt(index);
    if (code >= 128 || CHARACTER_CLASS[code] === INVALID) return undefined;
    if (code === PERCENT) {
      const escaped = hexPair(path, index + 1);
      if (escaped === 0) return undefined;
      output.push(canonicalEscape(path, index, escaped));
      index += escaped < 0 ? 1 : 3;
      if (escaped >= 0) escapeStrayPercent(output, path.charAt(index));
      continue;
    }
    output.push(canonicalCharacter(path, index, code));
    index++;
  }
  return output.join("");
}

/** The length of a dot, plain or escaped, at `index`; 0: none. */
function dotLength(path: string, index: number): number {
  const code = path.charCodeAt(index);
  if (code === DOT) return 1;
  return code === PERCENT && hexPair(path, index + 1) === DOT ? 3 : 0;
}

/**
 * The index behind a dot segment whose first dot ends at `index`, and `output` stepped up for two
 * dots; 0 when the dot is part of a name.
 */
function dotSegmentEnd(path: string, index: number, output: string[]): number {
  if (index === path.length) return index;
  if (isSeparator(path, index)) return index + 1;
  const second = dotLength(path, index);
  if (second === 0) return 0;
  const after = index + second;
  if (after !== path.length && !isSeparator(path, after)) return 0;
  if (output.length > 1) {
    output.pop();
    while (output.length > 1 && output.at(-1) !== "/") output.pop();
  }
  return Math.min(after + 1, path.length);
}

function isSeparator(path: string, index: number): boolean {
  const code = path.charCodeAt(index);
  return code === SLASH || code === BACKSLASH;
}

/** The value of two hexadecimal digits at `index`; -1: they are not. */
function hexPair(path: string, index: number): number {
  const digits = path.slice(index, index + 2);
  return HEX_PAIR.test(digits) ? Number.parseInt(digits, 16) : -1;
}

function canonicalEscape(path: string, index: number, value: number): string {
  if (value < 0) return "%";
  const character = String.fromCharCode(value);
  return UNRESERVED.test(character) ? character : path.slice(index, index + 3);
}

/**
 * An undone escape must not complete an escape with a stray percent sign before it (`%4%41` would
 * turn into `%4A`): that percent sign is escaped. `next` is the character that follows in the input.
 */
function escapeStrayPercent(output: string[], next: string): void {
  const last = output.at(-1) ?? "";
  const before = output.at(-2) ?? "";
  if (before === "%" && HEX_PAIR.test(last + next)) output[output.length - 2] = "%25";
  else if (output.at(-3) === "%" && HEX_PAIR.test(before + last)) output[output.length - 3] = "%25";
}

function canonicalCharacter(path: string, index: number, code: number): string {
  if (code === BACKSLASH) return "/";
  return CHARACTER_CLASS[code] === ESCAPE
    ? `%${code.toString(16).toUpperCase()}`
    : path.charAt(index);
}

function mergeSlashes(path: string): string {
  if (!path.includes("//")) return path;
  return /^\/+$/.test(path) ? "//" : path.replace(/\/{2,}/g, "/");
}
