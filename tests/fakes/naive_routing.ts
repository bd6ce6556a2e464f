/**
 * Who serves a request, written down as the Gateway API says it and without a thought for speed.
 *
 * To be read beside the specification: `HTTPRouteSpec.hostnames`, `HTTPRouteRule.matches`,
 * `HTTPPathMatch`, `Listener.hostname`. Shares no code with the product. Where the API leaves the
 * choice (regular expressions), the product's documented choice is written here in words of its own.
 */

import type { HttpRouteEntry, Listener } from "../../src/dataplane/model.ts";

/** A request with a normal path. */
export interface PlainRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly headers: readonly (readonly [string, string])[];
}

/** Listeners that share a port, and the Gateway that each belongs to. */
export interface NaivePlace {
  readonly gateway: string;
  readonly created: string;
  readonly listener: Listener;
}

/** The listener that answers: the one whose hostname matches most characters without a wildcard. */
export function naiveListener(
  places: readonly NaivePlace[],
  host: string,
): NaivePlace | undefined {
  const matching = places.filter(({ listener }) => hasHost(listener.hostname, host));
  return best(matching, (place) => [
    ...hostnameScore(place.listener.hostname),
    // The older Gateway keeps what both want, then the name decides.
    [place.created, "ascending"],
    [place.gateway, "ascending"],
  ]);
}

/** The entry that serves: of those that match, the one that the precedence puts first. */
export function naiveEntry(
  entries: readonly HttpRouteEntry[],
  request: PlainRequest,
): HttpRouteEntry | undefined {
  return best(entries.filter((entry) => matches(entry, request)), (entry) => [
    ...hostnameScore(entry.hostname),
    ...pathScore(entry),
    [entry.match.method === undefined ? 0 : 1, "descending"],
    [entry.match.headers.length, "descending"],
    [entry.match.queryParams.length, "descending"],
    [entry.creationTimestamp, "ascending"],
    [`${entry.origin.namespace}/${entry.origin.name}`, "ascending"],
    [entry.ruleIndex, "ascending"],
    [entry.matchIndex, "ascending"],
  ]);
}

/** "Exact" first, then the most characters of a prefix; expressions before the catch-all. */
function pathScore({ match: { path } }: HttpRouteEntry): Score {
  const significant = path.type === "PathPrefix" && path.value.endsWith("/")
    ? path.value.length - 1
    : path.value.length;
  const rank = path.type === "Exact"
    ? 3
    : path.type === "RegularExpression"
    ? 1
    : significant === 0
    ? 0
    : 2;
  return [[rank, "descending"], [rank === 3 ? 0 : significant, "descending"]];
}

/** "Characters in a matching non-wildcard hostname", then "characters in a matching hostname". */
function hostnameScore(hostname: string | undefined): Score {
  const isExact = hostname !== undefined && !hostname.startsWith("*.");
  return [
    [isExact ? hostname.length : 0, "descending"],
    [hostname?.length ?? 0, "descending"],
  ];
}

function matches({ hostname, match }: HttpRouteEntry, request: PlainRequest): boolean {
  if (!hasHost(hostname, request.host)) return false;
  if (match.method !== undefined && match.method !== request.method) return false;
  return hasPath(match.path, request.path) &&
    match.headers.every(({ name, type, value }) =>
      request.headers.some(([key, actual]) =>
        key.toLowerCase() === name && hasValue(type, value, actual)
      )
    ) &&
    match.queryParams.every(({ name, type, value }) => {
      // Only the first of a name counts.
      const first = request.query.split("&").map((pair) => pair.split("="))
        .find(([key]) => key === name);
      return first !== undefined && hasValue(type, value, first[1] ?? "");
    });
}

function hasPath(path: HttpRouteEntry["match"]["path"], actual: string): boolean {
  if (path.type !== "PathPrefix") return hasValue(path.type, path.value, actual);
  const wanted = path.value.split("/").filter((element) => element !== "");
  const elements = actual.split("/").slice(1);
  return wanted.every((element, index) => elements[index] === element);
}

function hasValue(type: string, value: string, actual: string): boolean {
  return type === "Exact" ? value === actual : new RegExp(`^(?:${value})$`).test(actual);
}

function hasHost(hostname: string | undefined, host: string): boolean {
  if (hostname === undefined) return true;
  if (!hostname.startsWith("*.")) return hostname === host;
  const suffix = hostname.slice(1);
  return host.endsWith(suffix) && host.length > suffix.length;
}

type Score = readonly (readonly [number | string, "ascending" | "descending"])[];

/** The value with the best score: the first component in which two differ decides. */
function best<Value>(
  values: readonly Value[],
  scoreOf: (value: Value) => Score,
): Value | undefined {
  let winner: Value | undefined;
  for (const value of values) {
    if (winner === undefined || isBetter(scoreOf(value), scoreOf(winner))) winner = value;
  }
  return winner;
}

function isBetter(a: Score, b: Score): boolean {
  for (const [index, [value, order]] of a.entries()) {
    const other = b[index]?.[0] ?? 0;
    if (value === other) continue;
    return order === "ascending" ? value < other : value > other;
  }
  return false;
}
