/**
 * What decides how the manifests of an installation look. Everything is checked before.
 */

import type { PermissionScope } from "../kube/permissions.ts";

/** What is printed for. */
export interface InstallOptions {
  /** Where the workload runs. */
  readonly namespace: string;
  /** Whether the Namespace is among the manifests. */
  readonly createsNamespace: boolean;
  /** Its entry point is weir. */
  readonly image: string;
  /** The version of weir, for a label. */
  readonly version: string;
  readonly replicas: number;
  /** `spec.controllerName` of the GatewayClass. */
  readonly controllerName: string;
  /** The GatewayClass to print; absent: an administrator made one. */
  readonly className?: string;
  /** The arguments of `weir`, from `serve` on. */
  readonly arguments: readonly string[];
  /** The port of the HTTP API in the pod, which probes and scrapes use. */
  readonly apiPort: number;
  /** The TCP ports of listeners; empty: this process serves no traffic. */
  readonly trafficPorts: readonly number[];
  /** The type of the Service before the traffic ports; absent: no Service. */
  readonly serviceType?: "LoadBalancer" | "NodePort" | "ClusterIP";
  /** The namespace from which metrics are scraped; absent: from none. */
  readonly metricsFrom?: string;
  /** How long requests in flight may take to finish, milliseconds. */
  readonly drainTimeoutMs: number;
  /** What is read and written. */
  readonly scope: PermissionScope;
}

/** An object to apply, and why it is there. */
export interface Manifest {
  /** A sentence or two for the person who reads it before applying. */
  readonly comment: string;
  readonly object: ManifestObject;
}

/** What every object has. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}
