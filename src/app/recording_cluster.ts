/** A local cluster that notes which objects somebody applies to it. */

import { asString } from "../kube/json_value.ts";
import { objectKey } from "../kube/object.ts";
import type { LocalCluster } from "../localkube/store_contract.ts";

/** `cluster`, with `Kind/namespace/name` of every applied object put into `applied`, refused or not. */
export function recordApplied(cluster: LocalCluster, applied: Set<string>): LocalCluster {
  return {
    list: (kind, namespace) => cluster.list(kind, namespace),
    get: (kind, key) => cluster.get(kind, key),
    create: (kind, object) => cluster.create(kind, object),
    update: (kind, object) => cluster.update(kind, object),
    updateStatus: (kind, object) => cluster.updateStatus(kind, object),
    apply(kind, object) {
      const { namespace, name } = object.metadata;
      applied.add(`${kind}/${objectKey(asString(namespace), asString(name) ?? "")}`);
      return cluster.apply(kind, object);
    },
    delete: (kind, key) => cluster.delete(kind, key),
    watch: (kind, fromVersion, handler) => cluster.watch(kind, fromVersion, handler),
  };
}
