/** The data plane that the configuration names, with the subsystems that it brings. */

import type { MetricsRegistry } from "../base/metrics.ts";
import type { Config } from "../config/flags.ts";
import type { DataPlane } from "../dataplane/data_plane.ts";
import { AssumedDataPlane } from "./assumed_data_plane.ts";
import type { Subsystem } from "./subsystem.ts";
import type { Surroundings } from "./surroundings.ts";

/** What the data plane is mounted on. */
export interface DataPlaneMountOptions {
  readonly config: Config;
  readonly surroundings: Surroundings;
  readonly registry: MetricsRegistry;
  /** Whether the embedded proxy may be built. */
  readonly hasProxy: boolean;
}

/** A data plane and what runs for it. */
export interface DataPlaneMount {
  readonly dataPlane: DataPlane;
  readonly subsystems: readonly Subsystem[];
}

/** Builds it. */
export function mountDataPlane({ config, hasProxy }: DataPlaneMountOptions): DataPlaneMount {
  if (config.dataPlane === "none" || !hasProxy) {
    return { dataPlane: new AssumedDataPlane("none"), subsystems: [] };
  }
  throw new Error("embedded: to come");
}
