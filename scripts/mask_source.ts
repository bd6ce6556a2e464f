/**
 * TypeScript source with comments, strings and regular expressions blanked out, character for
 * character, so that a search for code finds code and line numbers stay right.
 *
 * Expressions inside template literals are kept. It is a scanner, not a parser: it only has to tell
 * a regular expression from a division, which it does by what stands before the slash.
 */

/** Words after which a slash starts a regular expression, not a division. */
const operatorWords = new Set(
  "return typeof case in of void delete throw new do else instanceof yield await".split(" "),
);

/** Blanks everything in `source` that is not code. Newlines are kept. */
export function maskSource(source: string): string {
  const out: string[] = [];
  // Each open template expression and how many braces are open inside it.
  const templates: number[] = [];
  let at = 0;
  /** Copies blanks up to `end`. */
  const blankTo = (end: number): void => {
    out.push(source.slice(at, end).replace(/[^\n]/g, " "));
    at = end;
  };
  while (at < source.length) {
    const char = source[at] ?? "";
    const pair = source.slice(at, at + 2);
    if (pair === "//") blankTo(indexOrEnd(source, "\n", at));
    else if (pair === "/*") blankTo(Math.min(source.length, indexOrEnd(source, "*/", at + 2) + 2));
    else if (char === '"' || char === "'") blankTo(endOfQuoted(source, at, char));
    else if (char === "/" && startsRegExp(out)) blankTo(endOfRegExp(source, at));
    else if (char === "`" || (char === "}" && templates.at(-1) === 0)) {
      if (char === "}") templates.pop();
      const end = endOfTemplateText(source, at + 1);
      if (source.startsWith("${", end - 2)) templates.push(0);
      blankTo(end);
    } else {
      const depth = templates.length - 1;
      if (depth >= 0 && char === "{") templates[depth] = (templates[depth] ?? 0) + 1;
      if (depth >= 0 && char === "}") templates[depth] = (templates[depth] ?? 0) - 1;
      out.push(char);
      at++;
    }
  }
  return out.join("");
}

/** The 1-based line of `index` in `source`. */
export function lineAt(source: string, index: number): number {
  let line = 1;
  for (let at = source.indexOf("\n"); at >= 0 && at < index; at = source.indexOf("\n", at + 1)) {
    line++;
  }
  return line;
}

function indexOrEnd(source: string, text: string, from: number): number {
  const index = source.indexOf(text, from);
  return index < 0 ? source.length : index;
}

function endOfQuoted(source: string, start: number, quote: string): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === "\\") at++;
    else if (source[at] === quote || source[at] === "\n") return at + 1;
  }
  return source.length;
}

/** The index after the closing backtick, or after the `${` that interrupts the text. */
function endOfTemplateText(source: string, start: number): number {
  for (let at = start; at < source.length; at++) {
    if (source[at] === "\\") at++;
    else if (source[at] === "`") return at + 1;
    else if (source[at] === "$" && source[at + 1] === "{") return at + 2;
  }
  return source.length;
}

function endOfRegExp(source: string, start: number): number {
  let isInClass = false;
  for (let at = start + 1; at < source.length; at++) {
    const char = source[at];
    if (char === "\\") at++;
    else if (char === "\n") return at;
    else if (char === "[") isInClass = true;
    else if (char === "]") isInClass = false;
    else if (char === "/" && !isInClass) {
      const flags = /[a-z]*/y;
      flags.lastIndex = at + 1;
      return at + 1 + (flags.exec(source)?.[0].length ?? 0);
    }
  }
  return source.length;
}

/** Whether a slash after what was written so far starts a regular expression. */
function startsRegExp(out: readonly string[]): boolean {
  let index = out.length - 1;
  while (index >= 0 && (out[index] ?? "").trim() === "") index--;
  if (index < 0) return true;
  const last = out[index] ?? "";
  if (!/[\w$)\]}"'`]$/.test(last)) return true;
  let word = "";
  for (; index >= 0 && /^[\w$]$/.test(out[index] ?? ""); index--) word = out[index] + word;
  return operatorWords.has(word);
}
