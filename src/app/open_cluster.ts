/** The way to the cluster that the settings name: credentials and a transport. */

import type { Clock } from "../base/clock.ts";
import type { MetricsRegistry } from "../base/metrics.ts";
import type { Config } from "../config/flags.ts";
import { askProvider } from "../kube/ask_provider.ts";
import type { ClusterTransport } from "../kube/cluster_transport.ts";
import { HttpTransport } from "../kube/http_transport.ts";
import { kubeconfigPaths, loadKubeconfigAccess, loadPodAccess } from "../kube/load_access.ts";
import { RequestPace } from "../kube/request_pace.ts";
import { runProgram } from "../kube/run_program.ts";
import { readSettingsFile } from "./secret_files.ts";

/** The settings that name a cluster. */
export type ClusterSettings = Pick<Config, "kubeconfig" | "context" | "inCluster">;

/** A cluster that can be asked. Nothing was asked yet. */
export interface OpenCluster {
  readonly transport: ClusterTransport;
  /** For the leader election alone: what many writers have to wait for holds up no renewal. */
  readonly leaseTransport: ClusterTransport;
  /** Of the pod or of the machine; not known everywhere. */
  readonly processName?: string;
  /** Where the API server is. */
  readonly server: URL;
  /** Of the context or of the pod. */
  readonly namespace?: string;
  /** Whether the credentials are those of a pod. */
  readonly isPod: boolean;
  /** Requests that had to wait for the pace so far. */
  readonly delayedCount: () => number;
  /** Closes idle connections. */
  close(): void;
}

/** A safety net for the day when something loops: the server has its own fairness. */
const requestPace = { perSecond: 500, burst: 1000 } as const;

const leaseRequestPace = { perSecond: 20, burst: 20 } as const;

/**
 * Reads the credentials of the cluster that `settings` name.
 *
 * @throws AccessError when they cannot be read or used
 */
export async function openCluster(
  settings: ClusterSettings,
  { clock, version }: { readonly clock: Clock; readonly version: string },
): Promise<OpenCluster> {
  const env = (name: string): string | undefined => Deno.env.get(name);
  const surroundings = { env, readFile: readSettingsFile, runProgram, askProvider, clock };
  const access = settings.inCluster
    ? await loadPodAccess(surroundings)
    : await loadKubeconfigAccess(
      kubeconfigPaths(settings.kubeconfig, env),
      settings.context,
      surroundings,
    );
  const pace = new RequestPace(requestPace, clock);
  const userAgent = `weir/${version}`;
  const transport = new HttpTransport({ access, clock, pace, userAgent });
  const leasePace = new RequestPace(leaseRequestPace, clock);
  const leaseTransport = new HttpTransport({ access, clock, pace: leasePace, userAgent });
  const { server, namespace } = access;
  const processName = env("POD_NAME") ?? env("HOSTNAME");
  return {
    transport,
    leaseTransport,
    server,
    ...processName === undefined ? {} : { processName },
    isPod: settings.inCluster,
    ...namespace === undefined ? {} : { namespace },
    delayedCount: () => pace.delayedCount,
    close() {
      transport.close();
      leaseTransport.close();
    },
  };
}

/** Registers how often the safety net held. */
export function mountClusterRequests(registry: MetricsRegistry, cluster: OpenCluster): void {
  registry.read({
    name: "weir_cluster_requests_delayed_total",
    help: "Requests to the API server that had to wait for weir's own pace; 0 in good health.",
    type: "counter",
    read: () => cluster.delayedCount(),
  });
}
