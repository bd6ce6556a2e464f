/** What `weir check` of a cluster is given: settings, the cluster, and what of the machine is tried. */

import type { Clock } from "../base/clock.ts";
import type { Config } from "../config/flags.ts";
import type { ClusterTransport } from "../kube/cluster_transport.ts";

/** What became of an attempt to listen. */
export type ListenOutcome = "ok" | "taken" | "forbidden" | "no-address" | "failed";

/** Listens for a moment; port 0 is any. Never throws. */
export type TryListen = (host: string, port: number) => ListenOutcome;

/** The settings that decide what is looked at. */
export type ClusterCheckSettings = Pick<
  Config,
  | "namespaces"
  | "secretNamespaces"
  | "without"
  | "gatewayClass"
  | "controllerName"
  | "dataPlane"
  | "gatewayAddresses"
  | "portShift"
  | "apiAddress"
  | "gateways"
  | "features"
  | "leaderElectionNamespace"
  | "leaderElectionLeaseName"
>;

/** A cluster, and what of the machine is looked at. */
export interface ClusterCheckSurroundings {
  readonly transport: ClusterTransport;
  /** Where the API server is. */
  readonly server: URL;
  /** Of the context or of the pod. */
  readonly namespace?: string;
  readonly clock: Clock;
  readonly tryListen: TryListen;
  readonly signal: AbortSignal;
}
