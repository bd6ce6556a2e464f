/**
 * The order in which the routes of one listener are tried: a total order on route entries.
 *
 * Gateway API leaves no choice for most of it (HTTPRouteRule, `matches`; HTTPRouteSpec,
 * `hostnames`): the hostname first, then the path, method, headers, query parameters, and for equals
 * the age and name of the route. Hostname specificity is a precedence among rules that match the
 * request, not the choice of a virtual host: a rule with a less specific hostname serves when none
 * of the more specific one matches.
 *
 * Where the API leaves the choice to the implementation, weir decides: a regular expression comes
 * after every path prefix but `/`, because the catch-all would otherwise hide all of them; among
 * regular expressions the longer one comes first. A trailing slash of a prefix does not count, as it
 * does not change what the prefix matches.
 */

import type {
  GatewayConfig,
  GrpcMatch,
  HttpRouteEntry,
  PathMatch,
  RouteEntry,
  StreamRouteEntry,
} from "./model.ts";

/**
 * Negative when `a` is tried before `b`, positive when after, 0 only for the same match of the same
 * rule of the same route and hostname. For entries of one listener.
 */
export function compareHttpRouteEntries(a: HttpRouteEntry, b: HttpRouteEntry): number {
  return compareHostnames(a.hostname, b.hostname) ||
    (a.match.grpc && b.match.grpc
      ? compareGrpc(a.match.grpc, b.match.grpc)
      : comparePaths(a.match.path, b.match.path)) ||
    compareMethods(a, b) ||
    b.match.headers.length - a.match.headers.length ||
    b.match.queryParams.length - a.match.queryParams.length ||
    compareText(a.creationTimestamp, b.creationTimestamp) ||
    compareNames(a, b) ||
    a.ruleIndex - b.ruleIndex ||
    a.matchIndex - b.matchIndex;
}

/**
 * The same for entries of TLSRoutes, TCPRoutes and UDPRoutes: the hostname, then age and name. Of
 * those for one hostname only the first serves.
 */
export function compareStreamRouteEntries(a: StreamRouteEntry, b: StreamRouteEntry): number {
  return compareHostnames(a.hostname, b.hostname) ||
    compareText(a.creationTimestamp, b.creationTimestamp) ||
    compareNames(a, b);
}

/** The criteria of precedence in their order, in the words of the API. */
export type PrecedenceCriterion =
  | "hostname"
  | "path"
  | "grpcMethod"
  | "method"
  | "headers"
  | "queryParams"
  | "age"
  | "name"
  | "ruleOrder"
  | "matchOrder";

/**
 * The first criterion by which two entries of one listener differ, which is the one that decides;
 * undefined when {@linkcode compareHttpRouteEntries} finds none. For explanations: slower.
 */
export function decidingCriterion(
  a: HttpRouteEntry,
  b: HttpRouteEntry,
): PrecedenceCriterion | undefined {
  return criteria.find(([, compare]) => compare(a, b) !== 0)?.[0];
}

/** Made of the parts of {@linkcode compareHttpRouteEntries}, which does without the table for speed. */
const criteria: readonly (readonly [
  PrecedenceCriterion,
  (a: HttpRouteEntry, b: HttpRouteEntry) => number,
])[] = [
  ["hostname", (a, b) => compareHostnames(a.hostname, b.hostname)],
  ["grpcMethod", (a, b) => compareGrpc(a.match.grpc ?? {}, b.match.grpc ?? {})],
  [
    "path",
    (a, b) => a.match.grpc && b.match.grpc ? 0 : comparePaths(a.match.path, b.match.path),
  ],
  ["method", compareMethods],
  ["headers", (a, b) => b.match.headers.length - a.match.headers.length],
  ["queryParams", (a, b) => b.match.queryParams.length - a.match.queryParams.length],
  ["age", (a, b) => compareText(a.creationTimestamp, b.creationTimestamp)],
  ["name", compareNames],
  ["ruleOrder", (a, b) => a.ruleIndex - b.ruleIndex],
  ["matchOrder", (a, b) => a.matchIndex - b.matchIndex],
];

/** Which of two Gateways keeps what both want: the older, then by key. Never 0 for two. */
export function compareGatewayAge(a: GatewayConfig, b: GatewayConfig): number {
  return compareText(a.creationTimestamp, b.creationTimestamp) || compareText(a.key, b.key);
}

/**
 * Order of specificity of two hostnames that match the same request: exact ones, then wildcards,
 * then none; the longer first. Different hostnames never compare equal, so that sorting brings the
 * entries of one hostname together.
 */
export function compareHostnames(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  return hostnameRank(a) - hostnameRank(b) ||
    (b?.length ?? 0) - (a?.length ?? 0) ||
    compareText(a ?? "", b ?? "");
}

function hostnameRank(hostname: string | undefined): number {
  if (hostname === undefined) return 2;
  return hostname.startsWith("*.") ? 1 : 0;
}

function comparePaths(a: PathMatch, b: PathMatch): number {
  const rank = pathRank(a);
  return rank - pathRank(b) ||
    (rank === PREFIX_RANK || rank === REGEX_RANK ? significantLength(b) - significantLength(a) : 0);
}

/**
 * The longer service, then the longer method (GRPCRouteSpec, `rules`). An exact one comes before any
 * expression, as with paths: how long an expression is says nothing of how much it matches.
 */
function compareGrpc(a: GrpcMatch, b: GrpcMatch): number {
  return compareGrpcParts(a, b, a.service, b.service) ||
    compareGrpcParts(a, b, a.method, b.method);
}

function compareGrpcParts(
  { isRegex: isRegexA }: GrpcMatch,
  { isRegex: isRegexB }: GrpcMatch,
  a: string | undefined,
  b: string | undefined,
): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return Number(isRegexA ?? false) - Number(isRegexB ?? false) || b.length - a.length;
}

function compareMethods({ match: a }: HttpRouteEntry, { match: b }: HttpRouteEntry): number {
  return Number(b.method !== undefined) - Number(a.method !== undefined);
}

const PREFIX_RANK = 1;
const REGEX_RANK = 2;

function pathRank(path: PathMatch): number {
  switch (path.type) {
    case "Exact":
      return 0;
    case "PathPrefix":
      return significantLength(path) === 0 ? 3 : PREFIX_RANK;
    case "RegularExpression":
      return REGEX_RANK;
  }
}

function significantLength(path: PathMatch): number {
  const { type, value } = path;
  return type === "PathPrefix" && value.endsWith("/") ? value.length - 1 : value.length;
}

/** By `{namespace}/{name}` as one text, which is what the API says; the kind decides at last. */
function compareNames({ origin: a }: RouteEntry, { origin: b }: RouteEntry): number {
  const byName = a.namespace === b.namespace
    ? compareText(a.name, b.name)
    : compareText(`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`);
  return byName || compareText(a.kind, b.kind);
}

/** By UTF-16 code unit, never by locale. */
function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
