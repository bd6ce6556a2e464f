/**
 * A cluster that was read once, as what a command computes from: its objects with their own
 * identities, generations and times.
 */

import type { ObjectSource } from "../gateway/feed.ts";
import { type Kind, kindNames } from "../kube/kinds.ts";
import { KindTable } from "../kube/kind_table.ts";
import type { ClusterReading } from "../kube/read_cluster.ts";
import type { OnceWorld } from "./once_world.ts";
import type { ForkBase } from "./fork_base.ts";
import { aborted } from "./run_together.ts";

/** Makes it. */
export function createSnapshotWorld(reading: ClusterReading): OnceWorld {
  const tables = new Map<Kind, KindTable>(kindNames.map((kind) => {
    const table = new KindTable();
    for (const object of reading.objects.get(kind) ?? []) table.set(object);
    return [kind, table];
  }));
  const get: ObjectSource["get"] = (kind, key) => tables.get(kind)?.get(key);
  const { apiBundle } = baseOf(reading);
  return {
    objects: {
      get,
      list: (kind, namespace) => ({ items: tables.get(kind)?.list(namespace) ?? [] }),
    },
    source: {
      onApiBundle: (listener) => apiBundle && listener(apiBundle),
      get,
      follow(kind, handler, signal) {
        handler.snapshot(tables.get(kind)?.list() ?? []);
        return aborted(signal);
      },
    },
    load: () => Promise.resolve(),
    problems: () => [],
  };
}

/** Of a fork of such a cluster. */
export function baseOf({ absent, objects, bundleVersions }: ClusterReading): ForkBase {
  return {
    isReal: true,
    absent,
    // A cluster has some: there are none only where they were not read.
    hasNamespaces: (objects.get("Namespace")?.length ?? 0) > 0,
    ...bundleVersions === undefined ? {} : { apiBundle: { versions: bundleVersions } },
  };
}
