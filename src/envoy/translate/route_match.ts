/**
 * What a request must be like to reach a route: the match of one entry as Envoy's RouteMatch.
 *
 * Envoy evaluates it as `src/dataplane/match.ts` does: regular expressions match the whole value, any
 * line of a header may match, the first parameter of a name counts, nothing is decoded. What never
 * matches there has no match here.
 */

import type { HttpMatch, PathMatch, ValueMatch } from "../../dataplane/model.ts";
import { significantPrefix } from "../../dataplane/match.ts";
import { type RegexCache, RegexError } from "../../dataplane/regex.ts";
import type { ProtoObject } from "../codec.ts";
import { listed } from "./proto_fields.ts";

/** `config.route.v3.RouteMatch`; undefined: no request ever matches. */
export function routeMatch(match: HttpMatch, regexes: RegexCache): ProtoObject | undefined {
  const path = pathFields(match.path, regexes);
  if (path === undefined) return undefined;
  const values = [...match.headers, ...match.queryParams];
  if (values.some((value) => isInvalid(value, regexes))) return undefined;
  const method = match.method === undefined
    ? []
    : [{ name: ":method", stringMatch: { exact: match.method } }];
  return {
    ...path,
    ...listed("headers", [...method, ...match.headers.map(valueFields)]),
    ...listed("queryParameters", match.queryParams.map(valueFields)),
  };
}

function pathFields({ type, value }: PathMatch, regexes: RegexCache): ProtoObject | undefined {
  if (type === "RegularExpression") {
    return isBroken(value, regexes) ? undefined : { safeRegex: { regex: value } };
  }
  // A path has neither: what is behind them is the query, or refused.
  if (/[?#]/.test(value)) return undefined;
  if (type === "Exact") return { path: value };
  const prefix = significantPrefix(value);
  if (prefix === "") return { prefix: "/" };
  // Slashes are merged, so nothing longer has two of them.
  return prefix.endsWith("/") ? { path: prefix } : { pathSeparatedPrefix: prefix };
}

function isInvalid({ type, value }: ValueMatch, regexes: RegexCache): boolean {
  return type === "RegularExpression" && isBroken(value, regexes);
}

function isBroken(pattern: string, regexes: RegexCache): boolean {
  return regexes.get(pattern) instanceof RegexError;
}

/** The common part of HeaderMatcher and QueryParameterMatcher. */
function valueFields({ name, type, value }: ValueMatch): ProtoObject {
  return {
    name,
    stringMatch: type === "Exact" ? { exact: value } : { safeRegex: { regex: value } },
  };
}
