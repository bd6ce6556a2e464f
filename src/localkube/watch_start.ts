/**
 * From where a watch may begin, and what it has to catch up with. Pure.
 */

import type { StoredKind } from "../kube/kinds.ts";
import type { EventHistory, HistoryEntry } from "./event_history.ts";
import { expired, fromTheFuture, invalid } from "./status_errors.ts";
import type { StatusError } from "./store_contract.ts";

/** The changes to replay, or why the watch cannot begin there. */
export type Replay =
  | { readonly ok: true; readonly entries: readonly HistoryEntry[] }
  | { readonly ok: false; readonly error: StatusError };

/**
 * The changes after the resourceVersion `text`: 422 when that is none, 504 when it lies in the
 * future, 410 when the history no longer reaches back to it.
 */
export function replayFrom(
  history: EventHistory,
  kind: StoredKind,
  text: string,
  current: number,
): Replay {
  if (!/^\d{1,15}$/.test(text)) {
    const message = `Invalid value: ${JSON.stringify(text)}: must be a number`;
    const cause = { reason: "FieldValueInvalid", field: "resourceVersion", message };
    return { ok: false, error: invalid(kind, "", [cause]) };
  }
  const from = Number(text);
  if (from > current) return { ok: false, error: fromTheFuture(from, current) };
  if (from < history.floor) return { ok: false, error: expired(from, history.floor) };
  return { ok: true, entries: history.since(from) };
}
