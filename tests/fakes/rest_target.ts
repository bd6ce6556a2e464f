/**
 * Any API server as the target of the suite of reading: it is written to by the API itself.
 */

import type { Clock } from "../../src/base/clock.ts";
import { ClusterError } from "../../src/kube/cluster_error.ts";
import type { ClusterTransport } from "../../src/kube/cluster_transport.ts";
import type { ClusterTarget } from "../contract/cluster_reading_suite.ts";

/** The target; `close` is called behind its own cleaning up. */
export function restTarget({ transport, clock, namespace, close }: {
  readonly transport: ClusterTransport;
  readonly clock: Clock;
  /** There is one of this name, and it is the test's own. */
  readonly namespace: string;
  readonly close: () => Promise<void>;
}): ClusterTarget {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const { signal } = new AbortController();
  const names = new Set<string>();
  const remove = async (name: string): Promise<void> => {
    names.delete(name);
    await transport.request({ method: "DELETE", path: `${path}/${name}`, signal });
  };
  return {
    transport,
    clock,
    namespace,
    async put(name, data) {
      names.add(name);
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data };
      try {
        await transport.request({ method: "PUT", path: `${path}/${name}`, body, signal });
      } catch (error) {
        if (!(error instanceof ClusterError) || error.kind !== "not-found") throw error;
        await transport.request({ method: "POST", path, body, signal });
      }
    },
    remove,
    pass: () => clock.sleep(10),
    async close() {
      for (const name of [...names]) await remove(name);
      await close();
    },
  };
}
