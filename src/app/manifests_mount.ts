/** The manifests as subsystems: the loader, and the development certificates that follow it. */

import type { MetricsRegistry } from "../base/metrics.ts";
import { count } from "../cli/problem_lines.ts";
import { kindNames } from "../kube/kinds.ts";
import type { LocalWorld } from "./local_world.ts";
import { untilAborted } from "./run_together.ts";
import type { Subsystem } from "./subsystem.ts";

/** What the manifests bring to the process. */
export interface ManifestsMount {
  readonly subsystems: readonly Subsystem[];
  /**
   * Resolves when the cluster holds everything that the files say and the certificates that nobody
   * wrote; the engine's first snapshot must not be earlier.
   */
  readonly loaded: Promise<void>;
}

/** Wraps `world`. Its files are part of the core: without them nothing is known. */
export function mountManifests(world: LocalWorld, registry: MetricsRegistry): ManifestsMount {
  const { loader, certificates } = world;
  mountMetrics(world, registry);
  const loaded = Promise.withResolvers<void>();
  const manifests: Subsystem = {
    name: "manifests",
    onFailure: "core",
    async run(signal) {
      await loader.initialLoad();
      await certificates?.issueMissing();
      loaded.resolve();
      await loader.run(signal);
    },
    ready() {
      if (!loader.hasSynced) return { ready: false, reason: "reading the files" };
      const [unseen] = loader.unseenPaths();
      if (unseen !== undefined) {
        return { ready: false, reason: `--manifests "${unseen}" does not exist` };
      }
      const problems = loader.problemCount;
      return {
        ready: true,
        reason: problems === 0 ? "no problems" : `${count(problems, "problem")}, see /api/v1/state`,
      };
    },
  };
  if (!certificates) return { subsystems: [manifests], loaded: loaded.promise };
  const issuing: Subsystem = {
    name: "development-certificates",
    onFailure: "restart",
    async run(signal) {
      await untilAborted(loaded.promise, signal);
      await certificates.run(signal);
    },
    ready: () => ({ ready: true, reason: "issuing what listeners name and nobody defines" }),
  };
  return { subsystems: [manifests, issuing], loaded: loaded.promise };
}

function mountMetrics({ loader, cluster }: LocalWorld, registry: MetricsRegistry): void {
  registry.read({
    name: "weir_manifest_problems",
    help: "Problems in the manifests now; the objects concerned keep their last good version.",
    type: "gauge",
    read: () => loader.problemCount,
  });
  registry.read({
    name: "weir_local_objects",
    help: "Objects in the local cluster, by kind.",
    type: "gauge",
    labels: { kind: kindNames },
    read: () => kindNames.map((kind) => [{ kind }, cluster.list(kind).items.length] as const),
  });
  registry.read({
    name: "weir_local_events_dropped_total",
    help: "Events of the local cluster that made room for newer ones.",
    type: "counter",
    read: () => cluster.droppedEventCount,
  });
}
