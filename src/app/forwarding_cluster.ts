/** A local cluster that passes everything on, for those that do one thing in another way. */

import type { LocalCluster } from "../localkube/store_contract.ts";

/** A cluster whose every call is one of `cluster`. */
export function forwardTo(cluster: LocalCluster): LocalCluster {
  return {
    list: (kind, namespace) => cluster.list(kind, namespace),
    get: (kind, key) => cluster.get(kind, key),
    create: (kind, object, options) => cluster.create(kind, object, options),
    update: (kind, object, options) => cluster.update(kind, object, options),
    updateStatus: (kind, object, options) => cluster.updateStatus(kind, object, options),
    apply: (kind, object) => cluster.apply(kind, object),
    delete: (kind, key) => cluster.delete(kind, key),
    watch: (kind, fromVersion, handler) => cluster.watch(kind, fromVersion, handler),
  };
}
