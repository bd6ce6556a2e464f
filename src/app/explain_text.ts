/** Why a candidate lost, in sentences. Pure; the words of the Gateway API. */

import type {
  EntryLoss,
  LostEntry,
  LostListener,
  RequestExplanation,
} from "../dataplane/explain_request.ts";
import type { HttpRouteEntry, PathMatch, ValueMatch } from "../dataplane/model.ts";
import type { PrecedenceCriterion } from "../dataplane/precedence.ts";

/** Why an entry does not serve the request. */
export function whyEntryLost(
  { lostBy, entry, listener }: LostEntry,
  found: RequestExplanation,
): string {
  const { match, hostname } = entry;
  switch (lostBy.part) {
    case "hostname":
      return `host "${found.host}" is not ${quoteHost(hostname)}`;
    case "path":
      return `the path does not match ${describePath(match.path)}`;
    case "method":
      return `the method is not ${match.method ?? "any"}`;
    case "header":
      return describeValue("header", lostBy.name, match.headers);
    case "queryParam":
      return describeValue("query parameter", lostBy.name, match.queryParams);
    case "listener":
      return `listener "${listener.name}" does not answer the request`;
    case "precedence":
      return `matches too; ${describePrecedence(lostBy, entry, found.entry)}`;
  }
}

/** Why a listener does not answer the request. */
export function whyListenerLost(
  { lostBy, gateway }: LostListener,
  found: RequestExplanation,
): string {
  const { winner } = found;
  const rival = winner ? `listener "${winner.listener.name}" of "${winner.gateway.key}"` : "";
  switch (lostBy) {
    case "hostname":
      return `host "${found.host}" does not match its hostname`;
    case "specificity":
      return `the hostname of ${rival} is more specific`;
    case "age":
      return `${rival} has the same hostname at ${
        winner?.gateway.addresses.join(", ") ?? ""
      } and ` +
        `is older; name this Gateway to ask it, it is at ${gateway.addresses.join(", ")}`;
    case "gateway":
      return "another Gateway is asked";
    case "overtakes":
      return `another Gateway is asked, but at the address that both have this listener is the ` +
        `more specific one and takes the request`;
  }
}

/** `PathPrefix "/a"`. */
function describePath({ type, value }: PathMatch): string {
  return `${type} "${value}"`;
}

/** `"a.example.com"`, or `every host`. */
function quoteHost(hostname: string | undefined): string {
  return hostname === undefined ? "every host" : `"${hostname}"`;
}

function describeValue(what: string, name: string, matches: readonly ValueMatch[]): string {
  const wanted = matches.find((match) => match.name === name);
  return `${what} "${name}" does not match ${wanted?.type ?? ""} "${wanted?.value ?? ""}"`;
}

function describePrecedence(
  { criterion }: Extract<EntryLoss, { readonly part: "precedence" }>,
  loser: HttpRouteEntry,
  winner: HttpRouteEntry | undefined,
): string {
  if (winner === undefined || criterion === undefined) return "the winner comes first";
  return criterionTexts[criterion](winner, loser);
}

const criterionTexts: Record<
  PrecedenceCriterion,
  (winner: HttpRouteEntry, loser: HttpRouteEntry) => string
> = {
  hostname: ({ hostname: a }, { hostname: b }) =>
    `hostname ${quoteHost(a)} is more specific than ${quoteHost(b)}`,
  path: ({ match: a }, { match: b }) =>
    `${describePath(a.path)} goes before ${describePath(b.path)}`,
  grpcMethod: ({ match: a }, { match: b }) =>
    `${describePath(a.path)} is more specific than ${describePath(b.path)}`,
  method: () => "the winner names the method",
  headers: ({ match: a }, { match: b }) =>
    `the winner matches ${a.headers.length} headers, this one ${b.headers.length}`,
  queryParams: ({ match: a }, { match: b }) =>
    `the winner matches ${a.queryParams.length} query parameters, this one ${b.queryParams.length}`,
  age: (a, b) =>
    `the winner's route is older (${a.creationTimestamp}, this one ${b.creationTimestamp})`,
  name: ({ origin: a }, { origin: b }) =>
    `the routes are equally old and "${a.namespace}/${a.name}" sorts before ` +
    `"${b.namespace}/${b.name}"`,
  ruleOrder: (a) => `rule ${a.ruleIndex} comes first in the route`,
  matchOrder: (a) => `match ${a.matchIndex} comes first in the rule`,
};
