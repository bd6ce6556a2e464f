/** What is counted of the leader election. */

import type { LeaseProblem } from "./lease_client.ts";

/** How this replica's part changed. */
export type LeaderTransition =
  /** It leads now. */
  | "gained"
  /** It does no more: it could not renew in time, or another one took the Lease. */
  | "lost"
  /** It was told to stop and stopped to lead. */
  | "released";

/** What a request was for. */
export type LeaseAction = "read" | "create" | "take" | "renew";

/** Counts; nothing here throws. */
export interface LeaseMetrics {
  transition(change: LeaderTransition): void;
  /** A request has ended after `seconds`. */
  request(
    action: LeaseAction,
    outcome: "ok" | "absent" | "conflict" | LeaseProblem,
    seconds: number,
  ): void;
}
