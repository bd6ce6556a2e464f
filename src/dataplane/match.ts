/**
 * Whether a request matches one route entry: the one matcher of the embedded data plane and of every
 * explanation, with Envoy's rules where the API leaves room.
 *
 * Headers: any line with the name may match, each line for itself. Query parameters: the first of
 * the name counts, as it stands in the target (no percent-decoding, `+` is a plus). Regular
 * expressions match the whole value; the path is seen without its query. Matching allocates nothing
 * that outlives the call. A match with an expression that does not compile never matches.
 */

import { hostMatches } from "./host.ts";
import type { HttpRouteEntry, PathMatch, ValueMatch } from "./model.ts";
import { type Regex, type RegexCache, RegexError } from "./regex.ts";

/** What is matched, taken apart once per request. */
export interface MatchRequest {
  readonly method: string;
  /** Normalised: see `normalizeHost`. */
  readonly host: string;
  /** Normalised: see `normalizeTarget`; without the query. */
  readonly path: string;
  /** Behind the question mark; empty without one. */
  readonly query: string;
  /** Name, value, name, value … in the order and case in which they were received. */
  readonly rawHeaders: readonly string[];
}

/** The first part of a match that a request does not meet, in the order of evaluation. */
export type Mismatch =
  | { readonly part: "hostname" | "path" | "method" }
  | { readonly part: "header" | "queryParam"; readonly name: string };

/** A route entry made ready for matching. */
export interface CompiledEntry {
  readonly entry: HttpRouteEntry;
  readonly path: CompiledPath;
  readonly headers: readonly CompiledValue[];
  readonly queryParams: readonly CompiledValue[];
}

/** Absent `regex` of a regular expression: it does not compile. */
interface CompiledPath {
  readonly type: PathMatch["type"];
  readonly value: string;
  readonly regex?: Regex;
}

interface CompiledValue {
  readonly name: string;
  /** Absent: an expression that does not compile. */
  readonly test?: (value: string) => boolean;
}

/** Compiles `entry`. Never throws: what cannot match is compiled to what never matches. */
export function compileEntry(entry: HttpRouteEntry, regexes: RegexCache): CompiledEntry {
  const { path, headers, queryParams } = entry.match;
  return {
    entry,
    path: compilePath(path, regexes),
    headers: compileValues(headers, regexes),
    queryParams: compileValues(queryParams, regexes),
  };
}

/** The prefix without its trailing slash: empty for the one that matches everything. */
export function significantPrefix(prefix: string): string {
  return prefix.endsWith("/") ? prefix.slice(0, -1) : prefix;
}

/** Whether all parts of the entry match. */
export function matchesEntry(compiled: CompiledEntry, request: MatchRequest): boolean {
  return hostMatches(compiled.entry.hostname, request.host) &&
    matchesPath(compiled.path, request.path) && matchesRest(compiled, request);
}

/** Whether method, headers and query parameters match; hostname and path are the caller's. */
export function matchesRest(compiled: CompiledEntry, request: MatchRequest): boolean {
  const { method } = compiled.entry.match;
  if (method !== undefined && method !== request.method) return false;
  for (const header of compiled.headers) {
    if (!matchesHeader(header, request.rawHeaders)) return false;
  }
  for (const param of compiled.queryParams) {
    if (!matchesQueryParam(param, request.query)) return false;
  }
  return true;
}

/** Whether the path (normalised, without query) matches. */
export function matchesPath(match: CompiledPath, path: string): boolean {
  switch (match.type) {
    case "Exact":
      return path === match.value;
    case "PathPrefix":
      return path.startsWith(match.value) &&
        (path.length === match.value.length || path.charCodeAt(match.value.length) === SLASH);
    case "RegularExpression":
      return match.regex?.matches(path) ?? false;
  }
}

/** The first part that does not match; undefined when all match. For explanations. */
export function mismatchOf(compiled: CompiledEntry, request: MatchRequest): Mismatch | undefined {
  const { hostname, match: { method } } = compiled.entry;
  if (!hostMatches(hostname, request.host)) return { part: "hostname" };
  if (!matchesPath(compiled.path, request.path)) return { part: "path" };
  if (method !== undefined && method !== request.method) return { part: "method" };
  for (const header of compiled.headers) {
    if (!matchesHeader(header, request.rawHeaders)) return { part: "header", name: header.name };
  }
  for (const param of compiled.queryParams) {
    if (!matchesQueryParam(param, request.query)) return { part: "queryParam", name: param.name };
  }
  return undefined;
}

const SLASH = 0x2f;

function compilePath(path: PathMatch, regexes: RegexCache): CompiledPath {
  const { type, value } = path;
  switch (type) {
    case "Exact":
      return { type, value };
    case "PathPrefix":
      return { type, value: significantPrefix(value) };
    case "RegularExpression": {
      const regex = regexes.get(value);
      return regex instanceof RegexError ? { type, value } : { type, value, regex };
    }
  }
}

const NO_VALUES: readonly CompiledValue[] = [];

/** Most matches have none: they share one list. */
function compileValues(
  values: readonly ValueMatch[],
  regexes: RegexCache,
): readonly CompiledValue[] {
  return values.length === 0 ? NO_VALUES : values.map((value) => compileValue(value, regexes));
}

function compileValue({ name, type, value }: ValueMatch, regexes: RegexCache): CompiledValue {
  if (type === "Exact") return { name, test: (actual) => actual === value };
  const regex = regexes.get(value);
  return regex instanceof RegexError ? { name } : { name, test: (actual) => regex.matches(actual) };
}

function matchesHeader({ name, test }: CompiledValue, rawHeaders: readonly string[]): boolean {
  if (test === undefined) return false;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index] ?? "";
    if (candidate.length !== name.length) continue;
    if (candidate !== name && candidate.toLowerCase() !== name) continue;
    if (test(rawHeaders[index + 1] ?? "")) return true;
  }
  return false;
}

function matchesQueryParam({ name, test }: CompiledValue, query: string): boolean {
  const value = firstQueryValue(query, name);
  return value !== undefined && test !== undefined && test(value);
}

/** The value of the first parameter `name`, not decoded; a parameter without `=` is empty. */
export function firstQueryValue(query: string, name: string): string | undefined {
  for (let start = 0; start < query.length;) {
    const separator = query.indexOf("&", start);
    const end = separator < 0 ? query.length : separator;
    if (query.startsWith(name, start)) {
      const after = start + name.length;
      if (after === end) return "";
      if (after < end && query.charCodeAt(after) === EQUALS) return query.slice(after + 1, end);
    }
    start = end + 1;
  }
  return undefined;
}

const EQUALS = 0x3d;
