/**
 * The local cluster as the engine's source of objects: a list, then a watch from its version.
 */

import type { ApiBundle } from "../gateway/api_bundle.ts";
import type { ObjectHandler, ObjectSource } from "../gateway/feed.ts";
import type { Kind } from "../kube/kinds.ts";
import { bundledApiVersion } from "../localkube/admission/schema_file.ts";
import type { LocalCluster } from "../localkube/store_contract.ts";
import { aborted } from "./run_together.ts";

/** What a source says of its cluster, and what it keeps back. */
export interface LocalSourceOptions {
  /** The releases of the CRDs; absent: they are not known. */
  readonly apiBundle?: ApiBundle;
  /** Kinds that count as empty. */
  readonly hidden?: ReadonlySet<Kind>;
}

const ownRelease: LocalSourceOptions = { apiBundle: { versions: [bundledApiVersion] } };

/**
 * Makes the source. The snapshot is handed over synchronously with the call of `follow`, so a feed
 * that starts after the manifests were loaded sees all of them at once.
 */
export function createLocalObjectSource(
  cluster: LocalCluster,
  { apiBundle, hidden }: LocalSourceOptions = ownRelease,
): ObjectSource {
  return {
    onApiBundle: (listener) => apiBundle && listener(apiBundle),
    get: (kind, key) => hidden?.has(kind) ? undefined : cluster.get(kind, key),
    follow(kind, handler, signal) {
      if (!hidden?.has(kind)) return follow(cluster, kind, handler, signal);
      handler.snapshot([]);
      return aborted(signal);
    },
  };
}

async function follow(
  cluster: LocalCluster,
  kind: Kind,
  handler: ObjectHandler,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const { items, resourceVersion } = cluster.list(kind);
  handler.snapshot(items);
  const watch = cluster.watch(kind, resourceVersion, ({ type, object }) => {
    if (type === "DELETED") handler.delete(object);
    else handler.upsert(object);
  });
  // Nothing can happen between a list and a watch in one synchronous step, so 410 is impossible.
  if (!watch.ok) throw new Error(`Watch ${kind}: ${watch.error.message}`);
  await aborted(signal);
  watch.stop();
}
