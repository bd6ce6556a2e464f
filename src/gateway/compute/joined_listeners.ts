/**
 * The listeners of a Gateway together with those of its ListenerSets (GEP-1713).
 *
 * They form one list: the Gateway's first, then the sets', the older set first. A port and hostname
 * belongs to the first object that has it; a later one's listener is conflicted, whatever else may be
 * wrong with it. What lost so takes nothing from its own siblings; those that are left must get along
 * among themselves as in a Gateway.
 * Messages of a set's listener say nothing of the objects that it clashed with.
 */

import type { ObjectKey } from "../../kube/object.ts";
import { listenerSetSlices } from "../kinds/listener_set.ts";
import type { ComputeView, JoinedListeners, OwnListener, SetOf } from "./compute_view.ts";
import type { Finding } from "./finding.ts";
import { tlsListenersOf, withConflicts } from "./judge_listener.ts";
import { type Clash, ListenerClaims } from "./listener_claims.ts";
import type { ListenerShape } from "./listener_conflicts.ts";
import { findOverlappingTls } from "./overlapping_tls.ts";

const noSets: readonly never[] = [];

/** Why a listener that is free of conflicts has not its port all the same. */
export type LossOf = (listener: OwnListener) => Finding | undefined;

const losesNothing: LossOf = () => undefined;

/** Joins the listeners of the Gateway `key` and its sets, as if there were no other Gateways. */
export function computeJoinedListeners(view: ComputeView, key: ObjectKey): JoinedListeners {
  return joinListeners(view, key, losesNothing);
}

/** The same when what `lossOf` names is lost to other Gateways, and so stands in nobody's way here. */
export function joinListeners(view: ComputeView, key: ObjectKey, lossOf: LossOf): JoinedListeners {
  const own = view.ownListeners(key);
  const keys = view.setsOfGateway(key);
  if (keys.length === 0) return { ...own, sets: noSets };
  const claims = new ListenerClaims<ObjectKey>();
  const held = own.listeners.filter((listener) => isFree(listener) && !lossOf(listener));
  claimAll(claims, key, held);
  const sets: SetOf<OwnListener>[] = [];
  for (const set of sortByAge(view, keys)) {
    const judged = view.setListeners(set);
    if (!judged) continue;
    const { fault, listeners } = judged;
    if (fault) {
      sets.push({ key: set, fault, listeners });
      continue;
    }
    const joined = withConflicts(view, listeners.map((listener) => join(claims, set, listener)));
    const free = joined.filter((listener) => isFree(listener) && !lossOf(listener));
    // A set that is not accepted is not attached, so that its listeners are not in the list.
    if (isSetValid(free)) {
      claimAll(claims, set, free);
      held.push(...free);
    }
    sets.push({ key: set, listeners: joined });
  }
  return withOverlaps(view, { ...own, sets }, held);
}

/** Whether the listener itself is in order, references aside. */
export function isFree({ fault, conflict }: OwnListener): boolean {
  return !fault && !conflict;
}

/**
 * Whether a ListenerSet is accepted by its listeners that are free: one whose references do not
 * resolve is not enough, unlike in a Gateway.
 */
export function isSetValid(free: readonly OwnListener[]): boolean {
  return free.some(({ unresolved }) => !unresolved);
}

/**
 * The listeners of different objects in `held` whose TLS settings overlap; who overlaps is not told
 * across objects.
 */
function withOverlaps(
  view: ComputeView,
  joined: JoinedListeners,
  held: readonly OwnListener[],
): JoinedListeners {
  const overlaps = findOverlappingTls(tlsListenersOf(view, held, ({ id }) => id));
  if (overlaps.size === 0) return joined;
  const mark = (listener: OwnListener): OwnListener => {
    const found = overlaps.get(listener.id);
    // What is told of siblings stays, but for certificates when their hostnames are all that overlaps.
    if (!found || listener.overlap?.reason === found.reason) return listener;
    const what = found.reason === "OverlappingCertificates" ? "certificates" : "hostnames";
    const message = `The ${what} overlap with those of a listener of another object`;
    return { ...listener, overlap: { reason: found.reason, message } };
  };
  return {
    ...joined,
    listeners: joined.listeners.map(mark),
    sets: joined.sets.map((set) =>
      set.fault ? set : { ...set, listeners: set.listeners.map(mark) }
    ),
  };
}

/** The keys are sorted and the sort is stable: equal ages stay in the order of their keys. */
function sortByAge(view: ComputeView, keys: readonly ObjectKey[]): readonly ObjectKey[] {
  const ages = new Map(
    keys.map((key) => [key, view.read(listenerSetSlices.creationTimestamp, key) ?? ""] as const),
  );
  const age = (key: ObjectKey): string => ages.get(key) ?? "";
  return [...keys].sort((a, b) => age(a) < age(b) ? -1 : age(a) > age(b) ? 1 : 0);
}

function claimAll(
  claims: ListenerClaims<ObjectKey>,
  owner: ObjectKey,
  listeners: readonly OwnListener[],
): void {
  for (const { spec } of listeners) claims.claim(spec, owner);
}

function join(
  claims: ListenerClaims<ObjectKey>,
  set: ObjectKey,
  listener: OwnListener,
): OwnListener {
  const clash = claims.clashOf(listener.spec, set);
  return clash ? { ...listener, conflict: describeClash(listener.spec, clash) } : listener;
}

function describeClash(
  { port, hostname }: ListenerShape,
  { by }: Clash<ObjectKey>,
): Finding {
  if (by === "protocol") {
    return {
      reason: "ProtocolConflict",
      message: `Port ${port} is used with another protocol by a listener that comes first`,
    };
  }
  const what = hostname === undefined ? "no hostname" : `hostname "${hostname}"`;
  return {
    reason: "HostnameConflict",
    message: `Port ${port} with ${what} is used by a listener that comes first`,
  };
}
