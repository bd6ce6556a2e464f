/**
 * Which entries of a listener never serve, because another with the same match comes first.
 *
 * Entries are kept by hostname and path; most are alone there and cost nothing more. Where several
 * meet, those with equal matches form a class, of which the first serves. A change costs what becomes
 * different by it: an entry that comes or goes behind the first of its class concerns nobody else.
 */

import type { RouteEntry } from "../../dataplane/model.ts";
import { matchKey, pathKey } from "../../dataplane/same_match.ts";
import { type ObjectKey, objectKey } from "../../kube/object.ts";

/** Who serves in the place of an entry. */
export interface Winner {
  readonly kind: string;
  readonly route: ObjectKey;
  /** Absent for a route of connections, which has one rule. */
  readonly ruleIndex?: number;
}

/** The entries of a route at a listener that never serve, by {@linkcode entryName}. */
export type EntryShadows = ReadonlyMap<string, Winner>;
/** Of the routes of one group; one that serves with all of its entries has none. */
export type GroupShadows = ReadonlyMap<ObjectKey, EntryShadows>;
/** By {@linkcode shadowGroupOf}; one without any has none. */
export type RouteShadows = ReadonlyMap<number, GroupShadows>;

/** Nothing is shadowed. */
export const noShadows: RouteShadows = new Map();

/** So many groups the routes of a listener are cut into, so that a status depends on few of them. */
const groupCount = 128;

/** The number of the group that `route` is in. */
export function shadowGroupOf(route: ObjectKey): number {
  let hash = 0;
  for (let index = Math.max(0, route.length - 8); index < route.length; index++) {
    hash = (hash * 31 + route.charCodeAt(index)) % 65521;
  }
  return hash % groupCount;
}

/** The name of an entry among those of its route at one listener. */
export function entryName(entry: RouteEntry): string {
  const { hostname = "" } = entry;
  return "match" in entry ? `${entry.ruleIndex}/${entry.matchIndex} ${hostname}` : hostname;
}

/** Entries with equal matches. */
interface MatchClass<Entry> {
  readonly members: Set<Entry>;
  first: Entry;
}

type MatchClasses<Entry> = Map<string, MatchClass<Entry>>;

/** What an update met. */
interface Edits<Entry> {
  /** The class of each entry that may have another winner now; undefined: it is gone. */
  readonly judged: Map<Entry, MatchClass<Entry> | undefined>;
  /** Classes that another entry is the first of now. */
  readonly led: Set<MatchClass<Entry>>;
}

/** See the file's header. Of one kind of route at one listener. */
export class ShadowIndex<Entry extends RouteEntry> {
  readonly #compare: (a: Entry, b: Entry) => number;
  /** By hostname, then path: an entry alone, or several by their match. */
  readonly #groups = new Map<string, Map<string, Entry | MatchClasses<Entry>>>();
  #shadows: RouteShadows = noShadows;

  /** @param compare the precedence: negative when the first is tried before the second */
  constructor(compare: (a: Entry, b: Entry) => number) {
    this.#compare = compare;
  }

  /** Takes changes over; the result is not changed later, and the same object while it is equal. */
  update(removed: readonly Entry[], added: readonly Entry[]): RouteShadows {
    const edits: Edits<Entry> = { judged: new Map(), led: new Set() };
    for (const entry of removed) this.#remove(entry, edits);
    for (const entry of added) this.#add(entry, edits);
    for (const led of edits.led) for (const entry of led.members) edits.judged.set(entry, led);
    if (edits.judged.size > 0) this.#judge(edits.judged);
    return this.#shadows;
  }

  #add(entry: Entry, edits: Edits<Entry>): void {
    const { hostname = "" } = entry;
    let paths = this.#groups.get(hostname);
    if (!paths) this.#groups.set(hostname, paths = new Map());
    const path = pathKey(entry);
    const found = paths.get(path);
    if (found === undefined) {
      paths.set(path, entry);
      return;
    }
    let classes: MatchClasses<Entry>;
    if (found instanceof Map) classes = found;
    else {
      classes = new Map();
      paths.set(path, classes);
      this.#join(found, classes, edits);
    }
    this.#join(entry, classes, edits);
  }

  #join(entry: Entry, classes: MatchClasses<Entry>, { judged, led }: Edits<Entry>): void {
    const key = matchKey(entry);
    const found = classes.get(key);
    if (!found) {
      classes.set(key, { members: new Set([entry]), first: entry });
      return;
    }
    found.members.add(entry);
    if (this.#compare(entry, found.first) < 0) {
      found.first = entry;
      led.add(found);
    }
    judged.set(entry, found);
  }

  #remove(entry: Entry, { judged, led }: Edits<Entry>): void {
    const { hostname = "" } = entry;
    const paths = this.#groups.get(hostname);
    const path = pathKey(entry);
    const found = paths?.get(path);
    if (!paths || found === undefined) return;
    if (!(found instanceof Map)) {
      paths.delete(path);
    } else {
      const key = matchKey(entry);
      const own = found.get(key);
      if (own?.members.delete(entry)) {
        judged.set(entry, undefined);
        if (own.members.size === 0) found.delete(key);
        else if (own.first === entry) {
          own.first = this.#firstOf(own.members, entry);
          led.add(own);
        }
      }
      if (found.size === 0) paths.delete(path);
    }
    if (paths.size === 0) this.#groups.delete(hostname);
  }

  /** @param other taken when there is none */
  #firstOf(members: Iterable<Entry>, other: Entry): Entry {
    let first: Entry | undefined;
    for (const entry of members) if (!first || this.#compare(entry, first) < 0) first = entry;
    return first ?? other;
  }

  #judge(judged: ReadonlyMap<Entry, MatchClass<Entry> | undefined>): void {
    const edits = new Map<ObjectKey, Map<string, Winner>>();
    const editOf = (entry: Entry): Map<string, Winner> => {
      const route = routeOf(entry);
      let own = edits.get(route);
      if (!own) {
        edits.set(route, own = new Map(this.#shadows.get(shadowGroupOf(route))?.get(route)));
      }
      return own;
    };
    // First what is gone: another entry may have come with the name of one that left.
    for (const [entry, found] of judged) if (!found) editOf(entry).delete(entryName(entry));
    for (const [entry, found] of judged) {
      if (!found) continue;
      if (found.first === entry) editOf(entry).delete(entryName(entry));
      else editOf(entry).set(entryName(entry), winnerOf(found.first));
    }
    this.#shadows = applyEdits(this.#shadows, edits);
  }
}

function applyEdits(
  before: RouteShadows,
  edits: ReadonlyMap<ObjectKey, EntryShadows>,
): RouteShadows {
  const groups = new Map(before);
  const copied = new Map<number, Map<ObjectKey, EntryShadows>>();
  for (const [route, entries] of edits) {
    const number = shadowGroupOf(route);
    const old = groups.get(number)?.get(route);
    if (old ? isSame(old, entries) : entries.size === 0) continue;
    let group = copied.get(number);
    if (!group) copied.set(number, group = new Map(groups.get(number)));
    if (entries.size === 0) group.delete(route);
    else group.set(route, entries);
  }
  if (copied.size === 0) return before;
  for (const [number, group] of copied) {
    if (group.size === 0) groups.delete(number);
    else groups.set(number, group);
  }
  return groups.size === 0 ? noShadows : groups;
}

function isSame(a: EntryShadows, b: EntryShadows): boolean {
  if (a.size !== b.size) return false;
  for (const [name, winner] of b) {
    const other = a.get(name);
    if (!other || other.route !== winner.route || other.ruleIndex !== winner.ruleIndex) {
      return false;
    }
  }
  return true;
}

function winnerOf(entry: RouteEntry): Winner {
  const winner = { kind: entry.origin.kind, route: routeOf(entry) };
  return "match" in entry ? { ...winner, ruleIndex: entry.ruleIndex } : winner;
}

function routeOf({ origin: { namespace, name } }: RouteEntry): ObjectKey {
  return objectKey(namespace, name);
}
