/** How a State is built: what it is given, and how long it waits and works at a time. */

import type { Clock } from "../base/clock.ts";
import type { Kind } from "../kube/kinds.ts";
import type { AddressProvider } from "./address_provider.ts";
import type { ComputeSettings } from "./compute/input_view.ts";
import type { EngineMetrics } from "./engine_metrics.ts";
import type { InputFilter, SlimCache } from "./input_door.ts";
import type { CheckMode } from "./recomputer.ts";

/** See the file's header. */
export interface StateOptions extends Omit<ComputeSettings, "controllerName"> {
  readonly clock: Clock;
  readonly filter: InputFilter;
  /** Where objects that the filter kept out are read again when they become ours. */
  readonly slimCache: SlimCache;
  readonly addresses: AddressProvider;
  /** The gate opens when each of these has synced; all kinds when left out. */
  readonly kinds?: readonly Kind[];
  /** A recompute waits for this long without a change; 2 when left out. */
  readonly quietMs?: number;
  /** A recompute waits at most this long after the first change; 25 when left out. */
  readonly delayMaxMs?: number;
  readonly metrics?: EngineMetrics;
  /** A recompute holds the event loop for about this long at a time; 4 when left out. */
  readonly sliceMs?: number;
  /** `off` when left out. */
  readonly check?: CheckMode;
  /** Told of a difference that a sample found: names and a path, no values. */
  readonly onDifference?: (difference: string) => void;
}
