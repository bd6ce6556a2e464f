/** How near a certificate is to its end. Pure; times are milliseconds since the epoch. */

import type { CertificateLeaf } from "../dataplane/certificate_leaf.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** What is to be said of a certificate. */
export type ExpiryStage = "fine" | "expiring" | "expired";

/** When the stages of a certificate begin; infinite when it has no readable end. */
export interface ExpiryTimes {
  readonly expiringMs: number;
  readonly expiredMs: number;
}

/**
 * `expiring` begins `warningDays` before the end, but not before the last quarter of its life:
 * certificates that live for days or weeks, and those that are renewed at two thirds of their life,
 * would be warned of all the time.
 */
export function expiryTimesOf(
  { notBefore, notAfter }: Pick<CertificateLeaf, "notBefore" | "notAfter">,
  warningDays: number,
): ExpiryTimes {
  const expiredMs = Date.parse(notAfter);
  const lifeMs = expiredMs - Date.parse(notBefore);
  if (Number.isNaN(lifeMs)) return { expiringMs: Infinity, expiredMs: Infinity };
  const expiringMs = expiredMs - Math.min(warningDays * dayMs, Math.max(0, lifeMs / 4));
  return { expiringMs, expiredMs };
}

/** The stage at a time; a stage holds from its very beginning. */
export function expiryStageAt({ expiringMs, expiredMs }: ExpiryTimes, nowMs: number): ExpiryStage {
  if (nowMs >= expiredMs) return "expired";
  return nowMs >= expiringMs ? "expiring" : "fine";
}

/** When the next stage begins; infinite when there is none. */
export function nextStageMs({ expiringMs, expiredMs }: ExpiryTimes, nowMs: number): number {
  if (nowMs < expiringMs) return expiringMs;
  return nowMs < expiredMs ? expiredMs : Infinity;
}
