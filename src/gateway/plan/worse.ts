/**
 * Whether a change makes anything worse. Pure.
 *
 * A condition that turns bad always is. Traffic that is lost or redirected is worse when it belongs
 * to an object that nobody proposed to change: what a proposal does to its own object is meant.
 */

import type { Origin } from "../../dataplane/model.ts";
import type { OutputChange } from "../output_diff/output_change.ts";
import { isAnswered, type TrafficChange } from "./traffic_changes.ts";

/** Condition types that are bad news when True. */
const negativeTypes: ReadonlySet<string> = new Set([
  "Conflicted",
  "InsecureFrontendValidationMode",
  "OverlappingTLSConfig",
  "PartiallyInvalid",
]);

/** @param isProposed whether the object of the change is itself changed or deleted on purpose */
export function isWorse(change: OutputChange, isProposed: boolean): boolean {
  const { path, before, after } = change;
  const [, type] = /\.conditions\[([^\]]+)\]$/.exec(path) ?? [];
  if (type !== undefined) return !isBad(type, before) && isBad(type, after);
  if (path.startsWith("endpoints[")) return lengthOf(before) > 0 && isEmpty(after);
  if (isProposed) return false;
  if (path === "served.addresses") return hasLost(before, after);
  // A match of a route, or a listener: gone, or with another target.
  if (path.startsWith("served.listeners[")) return before !== null && after === null;
  return path.startsWith("served[") && before !== null && !keepsTarget(before, after);
}

/**
 * Requests of a route that nobody proposed to change are lost, or go elsewhere.
 *
 * @param isProposed whether a route is itself changed or deleted on purpose
 */
export function isTrafficWorse(
  { before }: Pick<TrafficChange, "before">,
  isProposed: (route: Origin) => boolean,
): boolean {
  return isAnswered(before) && before?.route !== undefined && !isProposed(before.route);
}

/** Whether the condition says that something is wrong. An absent one says nothing. */
function isBad(type: string, value: unknown): boolean {
  const status = fieldOf(value, "status");
  if (status === undefined) return false;
  return status === (negativeTypes.has(type) ? "True" : "False");
}

function keepsTarget(before: unknown, after: unknown): boolean {
  const targets = (value: unknown): string => JSON.stringify(fieldOf(value, "backends") ?? null);
  return after !== null && targets(before) === targets(after);
}

function hasLost(before: unknown, after: unknown): boolean {
  if (!Array.isArray(before)) return false;
  return after !== null && Array.isArray(after)
    ? before.some((address) => !after.includes(address))
    : true;
}

/** There is a list, and nothing in it; a list that is gone is not needed any more. */
function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
