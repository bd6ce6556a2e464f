/**
 * Requests that stand for many: some that meet given matches at once. Pure.
 *
 * Each match is met in its plainest way: the prefix itself and something below it, a header with the
 * wanted value. A regular expression is met only where another match gives a value, or where it is
 * plain text itself; otherwise it is not known what would.
 */

import { hostMatches } from "../../dataplane/host.ts";
import { significantPrefix } from "../../dataplane/match.ts";
import type { HttpMatch, PathMatch, ValueMatch } from "../../dataplane/model.ts";
import type { RegexCache } from "../../dataplane/regex.ts";
import { hostnameCovers } from "../compute/hostnames.ts";

/** A request without a body. */
export interface RequestShape {
  readonly method: string;
  readonly host: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: readonly NamedValue[];
  readonly queryParams: readonly NamedValue[];
}

/** A header or query parameter. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** What requests have to meet. */
export interface ShapeConstraint {
  /** Absent: every host. */
  readonly hostname?: string | undefined;
  /** Absent: every request. */
  readonly match?: HttpMatch | undefined;
}

/** What shapes are made with. */
export interface ShapeOptions {
  readonly regexes: RegexCache;
  /** Exact hostnames that stand somewhere: no host is made up that is one of them. */
  readonly hostnames: ReadonlySet<string>;
}

/** Some requests; none, because nothing meets all; or it is not known what does. */
export type Shapes = readonly RequestShape[] | "none" | "unknown";

/** Tried where no match wants a method. */
const methods = ["GET", "POST", "PUT"];

/** Requests that meet all of `constraints`, which are at least one. */
export function shapesWithin(
  constraints: readonly ShapeConstraint[],
  options: ShapeOptions,
): Shapes {
  const host = hostWithin(constraints, options.hostnames);
  if (host === undefined) return "none";
  const matches = constraints.flatMap(({ match }) => match ?? []);
  const wanted = new Set(matches.flatMap(({ method }) => method ?? []));
  if (wanted.size > 1) return "none";
  const paths = pathsWithin(matches.map(({ path }) => path), options.regexes);
  const headers = valuesWithin(matches.flatMap((match) => match.headers), options.regexes);
  const queryParams = valuesWithin(matches.flatMap((match) => match.queryParams), options.regexes);
  if (paths === "none" || headers === "none" || queryParams === "none") return "none";
  if (paths === "unknown" || headers === "unknown" || queryParams === "unknown") return "unknown";
  return paths.flatMap((path) =>
    [...wanted.size > 0 ? wanted : methods].map((method) => ({
      method,
      host,
      path,
      headers,
      queryParams,
    }))
  );
}

function hostWithin(
  constraints: readonly ShapeConstraint[],
  taken: ReadonlySet<string>,
): string | undefined {
  let narrowest: string | undefined;
  for (const { hostname } of constraints) {
    if (hostnameCovers(narrowest, hostname)) narrowest = hostname;
    else if (!hostnameCovers(hostname, narrowest)) return undefined;
  }
  if (narrowest !== undefined && !narrowest.startsWith("*.")) return narrowest;
  const suffix = narrowest === undefined ? ".invalid" : narrowest.slice(1);
  for (let count = 0;; count++) {
    const host = `any${count === 0 ? "" : `-${count}`}${suffix}`;
    if (!taken.has(host) && hostMatches(narrowest, host)) return host;
  }
}

function pathsWithin(
  paths: readonly PathMatch[],
  regexes: RegexCache,
): readonly string[] | "none" | "unknown" {
  const candidates = new Set<string>();
  const hasExact = paths.some(({ type }) => type === "Exact");
  const hasExpression = paths.some(({ type }) => type === "RegularExpression");
  for (const { type, value } of paths) {
    if (type === "PathPrefix" && !hasExact) {
      const prefix = significantPrefix(value);
      candidates.add(prefix === "" ? "/" : prefix);
      candidates.add(`${prefix}/any`);
    } else if (type === "Exact" || (!hasExact && isPlain(value))) candidates.add(value);
  }
  if (paths.length === 0) candidates.add("/");
  const found = [...candidates].filter((path) =>
    paths.every((match) => meets(match, path, regexes))
  );
  if (found.length > 0) return found;
  return hasExpression && !hasExact ? "unknown" : "none";
}

function meets({ type, value }: PathMatch, path: string, regexes: RegexCache): boolean {
  if (type === "Exact") return path === value;
  if (type === "RegularExpression") return meetsExpression(value, path, regexes);
  const prefix = significantPrefix(value);
  return path === prefix || path.startsWith(`${prefix}/`);
}

function valuesWithin(
  wanted: readonly ValueMatch[],
  regexes: RegexCache,
): readonly NamedValue[] | "none" | "unknown" {
  const values: NamedValue[] = [];
  for (const [name, same] of Map.groupBy(wanted, (match) => match.name)) {
    const exact = same.filter(({ type }) => type === "Exact").map(({ value }) => value);
    const candidates = exact.length > 0 ? exact : same.map(({ value }) => value).filter(isPlain);
    const value = candidates.find((candidate) =>
      same.every((match) =>
        match.type === "Exact"
          ? match.value === candidate
          : meetsExpression(match.value, candidate, regexes)
      )
    );
    if (value === undefined) return exact.length > 0 ? "none" : "unknown";
    values.push({ name, value });
  }
  return values;
}

/** Whether a regular expression may be a text that it matches itself. */
function isPlain(expression: string): boolean {
  return /^[\w/.~ -]*$/.test(expression);
}

function meetsExpression(expression: string, value: string, regexes: RegexCache): boolean {
  const regex = regexes.get(expression);
  return "matches" in regex && regex.matches(value);
}
