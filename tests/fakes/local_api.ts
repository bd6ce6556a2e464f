/**
 * The Kubernetes API of an empty local cluster on loopback, as real clients reach it.
 */

import { mountKubeApi } from "../../src/app/kube_api_mount.ts";
import { createLocalSchemas } from "../../src/app/local_schemas.ts";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { MetricsRegistry } from "../../src/base/metrics.ts";
import type { ClusterAccess } from "../../src/kube/cluster_access.ts";
import { HttpTransport } from "../../src/kube/http_transport.ts";
import { RequestPace } from "../../src/kube/request_pace.ts";
import { SchemaAdmission } from "../../src/localkube/admission/schema_admission.ts";
import { MemoryCluster } from "../../src/localkube/store.ts";
import { RecordingLog } from "./recording_log.ts";

/** A way to it. */
export interface LocalApi {
  readonly transport: HttpTransport;
  readonly clock: Clock;
  /** There is one of this name. */
  readonly namespace: string;
  readonly close: () => Promise<void>;
}

function transportOf(access: ClusterAccess): HttpTransport {
  return new HttpTransport({
    access,
    clock: systemClock,
    pace: new RequestPace({ perSecond: 1_000, burst: 1_000 }, systemClock),
    userAgent: "weir/test",
  });
}

/** Starts it; what it has lives until `close`. */
export async function openLocalApi(): Promise<LocalApi> {
  const mount = mountKubeApi({
    schemas: createLocalSchemas(),
    config: {
      kubeAddress: { host: "127.0.0.1", port: 0 },
      allowedHosts: [],
      kubeTokens: undefined,
      writeKubeconfig: undefined,
    },
    readText: () => Promise.reject(new Error("no file is named")),
    mayWrite: () => Promise.resolve(true),
    writeSecret: () => Promise.resolve(),
    cluster: new MemoryCluster({
      admission: new SchemaAdmission(),
      clock: systemClock,
      newUid: () => crypto.randomUUID(),
    }),
    registry: new MetricsRegistry(),
    version: "0.0.0-test",
    newUid: () => crypto.randomUUID(),
    random: () => 0.5,
    clock: systemClock,
    log: new RecordingLog(),
    isReady: () => true,
  });
  const stop = new AbortController();
  const running = mount.subsystem.run(stop.signal);
  while (mount.url() === undefined) await systemClock.sleep(5);
  const transport = transportOf({
    server: new URL(mount.url() ?? ""),
    isInsecure: false,
    credentials: { identity: () => Promise.resolve({}), forget: () => {} },
  });
  const close = async (): Promise<void> => {
    transport.close();
    stop.abort();
    await running;
  };
  return { transport, clock: systemClock, namespace: "default", close };
}
