/**
 * What one replica has seen of the Lease, and what it may do next. Pure: no clock, no network.
 *
 * Times here are of this replica's monotonic clock only. A Lease that somebody else holds is held
 * until its duration has passed since this replica saw it change for the last time; so a replica that
 * has just started waits a whole duration. What was seen to be held stays held for as long when the
 * object is deleted, made anew, or goes back to an older state with the server: none of these says
 * that its holder has stopped. Only the object itself saying so, in a newer version, does.
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

/**
 * The view after a look that found `found`.
 *
 * @param nowMs when the answer had arrived: what it tells happened before
 */
export function computeLeaseView(
  before: LeaseView,
  found: LeaseRecord | undefined,
  { identity, nowMs }: { readonly identity: string; readonly nowMs: number },
): LeaseView {
  const { last, heldUntilMs } = before;
  if (found === undefined) return { ...last ? { last } : {}, heldUntilMs };
  const seen = { found, last: found };
  const follows = last === undefined ||
    (last.uid === found.uid && !isOlderVersion(found.resourceVersion, last.resourceVersion));
  if (found.holder === "" || found.holder === identity) {
    return { ...seen, heldUntilMs: follows ? -Infinity : heldUntilMs };
  }
  if (last !== undefined && isSameClaim(last, found)) return { ...seen, heldUntilMs };
  const untilMs = nowMs + found.durationMs;
  return { ...seen, heldUntilMs: follows ? untilMs : Math.max(untilMs, heldUntilMs) };
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
  { identity, nowMs }: { readonly identity: string; readonly nowMs: number },
): LeaseStep {
  if (nowMs < heldUntilMs) return { step: "wait", untilMs: heldUntilMs };
  if (found === undefined) return { step: "create" };
  return { step: found.holder === identity ? "renew" : "take", record: found };
}
