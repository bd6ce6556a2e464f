/**
 * Rules that never serve a request, because another one always comes first.
 *
 * Two ways lead there. An entry with the same hostname and the same match comes earlier: among
 * entries that match the same requests only one serves. Or a listener with a more specific hostname
 * on the same port takes every request for the entry's hostname (listener isolation). A rule is
 * reported when each of its entries is shadowed, so no report is wrong; a rule that several others
 * cover together is not found.
 */

import type { HttpRouteEntry, Listener, ValueMatch } from "../../dataplane/model.ts";
import { significantPrefix } from "../../dataplane/match.ts";
import { compareHostnames } from "../../dataplane/precedence.ts";
import { hostnameCovers } from "../compute/hostnames.ts";
import type { Outputs } from "../outputs.ts";
import type { Diagnostic } from "./diagnostic_codes.ts";
import { routeId, type ServedEntry, type ServedRule, servedRules, someOf } from "./served_rules.ts";

/** Who takes the requests of an entry, in words. */
type Winner = string;

/** RouteShadowed and RuleShadowed. */
export function findShadowed({ dataPlane }: Outputs): readonly Diagnostic[] {
  const winners = new ShadowIndex();
  const byRoute = new Map<string, { readonly rule: ServedRule; readonly by: Set<Winner> }[]>();
  for (const rule of servedRules(dataPlane)) {
    const by = winnersOf(rule, winners);
    const id = routeId(rule.route);
    const rules = byRoute.get(id);
    if (rules) rules.push({ rule, by });
    else byRoute.set(id, [{ rule, by }]);
  }
  return [...byRoute.values()].flatMap((rules): readonly Diagnostic[] => {
    const [first] = rules;
    // A rule that loses only to an earlier rule of its own route leaves the route in service.
    const isWhole = rules.every(({ by }) => by.size > 0);
    if (first && isWhole) {
      const names = someOf([...new Set(rules.flatMap(({ by }) => [...by]))].sort());
      return [diagnostic("RouteShadowed", first.rule, "", `No rule ever serves: ${names}`)];
    }
    return rules.filter(({ by }) => by.size > 0).map(({ rule, by }) => {
      const message = `It never serves: ${someOf([...by].sort())}`;
      return diagnostic("RuleShadowed", rule, `rule ${rule.ruleIndex}`, message);
    });
  });
}

function diagnostic(
  code: "RouteShadowed" | "RuleShadowed",
  { route: { kind, namespace, name } }: ServedRule,
  part: string,
  message: string,
): Diagnostic {
  return { code, kind, namespace, name, part, message };
}

/** Who takes the requests of `rule`; empty when one of its entries may serve. */
function winnersOf({ entries }: ServedRule, shadows: ShadowIndex): Set<Winner> {
  const winners = new Set<Winner>();
  for (const placed of entries) {
    const winner = shadows.winnerOf(placed);
    if (winner === undefined) return new Set();
    winners.add(winner);
  }
  return winners;
}

/** For each list of entries: the first entry of each match. Built once per listener. */
class ShadowIndex {
  readonly #first = new Map<readonly HttpRouteEntry[], ReadonlyMap<string, HttpRouteEntry>>();

  winnerOf({ gateway, listener, entry }: ServedEntry): Winner | undefined {
    const taker = isolatingListener(gateway.listeners, listener, entry);
    if (taker) return `listener "${taker.name}" takes requests for its hostname`;
    const winner = this.#firstOf(listener.routes).get(matchKey(entry));
    if (winner === undefined || winner === entry) return undefined;
    const { kind, namespace, name } = winner.origin;
    return `rule ${winner.ruleIndex} of ${kind} ${namespace}/${name} comes first`;
  }

  #firstOf(routes: readonly HttpRouteEntry[]): ReadonlyMap<string, HttpRouteEntry> {
    let first = this.#first.get(routes);
    if (first === undefined) {
      const found = new Map<string, HttpRouteEntry>();
      for (const entry of routes) {
        const key = matchKey(entry);
        if (!found.has(key)) found.set(key, entry);
      }
      this.#first.set(routes, first = found);
    }
    return first;
  }
}

/** A listener that gets every request for the entry's hostname instead. */
function isolatingListener(
  listeners: readonly Listener[],
  own: Listener,
  entry: HttpRouteEntry,
): Listener | undefined {
  const hostname = entry.hostname ?? own.hostname;
  if (hostname === undefined) return undefined;
  return listeners.find((other) =>
    other !== own && other.port === own.port && other.hostname !== undefined &&
    hostnameCovers(other.hostname, hostname) &&
    compareHostnames(other.hostname, own.hostname) < 0
  );
}

/** Equal for entries that match the same requests, as far as that can be seen. */
function matchKey(
  { hostname, match: { path, method, headers, queryParams } }: HttpRouteEntry,
): string {
  const place = path.type === "PathPrefix" ? significantPrefix(path.value) : path.value;
  return JSON.stringify([
    hostname ?? null,
    isEverything(path.type, path.value) ? null : [path.type, place],
    method ?? null,
    sortedValues(headers),
    sortedValues(queryParams),
  ]);
}

/** A path match that every path meets. */
function isEverything(type: string, value: string): boolean {
  return type === "PathPrefix"
    ? significantPrefix(value) === ""
    : type === "RegularExpression" && (value === ".*" || value === "/.*");
}

function sortedValues(matches: readonly ValueMatch[]): readonly string[] {
  return matches.map(({ name, type, value }) => JSON.stringify([name, type, value])).sort();
}
