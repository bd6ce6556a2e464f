/** What becomes of Events, and of failures to write them. */

import type { ClusterError } from "./cluster_error.ts";

/** What became of an Event that was told, or of a further one of a series. */
export const eventWriteOutcomes = [
  /** Written. */
  "created",
  /** The count of its series was written; one such write may stand for many. */
  "series",
  /** Dropped: its object has told too much lately. */
  "object-rate",
  /** Dropped: all objects together have. */
  "process-rate",
  /** Dropped: too many wait to be written. */
  "queue-full",
  /** Dropped: this replica did not lead for too long. */
  "not-leader",
  /** Dropped: the right to write it is missing. */
  "forbidden",
  /** Dropped: its namespace is gone. */
  "gone",
  /** Dropped: the API refuses it. */
  "invalid",
  /** Dropped: the API server could not be reached, or did not want more, several times. */
  "failed",
] as const;
/** One of {@linkcode eventWriteOutcomes}. */
export type EventWriteOutcome = typeof eventWriteOutcomes[number];

/** Why an Event is dropped after `error`; `failed`: trying again may help. */
export function outcomeOf(
  { kind }: ClusterError,
): "forbidden" | "gone" | "invalid" | "failed" {
  switch (kind) {
    case "forbidden":
    case "unauthorized":
      return "forbidden";
    case "not-found":
    case "namespace-terminating":
      return "gone";
    case "invalid":
    case "too-large":
      return "invalid";
    default:
      return "failed";
  }
}
