/** A local cluster that notes which objects somebody applies to it. */

import { asString } from "../kube/json_value.ts";
import { objectKey } from "../kube/object.ts";
import type { LocalCluster } from "../localkube/store_contract.ts";
import { forwardTo } from "./forwarding_cluster.ts";

/** `cluster`, with `Kind/namespace/name` of every applied object put into `applied`, refused or not. */
export function recordApplied(cluster: LocalCluster, applied: Set<string>): LocalCluster {
  return {
    ...forwardTo(cluster),
    apply(kind, object) {
      const { namespace, name } = object.metadata;
      applied.add(`${kind}/${objectKey(asString(namespace), asString(name) ?? "")}`);
      return cluster.apply(kind, object);
    },
  };
}
