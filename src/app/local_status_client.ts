/**
 * The local cluster as the status writers' cluster. Every answer is there at once.
 */

import type { StatusClient, StatusWrite } from "../kube/status_client.ts";
import type { LocalCluster, StatusError } from "../localkube/store_contract.ts";

/** Makes the client. */
export function createLocalStatusClient(cluster: LocalCluster): StatusClient {
  return {
    get(kind, key) {
      const object = cluster.get(kind, key);
      return Promise.resolve(object ? { outcome: "ok", object } : { outcome: "gone" });
    },
    updateStatus(kind, object) {
      const result = cluster.updateStatus(kind, { ...object, metadata: { ...object.metadata } });
      return Promise.resolve(
        result.ok ? { outcome: "ok", object: result.object } : toFailure(result.error),
      );
    },
  };
}

function toFailure({ code, message }: StatusError): StatusWrite {
  switch (code) {
    case 404:
      return { outcome: "gone" };
    case 409:
      return { outcome: "conflict", reason: "stale-write" };
    case 403:
      return { outcome: "forbidden", message };
    default:
      return { outcome: "invalid", message };
  }
}
