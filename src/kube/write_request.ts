/**
 * What all writes to a cluster share: how they are sent, and what became of one that was refused.
 */

import { ClusterError } from "./cluster_error.ts";
import { type StatusFailure, type WriteConflict, writeConflicts } from "./status_client.ts";

/** A server-side apply that takes over what others own. JSON is YAML. */
export const applyPatch = {
  method: "PATCH",
  contentType: "application/apply-patch+yaml",
  query: { force: "true" },
} as const;

/**
 * The parameters of every write. The server ends it at `timeoutMs` as well: one that waits in its
 * queues would otherwise be stored after its author gave up, perhaps when another replica leads.
 */
export function writeQuery(
  fieldManager: string,
  timeoutMs: number,
): Readonly<Record<string, string>> {
  return { fieldManager, timeout: `${timeoutMs}ms` };
}

/** Why a write was not done. */
export type WriteFailure =
  | { readonly outcome: "conflict"; readonly reason: WriteConflict }
  /** The server refuses this write, and will again. */
  | { readonly outcome: "invalid"; readonly message: string }
  | StatusFailure;

/** @throws what is no failure of the cluster: the reason of an abort, a broken promise */
export function writeFailureOf(error: unknown): WriteFailure {
  if (error instanceof ClusterError) {
    const { kind, message } = error;
    const reason = writeConflicts.find((conflict) => conflict === kind);
    if (reason !== undefined) return { outcome: "conflict", reason };
    if (kind === "invalid" || kind === "immutable") return { outcome: "invalid", message };
  }
  return failureOf(error);
}

/** @throws what is no failure of the cluster: the reason of an abort, a broken promise */
export function failureOf(error: unknown): StatusFailure {
  if (!(error instanceof ClusterError)) throw error;
  const { kind, message, retryAfterMs } = error;
  switch (kind) {
    case "not-found":
    case "namespace-terminating":
      return { outcome: "gone" };
    case "forbidden":
    case "unauthorized":
      return { outcome: "forbidden", message };
    case "overloaded":
    case "unavailable":
      return { outcome: "overloaded", ...retryAfterMs === undefined ? {} : { retryAfterMs } };
    default:
      return { outcome: "failed", message };
  }
}
