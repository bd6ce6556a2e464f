/** The regular expressions of a rule's matches: RE2 or refused, with the place of the fault. */

import { type RegexCache, RegexError } from "../../dataplane/regex.ts";
import type { HttpMatch } from "../../dataplane/model.ts";
import type { Finding } from "./finding.ts";

/** The first regular expression of `rule` that cannot be used. */
export function findMatchFault(
  rule: { readonly matches: readonly HttpMatch[] },
  regexes: RegexCache,
): Finding | undefined {
  for (const match of rule.matches) {
    const fault = findRegexFault(match, regexes);
    if (fault !== undefined) return { reason: "UnsupportedValue", message: fault };
  }
  return undefined;
}

function findRegexFault(match: HttpMatch, regexes: RegexCache): string | undefined {
  const { path, headers, queryParams } = match;
  if (path.type === "RegularExpression") {
    const fault = describeRegexFault(path.value, regexes);
    if (fault !== undefined) return `path: ${fault}`;
  }
  for (const { type, name, value } of headers) {
    const fault = type === "RegularExpression" ? describeRegexFault(value, regexes) : undefined;
    if (fault !== undefined) return `header "${name}": ${fault}`;
  }
  for (const { type, name, value } of queryParams) {
    const fault = type === "RegularExpression" ? describeRegexFault(value, regexes) : undefined;
    if (fault !== undefined) return `query parameter "${name}": ${fault}`;
  }
  return undefined;
}

/** What is wrong with `pattern`; undefined: it can be used. */
export function describeRegexFault(pattern: string, regexes: RegexCache): string | undefined {
  const compiled = regexes.get(pattern);
  if (!(compiled instanceof RegexError)) return undefined;
  return describeSyntaxFault(pattern, compiled) ?? compiled.message;
}

/**
 * The library names the faulty part of the pattern, not where it stands. Something that is missing
 * is missing at the end.
 */
function describeSyntaxFault(pattern: string, { cause }: RegexError): string | undefined {
  if (typeof cause !== "object" || cause === null) return undefined;
  if (!("error" in cause) || !("input" in cause)) return undefined;
  const { error, input } = cause;
  if (typeof error !== "string" || typeof input !== "string") return undefined;
  const start = input === pattern ? pattern.length : pattern.indexOf(input);
  const position = start < 0 ? "" : ` at position ${start}`;
  return `regular expression "${pattern}" is not RE2: ${error}${position}`;
}
