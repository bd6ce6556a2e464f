/**
 * What one replica has seen of the Lease, and what it may do next. Pure: no clock, no network.
 *
 * Times here are of this replica's monotonic clock only. A Lease that somebody else holds is held
 * until its duration has passed since this replica saw it change for the last time; so a replica that
 * has just started waits a whole duration. When the object is deleted, made anew, or goes back to an
 * older state with the server, that does not say that whoever held it has stopped, nor does the last
 * look, which may be long ago: a whole duration is waited from then on. Only the object itself, in a
 * newer version, says at once that it is free.
 */

import type { LeaseRecord } from "./lease_record.ts";
import { isOlderVersion } from "./resource_version.ts";

/** See the file's header. */
export interface LeaseView {
  /** As it was found at the last look; absent: it was not there. */
  readonly found?: LeaseRecord;
  /** As it was when it was last there. */
  readonly last?: LeaseRecord;
  /** Until when another replica may believe that it leads, monotonic milliseconds. */
  readonly heldUntilMs: number;
}

/** Of a replica that has not looked yet. */
export const nothingSeen: LeaseView = { heldUntilMs: -Infinity };

/** What may be done next. */
export type LeaseStep =
  /** There is no Lease: make it. */
  | { readonly step: "create" }
  /** Nobody holds it any more: take it. */
  | { readonly step: "take"; readonly record: LeaseRecord }
  /** It is ours: renew it. */
  | { readonly step: "renew"; readonly record: LeaseRecord }
  /** It is, or may be, another replica's until then, monotonic milliseconds. */
  | { readonly step: "wait"; readonly untilMs: number };

/** What a look is judged with. */
export interface LeaseLook {
  readonly identity: string;
  /** When the answer had arrived, monotonic: what it tells happened before. */
  readonly nowMs: number;
  /** The duration of this replica's own claims, milliseconds. */
  readonly durationMs: number;
}

/** The view after a look that found `found`. */
export function computeLeaseView(
  before: LeaseView,
  found: LeaseRecord | undefined,
  { identity, nowMs, durationMs }: LeaseLook,
): LeaseView {
  const { last, heldUntilMs } = before;
  const anewMs = Math.max(heldUntilMs, nowMs + Math.max(durationMs, last?.durationMs ?? 0));
  if (found === undefined) {
    const untilMs = before.found === undefined ? heldUntilMs : anewMs;
    return { ...last ? { last } : {}, heldUntilMs: untilMs };
  }
  const seen = { found, last: found };
  const isSame = last !== undefined && before.found !== undefined && isSameClaim(last, found);
  if (isSame && !isOlderVersion(found.resourceVersion, last.resourceVersion)) {
    return { ...seen, heldUntilMs };
  }
  const follows = last === undefined ||
    (last.uid === found.uid && !isOlderVersion(found.resourceVersion, last.resourceVersion));
  if (found.holder === "" || found.holder === identity) {
    return { ...seen, heldUntilMs: follows ? -Infinity : anewMs };
  }
  const untilMs = nowMs + found.durationMs;
  return { ...seen, heldUntilMs: follows ? untilMs : Math.max(untilMs, anewMs) };
}

/**
 * The view after a write was refused because somebody else wrote: whoever that was may lead, also if
 * the Lease is deleted before the next look.
 */
export function computeRivalView(
  before: LeaseView,
  { nowMs, durationMs }: Omit<LeaseLook, "identity">,
): LeaseView {
  return { ...before, heldUntilMs: Math.max(before.heldUntilMs, nowMs + durationMs) };
}

/** Whether nobody renewed, took or released it in between; others may have put a label on it. */
function isSameClaim(a: LeaseRecord, b: LeaseRecord): boolean {
  return a.uid === b.uid && a.holder === b.holder && a.renewTime === b.renewTime &&
    a.acquireTime === b.acquireTime && a.transitions === b.transitions &&
    a.durationMs === b.durationMs;
}

/** What the replica `identity` may do at `nowMs`. */
export function computeLeaseStep(
  { found, heldUntilMs }: LeaseView,
  { identity, nowMs }: Omit<LeaseLook, "durationMs">,
): LeaseStep {
  if (nowMs < heldUntilMs) return { step: "wait", untilMs: heldUntilMs };
  if (found === undefined) return { step: "create" };
  return { step: found.holder === identity ? "renew" : "take", record: found };
}
