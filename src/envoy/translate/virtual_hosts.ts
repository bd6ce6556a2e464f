/**
 * Which entries serve which host of a listener, as Envoy's virtual hosts need it.
 *
 * Envoy picks the virtual host with the most specific domain and never looks further. So there is one
 * for every hostname of a listener and of its entries, each with the entries of the less specific
 * hostnames behind its own; and a hostname that another listener of the port matches more precisely
 * is left to that one (listener isolation). Pure.
 */

import { HostIndex } from "../../dataplane/host.ts";
import type { HttpRouteEntry, Listener } from "../../dataplane/model.ts";

/** One virtual host. */
export interface HostEntries {
  /** Exact, `*.suffix`, or `*`. */
  readonly domain: string;
  /** In the order of precedence. */
  readonly entries: readonly HttpRouteEntry[];
  /** How many of them stand in the virtual hosts of their own hostnames too. */
  readonly copyCount: number;
}

/** Finds the listener that a hostname of a port belongs to. */
export function indexOwners(listeners: readonly Listener[]): HostIndex<Listener> {
  const owners = new HostIndex<Listener>();
  for (const listener of listeners) owners.set(listener.hostname, listener);
  return owners;
}

/** Whether requests or connections for `hostname` are for `listener`; absent: for no other host's. */
export function ownsHostname(
  owners: HostIndex<Listener>,
  listener: Listener,
  hostname: string | undefined,
): boolean {
  const owner = hostname === undefined ? owners.get(undefined) : owners.find(hostname);
  return owner === listener;
}

/** The domain of a virtual host, or the server name of a filter chain, for a hostname. */
export function domainOf(hostname: string | undefined): string {
  return hostname ?? "*";
}

/** The virtual hosts of `listener`, whose entries are in the order of precedence. */
export function hostsOfListener(
  listener: Listener,
  owners: HostIndex<Listener>,
): readonly HostEntries[] {
  const groups = new Map<string | undefined, HttpRouteEntry[]>([[listener.hostname, []]]);
  for (const entry of listener.routes) {
    const group = groups.get(entry.hostname);
    if (group === undefined) groups.set(entry.hostname, [entry]);
    else group.push(entry);
  }
  const index = new HostIndex<readonly HttpRouteEntry[]>();
  let hasGeneral = false;
  for (const [hostname, entries] of groups) {
    index.set(hostname, entries);
    hasGeneral ||= (hostname === undefined || hostname.startsWith("*.")) && entries.length > 0;
  }
  return [...groups].filter(([hostname]) => ownsHostname(owners, listener, hostname))
    .map(([hostname, own]) => {
      // Mostly there is nothing to fall through to, and the group is the list.
      const entries = hostname === undefined || !hasGeneral ? own : entriesFor(index, hostname);
      return { domain: domainOf(hostname), entries, copyCount: entries.length - own.length };
    });
}

/** A wildcard is found as a host is: each suffix of it is looked up, its own first. */
function entriesFor(
  index: HostIndex<readonly HttpRouteEntry[]>,
  hostname: string,
): readonly HttpRouteEntry[] {
  const found: (readonly HttpRouteEntry[])[] = [];
  index.first(hostname, found, collect);
  const [only] = found;
  return found.length === 1 && only !== undefined ? only : found.flat();
}

function collect(
  entries: readonly HttpRouteEntry[],
  found: (readonly HttpRouteEntry[])[],
): undefined {
  if (entries.length > 0) found.push(entries);
}
