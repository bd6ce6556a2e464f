/**
 * Routes that no request reaches at a parent, though it takes them: `weir.dev/Shadowed`.
 *
 * Each entry of such a route loses to an older one with the same match, or to a listener with a more
 * specific hostname. Present only when it holds: negative polarity.
 */

import type { RouteEntry } from "../../dataplane/model.ts";
import type { DesiredCondition } from "../../kube/desired_status.ts";
import type { ObjectKey } from "../../kube/object.ts";
import type { RouteKind } from "../route_kinds.ts";
import type { BoundRoute, ComputeView, ParentBinding } from "./compute_view.ts";
import { conditionOf } from "./finding.ts";
import { isolatorOf } from "./isolators.ts";
import { entryName, type EntryShadows } from "./shadow_index.ts";

/** The condition's type. */
export const shadowedType = "weir.dev/Shadowed";
const noTakers: readonly never[] = [];
/** Winners that are named. */
const winnersMax = 3;

/** The condition of the route at a parent; `serving` are the listeners that took it and are served. */
export function computeShadowed(
  view: ComputeView,
  kind: RouteKind,
  key: ObjectKey,
  { parent, gateway }: Pick<ParentBinding<RouteEntry>, "parent" | "gateway">,
  serving: readonly BoundRoute<RouteEntry>[],
): DesiredCondition | undefined {
  const isolators = view.isolators(gateway);
  // Nearly every route serves, and is done before there is anything to collect.
  let winners: Set<string> | undefined;
  for (const { listener, entries } of serving) {
    const shadows = view.shadowsOf(kind, parent, key).get(listener);
    const takers = isolators.get(listener) ?? noTakers;
    if (!shadows && takers.length === 0) return undefined;
    winners ??= new Set();
    for (const entry of entries) {
      const winner = isolatorOf(takers, entry.hostname);
      const words = winner
        ? `listener "${winner.name}" takes requests for its hostname`
        : describeWinner(kind, key, shadows, entry);
      if (words === undefined) return undefined;
      if (words !== "") winners.add(words);
    }
  }
  if (!winners || winners.size === 0) return undefined;
  const names = [...winners].sort();
  const more = names.length > winnersMax ? `; and ${names.length - winnersMax} more` : "";
  const message = `No request reaches the route: ${names.slice(0, winnersMax).join("; ")}${more}`;
  return conditionOf(shadowedType, "True", { reason: "Shadowed", message });
}

/** Undefined: the entry serves. Empty: another one of the same route does, which is told of itself. */
function describeWinner(
  kind: RouteKind,
  key: ObjectKey,
  shadows: EntryShadows | undefined,
  entry: RouteEntry,
): string | undefined {
  const winner = shadows?.get(entryName(entry));
  if (!winner) return undefined;
  const { kind: winnerKind, route, ruleIndex } = winner;
  if (winnerKind === kind && route === key) return "";
  const rule = ruleIndex === undefined ? "" : `rule ${ruleIndex} of `;
  return `${rule}${winnerKind} "${route}" comes first`;
}
