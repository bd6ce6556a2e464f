/**
 * What changed between two lists of route entries, told of the routes. Pure and lazy.
 *
 * Both lists are in the order of precedence, so entries that moved are one gone and one come; they
 * are brought together by their path when both are known. The cost is that of the lists that changed,
 * and of one change among thousands a quick look at both ends.
 */

import { equal } from "../../base/equal.ts";
import type { HttpRouteEntry, RouteEntry, StreamRouteEntry } from "../../dataplane/model.ts";
import { compareHttpRouteEntries, compareStreamRouteEntries } from "../../dataplane/precedence.ts";
import type { OutputChange } from "./output_change.ts";
import { httpEntryFacts, streamEntryFacts } from "./served_facts.ts";

/** How entries of one sort are ordered, named and told. */
interface EntrySort<Entry extends RouteEntry> {
  readonly compare: (a: Entry, b: Entry) => number;
  /** Unique among the entries of a route at a listener. */
  readonly path: (entry: Entry) => string;
  readonly facts: (entry: Entry | undefined) => unknown;
}

const httpSort: EntrySort<HttpRouteEntry> = {
  compare: compareHttpRouteEntries,
  path: (entry) => `.rules[${entry.ruleIndex}].matches[${entry.matchIndex}]${hostPath(entry)}`,
  facts: httpEntryFacts,
};

const streamSort: EntrySort<StreamRouteEntry> = {
  compare: compareStreamRouteEntries,
  path: (entry) => `.rules[0]${hostPath(entry)}`,
  facts: streamEntryFacts,
};

/** @param prefix of every path: where the lists are served */
export function httpEntryChanges(
  prefix: string,
  before: readonly HttpRouteEntry[],
  after: readonly HttpRouteEntry[],
): Generator<OutputChange> {
  return entryChanges(httpSort, prefix, before, after);
}

/** @param prefix of every path: where the lists are served */
export function streamEntryChanges(
  prefix: string,
  before: readonly StreamRouteEntry[],
  after: readonly StreamRouteEntry[],
): Generator<OutputChange> {
  return entryChanges(streamSort, prefix, before, after);
}

function hostPath({ hostname }: RouteEntry): string {
  return hostname === undefined ? "" : `.hostnames[${hostname}]`;
}

function* entryChanges<Entry extends RouteEntry>(
  { compare, path, facts }: EntrySort<Entry>,
  prefix: string,
  before: readonly Entry[],
  after: readonly Entry[],
): Generator<OutputChange> {
  if (before === after) return;
  const pairs = new Map<string, { before?: Entry; after?: Entry }>();
  const note = (side: "before" | "after", entry: Entry): void => {
    const { kind, namespace, name } = entry.origin;
    const id = `${kind} ${namespace}/${name} ${path(entry)}`;
    const pair = pairs.get(id);
    if (pair) pair[side] = entry;
    else pairs.set(id, { [side]: entry });
  };
  // One route changed among thousands: what is the same at both ends is passed over quickly.
  const shorter = Math.min(before.length, after.length);
  let old = 0;
  while (old < shorter && before[old] === after[old]) old++;
  let tail = 0;
  while (tail < shorter - old && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const oldEnd = before.length - tail;
  const nextEnd = after.length - tail;
  let next = old;
  while (old < oldEnd || next < nextEnd) {
    const a = old < oldEnd ? before[old] : undefined;
    const b = next < nextEnd ? after[next] : undefined;
    const order = a === b ? 0 : !a ? 1 : !b ? -1 : compare(a, b);
    if (a !== b && a && order <= 0) note("before", a);
    if (a !== b && b && order >= 0) note("after", b);
    if (order <= 0) old++;
    if (order >= 0) next++;
  }
  for (const pair of pairs.values()) {
    const entry = pair.after ?? pair.before;
    if (!entry) continue;
    const { kind, namespace, name } = entry.origin;
    const [was, is] = [facts(pair.before), facts(pair.after)];
    if (equal(was, is)) continue;
    yield { kind, namespace, name, path: `${prefix}${path(entry)}`, before: was, after: is };
  }
}
