/** Matches of rules, from the API's shape to the data plane's; regular expressions are checked. */

import type { HttpMatch, ValueMatch } from "../../dataplane/model.ts";
import { type RegexCache, RegexError } from "../../dataplane/regex.ts";
import type { HTTPRouteMatch, HTTPRouteRule } from "../../kube/decode/http_route.ts";
import type { Finding } from "./finding.ts";

/** The matches of a rule in order, or the first fault. A rule without matches matches all. */
export function compileMatches(
  rule: HTTPRouteRule,
  regexes: RegexCache,
): { readonly matches: readonly HttpMatch[] } | Finding {
  const matches: HttpMatch[] = [];
  for (const match of rule.matches) {
    const fault = findRegexFault(match, regexes);
    if (fault !== undefined) return { reason: "UnsupportedValue", message: fault };
    matches.push(compileMatch(match));
  }
  return matches.length > 0 ? { matches } : matchAll;
}

const matchAll = {
  matches: [{ path: { type: "PathPrefix", value: "/" }, headers: [], queryParams: [] }],
} as const satisfies { matches: readonly HttpMatch[] };

function compileMatch({ path, method, headers, queryParams }: HTTPRouteMatch): HttpMatch {
  return {
    path,
    ...(method === undefined ? {} : { method }),
    headers: headers.length === 0 ? headers : firstOfEachName(
      headers.map((header) => ({ ...header, name: header.name.toLowerCase() })),
    ),
    queryParams: queryParams.length < 2 ? queryParams : firstOfEachName(queryParams),
  };
}

/** Of entries with one name the first counts (Gateway API, HTTPHeaderMatch `name`). */
function firstOfEachName(matches: readonly ValueMatch[]): readonly ValueMatch[] {
  const seen = new Set<string>();
  return matches.filter(({ name }) => !seen.has(name) && seen.add(name));
}

function findRegexFault(match: HTTPRouteMatch, regexes: RegexCache): string | undefined {
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

function describeRegexFault(pattern: string, regexes: RegexCache): string | undefined {
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
