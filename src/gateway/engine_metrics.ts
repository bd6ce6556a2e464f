/** What the engine counts and measures, as functions, so that it knows no metrics library. */

import type { Kind } from "../kube/kinds.ts";

/** Every function is cheap and never throws. */
export interface EngineMetrics {
  /** One recompute with its diff, in milliseconds, and how many input changes it covered. */
  recomputed(durationMs: number, changeCount: number): void;
  /** After each recompute: how many managed objects of each kind there are. */
  inputCount(kind: Kind, count: number): void;
  /** Keys that wait for a writer to start. */
  eventSourceDepth(kind: Kind, depth: number): void;
}

/** Counts nothing. */
export const noEngineMetrics: EngineMetrics = {
  recomputed: () => {},
  inputCount: () => {},
  eventSourceDepth: () => {},
};
