/**
 * The rules that are in service, gathered from the data plane's configuration: a rule with all of
 * its entries at all listeners. Pure.
 */

import type {
  DataPlaneConfig,
  GatewayConfig,
  HttpRouteEntry,
  Listener,
  Origin,
} from "../../dataplane/model.ts";

/** An entry where it is served. */
export interface ServedEntry {
  readonly gateway: GatewayConfig;
  readonly listener: Listener;
  readonly entry: HttpRouteEntry;
}

/** A rule of a route with its entries, never empty. */
export interface ServedRule {
  readonly route: Origin;
  readonly ruleIndex: number;
  readonly entries: readonly ServedEntry[];
}

/** `Kind namespace/name`: unique among routes. */
export function routeId({ kind, namespace, name }: Origin): string {
  return `${kind} ${namespace}/${name}`;
}

/** Every rule in service, in the order in which the configuration names them first. */
export function servedRules(config: DataPlaneConfig): readonly ServedRule[] {
  const rules = new Map<string, ServedRule & { readonly entries: ServedEntry[] }>();
  for (const gateway of config.gateways.values()) {
    for (const listener of gateway.listeners) {
      for (const entry of listener.routes) {
        const { origin: route, ruleIndex } = entry;
        const id = `${routeId(route)}/${ruleIndex}`;
        const known = rules.get(id);
        if (known) known.entries.push({ gateway, listener, entry });
        else rules.set(id, { route, ruleIndex, entries: [{ gateway, listener, entry }] });
      }
    }
  }
  return [...rules.values()];
}

/** The first names of a list, for a sentence: `a, b and 3 more`. */
export function someOf(names: readonly string[], max = 3): string {
  const shown = names.slice(0, max).join(", ");
  return names.length > max ? `${shown} and ${names.length - max} more` : shown;
}
