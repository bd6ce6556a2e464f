/**
 * A cluster that was read once, as what a command computes from: its objects with their own
 * identities, generations and times.
 */

import type { ObjectSource } from "../gateway/feed.ts";
import { type Kind, kindNames } from "../kube/kinds.ts";
import { KindTable } from "../kube/kind_table.ts";
import type { KindState } from "../kube/kind_state.ts";
import type { ClusterReading } from "../kube/read_cluster.ts";
import type { OnceWorld } from "./once_world.ts";
import type { ForkBase } from "./fork_base.ts";
import { aborted } from "./run_together.ts";
import { type ReadingScope, unreadNote } from "./unread_note.ts";

/** Makes it. */
export function createSnapshotWorld(
  reading: ClusterReading,
  settings: ReadingScope["settings"],
): OnceWorld {
  const tables = new Map<Kind, KindTable>(kindNames.map((kind) => {
    const table = new KindTable();
    for (const object of reading.objects.get(kind) ?? []) table.set(object);
    return [kind, table];
  }));
  const get: ObjectSource["get"] = (kind, key) => tables.get(kind)?.get(key);
  const { apiBundle } = baseOf(reading);
  const states = statesOf(reading);
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
    unread: (kind, namespace) => unreadNote(kind, namespace, { states, settings }),
    problems: () => [],
  };
}

function statesOf({ given, absent, forbidden }: ClusterReading): ReadingScope["states"] {
  return new Map<Kind, Pick<KindState, "phase" | "reason">>([
    ...kindNames.map((kind) => [kind, { phase: "live" }] as const),
    ...given.map((kind) => [kind, { phase: "off" }] as const),
    ...absent.map((kind) => [kind, { phase: "absent" }] as const),
    ...[...forbidden].map(([kind, reason]) => [kind, { phase: "forbidden", reason }] as const),
  ]);
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
