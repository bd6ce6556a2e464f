/** An explanation for a person: the decision first, then the way to it, then who lost. Pure. */

import type { BackendShare, ConsideredRoute, RequestExplanation } from "../api/explain.ts";
import { toPrintable } from "../base/printable.ts";
import { wrap } from "./wrap.ts";

/** Losers that are shown; the other formats show all that are known. */
const shownMax = 20;
/** Endpoints that are shown of one share. */
const endpointsMax = 4;

/** `explanation` in lines of at most `width` characters where words allow it. */
export function explanationText(explanation: RequestExplanation, width: number): string {
  const { request, decision, why, notes } = explanation;
  const title = `${request.method} ${request.host}${request.path} on port ${request.port}`;
  const facts = factsOf(explanation)
    .map(([name, value]) => `  ${name.padEnd(nameWidth)}${toPrintable(value)}\n`);
  return [
    `${toPrintable(title)}\n`,
    `  ${"decision".padEnd(nameWidth)}${decision}: ${toPrintable(why)}\n`,
    ...facts,
    ...notes.map((note) => `${wrap(toPrintable(`Note: ${note}`), width, "  ")}\n`),
    ...losers(explanation, width),
  ].join("");
}

const nameWidth = 10;

function factsOf(explanation: RequestExplanation): readonly (readonly [string, string])[] {
  const { gateway, listener, route, matched, filters, location, statusCode } = explanation;
  const facts: [string, string][] = [];
  if (gateway !== undefined && listener !== undefined) {
    facts.push(["listener", `${listener} of Gateway ${gateway}`]);
  }
  if (route !== undefined) facts.push(["route", placeOf(explanation)]);
  if (matched !== undefined) facts.push(["match", matchText(matched)]);
  if (filters.length > 0) facts.push(["filters", filters.map(({ type }) => type).join(", ")]);
  if (location !== undefined) facts.push(["location", `${statusCode ?? ""} ${location}`]);
  for (const share of explanation.backends) facts.push(["backend", shareText(share)]);
  return facts;
}

function placeOf(
  { kind, route, rule, ruleName, match, hostname }: Pick<
    RequestExplanation,
    "kind" | "route" | "rule" | "ruleName" | "match" | "hostname"
  >,
): string {
  const name = ruleName === undefined ? "" : ` "${ruleName}"`;
  const host = hostname === undefined ? "" : `, hostname ${hostname}`;
  return `${kind} ${route}, rule ${rule}${name}, match ${match}${host}`;
}

function matchText({ path, method, headers, queryParams }: NonNullable<
  RequestExplanation["matched"]
>): string {
  const values = (what: string, matches: typeof headers): string[] =>
    matches.map(({ name, type, value }) => `${what} ${name} ${type} "${value}"`);
  return [
    `${path.type} "${path.value}"`,
    ...(method === undefined ? [] : [`method ${method}`]),
    ...values("header", headers),
    ...values("query", queryParams),
  ].join(", ");
}

function shareText(
  { service, port, share, outcome, endpoints, endpointCount, target, filters }: BackendShare,
): string {
  const percent = `${Math.round(share * 1000) / 10}%`;
  const name = service === undefined ? "an invalid reference" : `Service ${service}:${port}`;
  const more = endpointCount > endpointsMax ? ` and ${endpointCount - endpointsMax} more` : "";
  const places = endpoints.slice(0, endpointsMax).map((endpoint) =>
    `${
      endpoint.address.includes(":") ? `[${endpoint.address}]` : endpoint.address
    }:${endpoint.port}`
  ).join(", ");
  const what = outcome === "backend"
    ? `at ${places}${more}, path ${target}`
    : `answered ${outcome}`;
  const applied = filters.length === 0
    ? ""
    : `, filters ${filters.map(({ type }) => type).join(", ")}`;
  return `${percent} ${name} ${what}${applied}`;
}

function losers(
  { considered, consideredCount, listeners, listenerCount }: RequestExplanation,
  width: number,
): readonly string[] {
  const lines: string[] = [];
  if (listeners.length > 0) lines.push("Other listeners on the port:\n");
  for (const { gateway, listener, why } of listeners.slice(0, shownMax)) {
    lines.push(`${wrap(toPrintable(`${listener} of Gateway ${gateway}: ${why}`), width, "  ")}\n`);
  }
  lines.push(...rest(listenerCount));
  if (considered.length > 0) lines.push("Other matches on the port, nearest first:\n");
  for (const lost of considered.slice(0, shownMax)) {
    lines.push(`${wrap(toPrintable(loserText(lost)), width, "  ")}\n`);
  }
  lines.push(...rest(consideredCount));
  return lines;
}

function loserText(lost: ConsideredRoute): string {
  return `${placeOf(lost)}: ${lost.why}`;
}

function rest(count: number): readonly string[] {
  return count > shownMax ? [`  and ${count - shownMax} more (-o json shows 100)\n`] : [];
}
