/**
 * Rules that never serve a request, because another one always comes first.
 *
 * Two ways lead there. An entry with the same hostname and the same match comes earlier: among
 * entries that match the same requests only one serves. Or a listener with a more specific hostname
 * on the same port takes every request for the entry's hostname (listener isolation). A rule is
 * reported when each of its entries is shadowed, so no report is wrong; a rule that several others
 * cover together is not found.
 */

import type { HttpRouteEntry, Listener } from "../../dataplane/model.ts";
import { matchKey, pathKey } from "../../dataplane/same_match.ts";
import { compareHostnames } from "../../dataplane/precedence.ts";
import { hostnameCovers } from "../compute/hostnames.ts";
import type { Diagnostic } from "./diagnostic_codes.ts";
import { routeId, type ServedEntry, type ServedRule, someOf } from "./served_rules.ts";

/** Who takes the requests of an entry, in words. */
type Winner = string;

/** RouteShadowed and RuleShadowed. */
export function findShadowed(served: readonly ServedRule[]): readonly Diagnostic[] {
  const winners = new ShadowIndex();
  const byRoute = new Map<
    string,
    { readonly rule: ServedRule; readonly by: ReadonlySet<Winner> }[]
  >();
  for (const rule of served) {
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

const nobody: ReadonlySet<Winner> = new Set();

/** Who takes the requests of `rule`; empty when one of its entries may serve. */
function winnersOf({ entries }: ServedRule, shadows: ShadowIndex): ReadonlySet<Winner> {
  let winners: Set<Winner> | undefined;
  for (const placed of entries) {
    const winner = shadows.winnerOf(placed);
    // The usual case, for which nothing is made.
    if (winner === undefined) return nobody;
    winners = (winners ?? new Set()).add(winner);
  }
  return winners ?? nobody;
}

/** For each list of entries: those of one hostname and path, in their order. Built once per listener. */
class ShadowIndex {
  readonly #groups = new Map<readonly HttpRouteEntry[], ReadonlyMap<string, PathGroups>>();

  winnerOf({ gateway, listener, entry }: ServedEntry): Winner | undefined {
    const taker = isolatingListener(gateway.listeners, listener, entry);
    if (taker) return `listener "${taker.name}" takes requests for its hostname`;
    const group = this.#groupsOf(listener.routes).get(entry.hostname ?? "")?.get(pathKey(entry));
    // Most entries are alone with their hostname and path: nothing has to be compared.
    if (group === undefined || group.entries.length === 1) return undefined;
    const winner = firstsOf(group).get(matchKey(entry));
    if (winner === undefined || winner === entry) return undefined;
    const { kind, namespace, name } = winner.origin;
    return `rule ${winner.ruleIndex} of ${kind} ${namespace}/${name} comes first`;
  }

  #groupsOf(routes: readonly HttpRouteEntry[]): ReadonlyMap<string, PathGroups> {
    const known = this.#groups.get(routes);
    if (known !== undefined) return known;
    const groups = new Map<string, PathGroups>();
    for (const entry of routes) {
      const { hostname = "" } = entry;
      let byPath = groups.get(hostname);
      if (byPath === undefined) groups.set(hostname, byPath = new Map());
      const path = pathKey(entry);
      const group = byPath.get(path);
      if (group) group.entries.push(entry);
      else byPath.set(path, { entries: [entry], firsts: undefined });
    }
    this.#groups.set(routes, groups);
    return groups;
  }
}

type PathGroups = Map<string, PathGroup>;

interface PathGroup {
  readonly entries: HttpRouteEntry[];
  /** The first entry of each match; made when it is asked for. */
  firsts: ReadonlyMap<string, HttpRouteEntry> | undefined;
}

function firstsOf(group: PathGroup): ReadonlyMap<string, HttpRouteEntry> {
  if (group.firsts !== undefined) return group.firsts;
  const firsts = new Map<string, HttpRouteEntry>();
  for (const entry of group.entries) {
    const key = matchKey(entry);
    if (!firsts.has(key)) firsts.set(key, entry);
  }
  group.firsts = firsts;
  return firsts;
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
